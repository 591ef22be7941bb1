// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/analysis/replayed/address_space.h"
#include "core/plan/field.h"
#include "core/solver/fit_summary.h"
#include "core/trace/trace.h"

#include <nlohmann/json.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

namespace vramscope {

/// A document that the command line prints; keys keep their order.
using Json = nlohmann::ordered_json;

/// A list with what `make` makes of each row.
template<class Rows, class Make>
[[nodiscard]] Json listJson(const Rows &rows, const Make &make)
{
    Json list = Json::array();
    for (const auto &row : rows)
        list.push_back(std::invoke(make, row));
    return list;
}

/// The value, or null where it is missing or not known.
template<class T>
[[nodiscard]] Json orNull(const std::optional<T> &value)
{
    return value ? Json(*value) : Json();
}
[[nodiscard]] inline Json orNull(bool isKnown, Json value)
{
    return isKnown ? std::move(value) : Json();
}
/// The text, or null where it is empty.
[[nodiscard]] inline Json textOrNull(std::string_view text)
{
    return orNull(!text.empty(), text);
}

/// Bytes of a name or file of a frame in reports: many stacks may share one of any length.
inline constexpr std::size_t kLongestFrameText = 4096;

/// A name or file of a frame as reports write it: cut at a character where it is longer.
[[nodiscard]] std::string_view cutFrameText(std::string_view text);

/// A frame for JSON: {"name","file","line"}.
[[nodiscard]] Json frameJson(const Trace &trace, FrameId id);

/// A stack for JSON: [{"name","file","line"}], innermost first.
[[nodiscard]] Json framesJson(const Trace &trace, StackId stack);

/// {"bytes","count"}.
[[nodiscard]] Json tallyJson(const Tally &tally);

/// [{"bytes","count","frames"}], with "freed_in" for memory from before the recording.
[[nodiscard]] Json liveGroupsJson(const Trace &trace, std::span<const LiveGroup> groups);

/// The time of an event in µs since 1970, or null.
[[nodiscard]] Json timeOf(const DeviceTrace &device, EventIndex event);

/// {PATH: value}.
[[nodiscard]] Json fieldsJson(std::span<const FieldSetting> fields);

/// What reserved memory consists of, but for its sum.
[[nodiscard]] Json bandsJson(const Bands &bands);

/// A setting of a recording: JSON as the file holds it; what is none is a string.
[[nodiscard]] Json settingJson(const Setting &setting);

/// The value of a setting of a plan; null where it is left out.
[[nodiscard]] Json valueJson(const FieldValue &value);

} // namespace vramscope
