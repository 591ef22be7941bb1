// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/live_report.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/costs/live_groups.h"
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/study/study.h"
#include "core/base/json_text.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

Bytes sumOf(const std::vector<LiveGroup> &groups)
{
    Bytes sum = 0;
    for (const LiveGroup &group : groups)
        sum = wrappingSum(sum, group.bytes);
    return sum;
}

} // namespace

std::string liveJson(const Study &study, EventIndex event, const std::string &file)
{
    const Allocations &allocations = study.allocations();
    const std::vector<AllocationIndex> live = allocations.liveAfter(event);
    const std::vector<LiveGroup> groups = groupByStack(allocations, live);
    Json json{{"file", file},
              {"device", study.device().device},
              {"event", event},
              {"active", sumOf(groups)},
              {"allocations", live.size()},
              {"groups", Json::array()}};
    for (const LiveGroup &group : groups)
        json["groups"].push_back({{"bytes", group.bytes},
                                  {"count", group.count},
                                  {"frames", framesJson(study.trace(), group.stack)}});
    return jsonText(json);
}

std::string liveText(const Study &study, EventIndex event, const std::string &file,
                     std::size_t most, ByteUnit unit)
{
    const Trace &trace = study.trace();
    const Allocations &allocations = study.allocations();
    const std::vector<AllocationIndex> live = allocations.liveAfter(event);
    const std::vector<LiveGroup> groups = groupByStack(allocations, live);
    const Bytes active = sumOf(groups);
    std::string text = printable(file) + ", device " + std::to_string(study.device().device);
    text += event < 0 ? ", before the first event" : ", after event " + formatCount(event);
    text += "\n" + formatBytes(active, unit) + " active in " +
            counted(static_cast<std::int64_t>(live.size()), "allocation") + " from " +
            counted(static_cast<std::int64_t>(groups.size()), "stack") + "\n";
    if (groups.empty())
        return text;

    FrameOrigins origins(trace);
    GroupRows rows;
    for (const LiveGroup &group : groups)
        rows.add({stackCell(trace, group.stack, origins, kStackWidth), group.bytes, group.count});
    return text + "\n" +
           groupTable(rows.sorted(), active, Cost::Live, true, "allocated in", "stacks", most,
                      unit);
}

} // namespace vramscope
