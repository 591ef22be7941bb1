// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/live_report.h"

#include "core/analysis/live_groups.h"
#include "core/report/text_table.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

Json framesJson(const Trace &trace, StackId stack)
{
    Json json = Json::array();
    for (const FrameId id : trace.stack(stack)) {
        const Frame &frame = trace.frame(id);
        json.push_back({{"name", trace.text(frame.name)},
                        {"file", trace.text(frame.file)},
                        {"line", frame.line}});
    }
    return json;
}

Bytes sumOf(const std::vector<LiveGroup> &groups)
{
    Bytes sum = 0;
    for (const LiveGroup &group : groups)
        sum = wrappingSum(sum, group.bytes);
    return sum;
}

std::string placeOf(const Trace &trace, StackId stack)
{
    const Frame *frame = tellingFrame(trace, stack);
    if (frame == nullptr)
        return "(no stack recorded)";
    std::string place(trace.text(frame->name));
    place += "  ";
    place += trace.text(frame->file);
    return frame->line > 0 ? place + ":" + std::to_string(frame->line) : place;
}

std::string share(Bytes part, Bytes whole)
{
    if (whole <= 0)
        return {};
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    return percent < 0.1 ? "<0.1 %" : formatNumber(percent, percent < 1 ? 1 : 3) + " %";
}

} // namespace

std::string liveJson(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
                     EventIndex event, const std::string &file)
{
    const std::vector<AllocationIndex> live = allocations.liveAfter(event);
    const std::vector<LiveGroup> groups = groupByStack(allocations, live);
    Json json{{"file", file},
              {"device", device.device},
              {"event", event},
              {"active", sumOf(groups)},
              {"allocations", live.size()},
              {"groups", Json::array()}};
    for (const LiveGroup &group : groups)
        json["groups"].push_back({{"bytes", group.bytes},
                                  {"count", group.count},
                                  {"frames", framesJson(trace, group.stack)}});
    return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

std::string liveText(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
                     EventIndex event, const std::string &file, ByteUnit unit)
{
    const std::vector<AllocationIndex> live = allocations.liveAfter(event);
    const std::vector<LiveGroup> groups = groupByStack(allocations, live);
    const Bytes active = sumOf(groups);
    std::string text = file + ", device " + std::to_string(device.device);
    text += event < 0 ? ", before the first event" : ", after event " + formatCount(event);
    text += "\n" + formatBytes(active, unit) + " active in " +
            formatCount(static_cast<std::int64_t>(live.size())) + " allocations from " +
            formatCount(static_cast<std::int64_t>(groups.size())) + " stacks\n";
    if (groups.empty())
        return text;

    TextTable table({Align::Right, Align::Right, Align::Right, Align::Left});
    table.addRow({"size", "share", "blocks", "allocated in"});
    for (const LiveGroup &group : groups)
        table.addRow({formatBytes(group.bytes, unit), share(group.bytes, active),
                      formatCount(group.count), placeOf(trace, group.stack)});
    return text + "\n" + table.text();
}

} // namespace vramscope
