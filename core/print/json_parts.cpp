// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/json_parts.h"

#include "core/base/json_text.h"
#include "core/base/text.h"

namespace vramscope {

std::string_view cutFrameText(std::string_view text)
{
    return firstBytes(text, kLongestFrameText);
}

Json frameJson(const Trace &trace, FrameId id)
{
    const Frame &frame = trace.frame(id);
    return {{"name", cutFrameText(trace.text(frame.name))},
            {"file", cutFrameText(trace.text(frame.file))},
            {"line", frame.line}};
}

Json framesJson(const Trace &trace, StackId stack)
{
    return listJson(trace.stack(stack), [&](FrameId id) { return frameJson(trace, id); });
}

Json tallyJson(const Tally &tally)
{
    return {{"bytes", tally.bytes}, {"count", tally.count}};
}

Json liveGroupsJson(const Trace &trace, std::span<const LiveGroup> groups)
{
    return listJson(groups, [&](const LiveGroup &group) -> Json {
        Json json{{"bytes", group.bytes},
                  {"count", group.count},
                  {"frames", framesJson(trace, group.stack)}};
        if (group.freedIn != StackId::None)
            json["freed_in"] = framesJson(trace, group.freedIn);
        return json;
    });
}

Json timeOf(const DeviceTrace &device, EventIndex event)
{
    const auto &times = device.events.time;
    const auto at = static_cast<std::size_t>(event);
    if (event < 0 || at >= times.size() || times[at] == kNoTime)
        return {};
    return times[at];
}

Json fieldsJson(std::span<const FieldSetting> fields)
{
    Json json = Json::object();
    for (const FieldSetting &field : fields)
        json[std::string(field.path.text())] = valueJson(field.value);
    return json;
}

Json bandsJson(const Bands &bands)
{
    return {{"requested", bands.requested},
            {"rounding", bands.rounding},
            {"pending_free", bands.pendingFree},
            {"stranded", bands.stranded},
            {"releasable", bands.releasable}};
}

Json valueJson(const FieldValue &value)
{
    const auto write = [](const auto &held) -> Json {
        if constexpr (std::is_same_v<std::decay_t<decltype(held)>, std::monostate>)
            return nullptr;
        else
            return held;
    };
    return std::visit(write, value);
}

Json settingJson(const Setting &setting)
{
    Json value = parsedJson(setting.value);
    return value.is_discarded() ? Json(setting.value) : value;
}

} // namespace vramscope
