// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/study/study.h"
#include "core/base/counted.h"
#include "core/base/json_text.h"
#include "core/print/json_parts.h"
#include "core/print/stacks_report.h"

#include <algorithm>
#include <numeric>
#include <unordered_map>

namespace vramscope {

namespace {

Json wideJson(Wide number)
{
    constexpr Wide kMost = std::numeric_limits<std::int64_t>::max();
    const bool fits = number >= -kMost && number <= kMost;
    return fits ? Json(static_cast<std::int64_t>(number)) : Json(static_cast<double>(number));
}

Json costsJson(const Costs &costs)
{
    return {{"live", tallyJson(costs.live)},
            {"peak", tallyJson(costs.peak)},
            {"total", tallyJson(costs.total)},
            {"temporary", tallyJson(costs.temporary)},
            {"never_freed", tallyJson(costs.neverFreed)},
            {"allocations", costs.allocations},
            {"byte_time", wideJson(costs.amount(Cost::ByteTime))}};
}

std::vector<std::size_t> largestFirst(const std::vector<Costs> &costs, Cost cost)
{
    std::vector<std::size_t> order(costs.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return costs[a].amount(cost) > costs[b].amount(cost);
    });
    return order;
}

} // namespace

std::string groupsJson(const GroupedCosts &grouped)
{
    const Trace &trace = grouped.study.trace();
    Json groups = Json::array();
    for (const std::size_t at : largestFirst(grouped.costs, grouped.cost)) {
        const GroupKey &key = grouped.keys.keys[at];
        Json group{{"text", key.text}, {"costs", costsJson(grouped.costs[at])}};
        if (grouped.by == GroupBy::Stack)
            group["frames"] = framesJson(trace, key.stack);
        groups.push_back(std::move(group));
    }
    const Costs sum = std::accumulate(grouped.costs.begin(), grouped.costs.end(), Costs{});
    Json json{{"file", grouped.file},
              {"device", grouped.study.device().device},
              {"by", groupByName(grouped.by)},
              {"cost", costName(grouped.cost)},
              {"live_event", grouped.live},
              {"peak_event", grouped.peak},
              {"byte_time_unit", grouped.study.hasTimes() ? "byte-microseconds" : "byte-events"},
              {"total", costsJson(sum)},
              {"groups", std::move(groups)}};
    if (grouped.by == GroupBy::Frame) {
        json["inclusive"] = Json::array();
        for (const std::size_t at : largestFirst(grouped.inclusive, grouped.cost)) {
            if (grouped.inclusive[at] == Costs{})
                continue;
            Json frame = frameJson(trace, static_cast<FrameId>(at));
            frame["costs"] = costsJson(grouped.inclusive[at]);
            json["inclusive"].push_back(std::move(frame));
        }
    }
    return jsonText(json);
}

std::string treeJson(const PrintedTree &printed)
{
    const CallTree &tree = printed.tree;
    Json nodes = Json::array();
    for (CallTree::NodeIndex at = 0; at < tree.size(); ++at) {
        const CallTree::Node &node = tree.node(at);
        const bool isRoot = at == CallTree::kRoot;
        Json json{{"parent", isRoot ? Json() : Json(node.parent)}};
        json.update(isRoot ? Json{{"name", ""}, {"file", ""}, {"line", 0}}
                           : frameJson(printed.study.trace(), node.frame));
        json["self"] = costsJson(tree.self(at));
        json["total"] = costsJson(tree.total(at));
        nodes.push_back(std::move(json));
    }
    const bool topDown = printed.direction == CallTree::Direction::TopDown;
    return jsonText({{"file", printed.file},
                     {"device", printed.study.device().device},
                     {"direction", topDown ? "top-down" : "bottom-up"},
                     {"cost", costName(printed.cost)},
                     {"event", printed.moment},
                     {"nodes", std::move(nodes)}});
}

std::string speedscopeJson(const PrintedTree &printed)
{
    const CallTree &tree = printed.tree;
    std::unordered_map<FrameId, std::size_t> places;
    Json frames = Json::array();
    const auto placeOf = [&](FrameId id) {
        const auto [place, isNew] = places.try_emplace(id, frames.size());
        if (isNew) {
            const Frame &frame = printed.study.trace().frame(id);
            Json json{{"name", cutFrameText(printed.study.trace().text(frame.name))}};
            if (frame.file != StringId::Empty)
                json["file"] = cutFrameText(printed.study.trace().text(frame.file));
            if (frame.line > 0)
                json["line"] = frame.line;
            frames.push_back(std::move(json));
        }
        return place->second;
    };
    Json samples = Json::array();
    Json weights = Json::array();
    Wide sum = 0;
    std::vector<std::size_t> path;
    for (CallTree::NodeIndex node = 0; node < tree.size(); ++node) {
        const Wide own = tree.self(node).amount(printed.cost);
        if (own <= 0)
            continue;
        path.clear();
        for (CallTree::NodeIndex at = node; at != CallTree::kRoot; at = tree.node(at).parent)
            path.push_back(placeOf(tree.node(at).frame));
        std::ranges::reverse(path);
        samples.push_back(path);
        weights.push_back(wideJson(own));
        sum += own;
    }
    const std::string name = printed.file + ", device " +
                             std::to_string(printed.study.device().device) + ", " +
                             std::string(costName(printed.cost));
    const bool isTime = printed.cost == Cost::ByteTime;
    const Json profile{{"type", "sampled"},
                       {"name", name},
                       {"unit", isTime ? "none" : "bytes"},
                       {"startValue", 0},
                       {"endValue", wideJson(sum)},
                       {"samples", std::move(samples)},
                       {"weights", std::move(weights)}};
    return jsonText({{"$schema", "https://www.speedscope.app/file-format-schema.json"},
                     {"shared", {{"frames", std::move(frames)}}},
                     {"profiles", Json::array({profile})},
                     {"name", name},
                     {"activeProfileIndex", 0},
                     {"exporter", "VRAMscope"}});
}

std::string joinedSpeedscope(const std::vector<std::string> &files)
{
    if (files.size() == 1)
        return files.front();
    std::unordered_map<std::string, std::size_t> places;
    Json frames = Json::array();
    Json profiles = Json::array();
    Json joined;
    for (const std::string &text : files) {
        Json file = parsedJson(text);
        std::vector<std::size_t> placeOf;
        for (Json &frame : file["shared"]["frames"]) {
            const auto [place, isNew] = places.try_emplace(frame.dump(), frames.size());
            if (isNew)
                frames.push_back(std::move(frame));
            placeOf.push_back(place->second);
        }
        for (Json &profile : file["profiles"]) {
            for (Json &sample : profile["samples"]) {
                for (Json &frame : sample)
                    frame = placeOf[frame.get<std::size_t>()];
            }
            profiles.push_back(std::move(profile));
        }
        if (joined.is_null())
            joined = std::move(file);
    }
    joined["name"] = counted(std::ssize(profiles), "device");
    joined["shared"]["frames"] = std::move(frames);
    joined["profiles"] = std::move(profiles);
    return jsonText(joined);
}

} // namespace vramscope
