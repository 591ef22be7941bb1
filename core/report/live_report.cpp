// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/live_report.h"

#include "core/analysis/frame_rules.h"
#include "core/analysis/live_groups.h"
#include "core/report/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

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

// Installed packages are known by the path inside of them.
std::string_view shownFile(std::string_view file)
{
    constexpr std::string_view kPackages = "site-packages/";
    const std::size_t at = file.rfind(kPackages);
    return at == std::string_view::npos ? file : file.substr(at + kPackages.size());
}

std::string frameText(const Trace &trace, const Frame &frame)
{
    std::string text(trace.text(frame.name));
    text += "  ";
    text += shownFile(trace.text(frame.file));
    return frame.line > 0 ? text + ":" + std::to_string(frame.line) : text;
}

// The innermost Python frame tells what made the memory, and the innermost of the user's own what
// for; where a stack has neither, its most telling frame.
std::string placeText(const Trace &trace, StackId stack)
{
    const std::optional<FrameId> best = bestFrame(trace, stack);
    if (!best)
        return "(no stack recorded)";
    const std::span<const FrameId> frames = trace.stack(stack);
    const auto python = std::find_if(frames.begin(), frames.end(), [&](FrameId frame) {
        return trace.text(trace.frame(frame).file).ends_with(".py");
    });
    if (python == frames.end() || *python == *best ||
        frameOrigin(trace, *best) != FrameOrigin::User)
        return frameText(trace, trace.frame(*best));
    return frameText(trace, trace.frame(*python)) + "  from  " +
           frameText(trace, trace.frame(*best));
}

// In percent with one decimal.
std::string share(Bytes part, Bytes whole)
{
    if (whole <= 0 || part <= 0)
        return {};
    const double percent = 100.0 * static_cast<double>(part) / static_cast<double>(whole);
    const auto tenths = static_cast<std::int64_t>(std::llround(10 * percent));
    if (tenths == 0)
        return "<0.1 %";
    return std::to_string(tenths / 10) + "." + std::to_string(tenths % 10) + " %";
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
                      formatCount(group.count), placeText(trace, group.stack)});
    return text + "\n" + table.text();
}

} // namespace vramscope
