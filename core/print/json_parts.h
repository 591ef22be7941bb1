// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/analysis/replayed/address_space.h"
#include "core/plan/field.h"
#include "core/trace/trace.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <span>
#include <string_view>

namespace vramscope {

/// Bytes of a name or file of a frame in reports: many stacks may share one of any length.
inline constexpr std::size_t kLongestFrameText = 4096;

/// A name or file of a frame as reports write it: cut at a character where it is longer.
[[nodiscard]] std::string_view cutFrameText(std::string_view text);

/// A frame for JSON: {"name","file","line"}.
[[nodiscard]] nlohmann::ordered_json frameJson(const Trace &trace, FrameId id);

/// A stack for JSON: [{"name","file","line"}], innermost first.
[[nodiscard]] nlohmann::ordered_json framesJson(const Trace &trace, StackId stack);

/// {"bytes","count"}.
[[nodiscard]] nlohmann::ordered_json tallyJson(const Tally &tally);

/// What reserved memory consists of, but for its sum.
[[nodiscard]] nlohmann::ordered_json bandsJson(const Bands &bands);

/// A setting of a recording: JSON as the file holds it; what is none is a string.
[[nodiscard]] nlohmann::ordered_json settingJson(const Setting &setting);

/// The value of a setting of a plan; null where it is left out.
[[nodiscard]] nlohmann::ordered_json valueJson(const FieldValue &value);

} // namespace vramscope
