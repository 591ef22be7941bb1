// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/json_parts.h"

#include "core/base/text.h"

#include <nlohmann/json.hpp>

namespace vramscope {

std::string_view cutFrameText(std::string_view text)
{
    return firstBytes(text, kLongestFrameText);
}

nlohmann::ordered_json frameJson(const Trace &trace, FrameId id)
{
    const Frame &frame = trace.frame(id);
    return {{"name", cutFrameText(trace.text(frame.name))},
            {"file", cutFrameText(trace.text(frame.file))},
            {"line", frame.line}};
}

nlohmann::ordered_json framesJson(const Trace &trace, StackId stack)
{
    nlohmann::ordered_json json = nlohmann::ordered_json::array();
    for (const FrameId id : trace.stack(stack))
        json.push_back(frameJson(trace, id));
    return json;
}

nlohmann::ordered_json tallyJson(const Tally &tally)
{
    return {{"bytes", tally.bytes}, {"count", tally.count}};
}

nlohmann::ordered_json bandsJson(const Bands &bands)
{
    return {{"requested", bands.requested},
            {"rounding", bands.rounding},
            {"pending_free", bands.pendingFree},
            {"stranded", bands.stranded},
            {"releasable", bands.releasable}};
}

nlohmann::ordered_json valueJson(const FieldValue &value)
{
    const auto write = [](const auto &held) -> nlohmann::ordered_json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
            return nullptr;
        else
            return held;
    };
    return std::visit(write, value);
}

nlohmann::ordered_json settingJson(const Setting &setting)
{
    auto value = nlohmann::ordered_json::parse(setting.value, nullptr, false);
    return value.is_discarded() ? nlohmann::ordered_json(setting.value) : value;
}

} // namespace vramscope
