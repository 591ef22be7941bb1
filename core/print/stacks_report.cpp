// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/stacks_report.h"

#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/study/study.h"
#include "core/base/text.h"
#include "core/describe/trace_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/table/text_table.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

namespace {

constexpr std::size_t kDeepestIndent = 36; // what is deeper goes on there
constexpr Wide kShownParts = 200;          // a node of the tree is shown from 1/200 of the whole

std::string momentText(Cost cost, EventIndex event)
{
    if (cost != Cost::Live && cost != Cost::Peak)
        return {};
    return ", " + eventPlace(event);
}

std::string costText(Cost cost)
{
    switch (cost) {
    case Cost::Live:
        return "alive";
    case Cost::Peak:
        return "alive at the peak";
    case Cost::ByteTime:
        return "bytes × time";
    case Cost::Total:
        return "allocated in all";
    case Cost::Temporary:
        return "allocated and freed";
    case Cost::NeverFreed:
        return "never freed";
    }
    return {};
}

// Places in `costs` with the cost, the largest first.
std::vector<std::size_t> ordered(const std::vector<Costs> &costs, Cost cost)
{
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < costs.size(); ++at) {
        if (costs[at].amount(cost) != 0 || costs[at].count(cost) != 0)
            order.push_back(at);
    }
    std::ranges::stable_sort(order, [&](std::size_t a, std::size_t b) {
        return costs[a].amount(cost) > costs[b].amount(cost);
    });
    return order;
}

Costs sumOf(const std::vector<Costs> &costs)
{
    return std::accumulate(costs.begin(), costs.end(), Costs{});
}

std::string keyCell(const GroupedCosts &grouped, std::size_t key, FrameOrigins &origins)
{
    const std::size_t width = kStackWidth - (grouped.cost == Cost::ByteTime ? 8 : 0);
    const GroupKey &group = grouped.keys.keys[key];
    if (grouped.by == GroupBy::Stack)
        return stackCell(grouped.study.trace(), group.stack, origins, width);
    if (grouped.by == GroupBy::Frame) {
        const auto best = origins.best(group.stack);
        return best ? frameCell(grouped.study.trace(), *best, width) : group.text;
    }
    return elided(printable(group.text), width);
}

void addInclusive(std::string &text, const GroupedCosts &grouped, Wide whole, std::size_t most,
                  ByteUnit unit)
{
    const std::vector<std::size_t> order = ordered(grouped.inclusive, grouped.cost);
    FrameOrigins origins(grouped.study.trace());
    std::vector<GroupRow> rows;
    for (const std::size_t at : order) {
        const auto frame = static_cast<FrameId>(at);
        if (origins.of(frame) != FrameOrigin::Plumbing)
            rows.push_back({frameCell(grouped.study.trace(), frame, kStackWidth),
                            grouped.inclusive[at].amount(grouped.cost),
                            grouped.inclusive[at].count(grouped.cost)});
    }
    // Frames hold each other: there are no others to add up.
    rows = mergedRows(std::move(rows));
    rows.resize(shownRows(rows.size(), most));
    text += "\n" + terminalText(groupTable(rows, {.whole = whole,
                                                  .cost = grouped.cost,
                                                  .isTimed = grouped.study.hasTimes(),
                                                  .head = "anywhere on the stack",
                                                  .plural = "frames",
                                                  .unit = unit}));
}

// What stands before a node of a printed tree, and before those below it. A frame that is alone
// below another goes on at its indent.
template<class IsShown>
std::pair<std::string_view, std::string_view> branchAt(const CallTree &tree,
                                                       CallTree::NodeIndex node, IsShown isShown)
{
    const CallTree::NodeIndex parent = tree.node(node).parent;
    bool isAlone = true;
    for (CallTree::NodeIndex at = parent + 1; at < tree.node(parent).end; at = tree.node(at).end)
        isAlone = isAlone && (at == node || !isShown(at));
    if (isAlone)
        return {};
    for (CallTree::NodeIndex at = tree.node(node).end; at < tree.node(parent).end;
         at = tree.node(at).end) {
        if (isShown(at))
            return {"├ ", "│ "};
    }
    return {"└ ", "  "};
}

// The line of a node among those of folded stacks.
std::string foldedName(const Trace &trace, FrameId id)
{
    const Frame &frame = trace.frame(id);
    std::string text = printable(shownName(cutFrameText(trace.text(frame.name))));
    const std::string file = printable(cutFrameText(fileName(trace.text(frame.file))));
    if (!file.empty() && file != "??")
        text += " (" + file + (frame.line > 0 ? ":" + std::to_string(frame.line) : "") + ")";
    std::ranges::replace(text, ';', ',');
    return text;
}

std::string decimal(Wide number)
{
    if (number <= 0)
        return "0";
    std::string digits;
    for (; number > 0; number /= 10)
        digits += static_cast<char>('0' + static_cast<int>(number % 10));
    std::ranges::reverse(digits);
    return digits;
}

} // namespace

GroupedCosts groupCosts(const Study &study, const std::string &file, GroupBy by, Cost cost,
                        EventIndex live, const Categories *categories)
{
    const EventIndex peak = study.curve().peakActiveEvent();
    const CostMeter meter(study.device(), study.allocations(), live, peak);
    const bool isOther = by == GroupBy::Category && categories;
    GroupedCosts grouped{study, file, by, cost, live, peak, {}, {}, {}};
    grouped.keys = isOther ? keysByCategory(study.allocations(), *categories) : keysBy(by, study);
    grouped.costs = costsByKey(grouped.keys, meter);
    if (by == GroupBy::Frame)
        grouped.inclusive =
            inclusiveCostsByFrame(study.trace(), costsByStack(study.trace(), meter));
    return grouped;
}

std::string groupsText(const GroupedCosts &grouped, std::size_t most, ByteUnit unit)
{
    const std::vector<std::size_t> order = ordered(grouped.costs, grouped.cost);
    const Costs sum = sumOf(grouped.costs);
    const Wide whole = sum.amount(grouped.cost);
    const auto amount = [&](Wide value) {
        return formatAmount(value, grouped.cost, grouped.study.hasTimes(), unit);
    };
    std::string text =
        printable(grouped.file) + ", device " + std::to_string(grouped.study.device().device) +
        ": " + costText(grouped.cost) +
        momentText(grouped.cost, grouped.cost == Cost::Peak ? grouped.peak : grouped.live) +
        ", by " + std::string(groupByName(grouped.by)) + "\n";
    text += amount(whole) + " in " + counted(sum.count(grouped.cost), "allocation") + ", " +
            counted(std::ssize(order), "group") + "\n";
    if (order.empty())
        return text;

    FrameOrigins origins(grouped.study.trace());
    std::vector<GroupRow> rows;
    for (const std::size_t at : order)
        rows.push_back({keyCell(grouped, at, origins), grouped.costs[at].amount(grouped.cost),
                        grouped.costs[at].count(grouped.cost)});
    GroupLook look{.whole = whole,
                   .cost = grouped.cost,
                   .isTimed = grouped.study.hasTimes(),
                   .most = most,
                   .unit = unit};
    if (grouped.by != GroupBy::Stack) {
        look.head = groupByName(grouped.by);
        look.plural = "groups";
    }
    text += "\n" + terminalText(groupTable(mergedRows(std::move(rows)), look));
    if (grouped.by == GroupBy::Frame)
        addInclusive(text, grouped, whole, most, unit);
    return text;
}

std::string treeText(const PrintedTree &printed, ByteUnit unit)
{
    const CallTree &tree = printed.tree;
    const Wide whole = tree.total(CallTree::kRoot).amount(printed.cost);
    const auto amount = [&](Wide value) {
        return formatAmount(value, printed.cost, printed.study.hasTimes(), unit);
    };
    const bool topDown = printed.direction == CallTree::Direction::TopDown;
    std::string text =
        printable(printed.file) + ", device " + std::to_string(printed.study.device().device) +
        ": " + costText(printed.cost) + momentText(printed.cost, printed.moment) +
        (topDown ? ", from the outermost frame down\n" : ", from the allocating frame up\n");
    text += amount(whole) + "; what has less than 0.5 % is left out\n";
    if (whole <= 0)
        return text;

    const auto isShown = [&](CallTree::NodeIndex node) {
        return tree.total(node).amount(printed.cost) * kShownParts >= whole;
    };
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Left});
    table.addRow({"total", "share", "own", "frame"});
    // The nodes above, each with what stands before those below it.
    std::vector<std::pair<CallTree::NodeIndex, std::string>> above{{CallTree::kRoot, {}}};
    for (CallTree::NodeIndex node = CallTree::kRoot + 1; node < tree.size();) {
        if (!isShown(node)) {
            node = tree.node(node).end; // nor is anything below it
            continue;
        }
        while (above.back().first != tree.node(node).parent)
            above.pop_back();
        const auto [sign, below] = branchAt(tree, node, isShown);
        const std::string &indent = above.back().second;
        const Wide total = tree.total(node).amount(printed.cost);
        const Wide own = tree.self(node).amount(printed.cost);
        const std::size_t room = kStackWidth - 2 - characters(indent) - characters(sign);
        table.addRow({amount(total), formatShare(total, whole), own == 0 ? "" : amount(own),
                      indent + std::string(sign) +
                          frameCell(printed.study.trace(), tree.node(node).frame, room)});
        std::string next = indent;
        if (characters(indent) < kDeepestIndent)
            next += below;
        above.emplace_back(node, std::move(next));
        ++node;
    }
    return text + "\n" + table.text();
}

std::string foldedStacks(const PrintedTree &printed, bool named)
{
    const CallTree &tree = printed.tree;
    std::string root;
    if (named) {
        root =
            printable(printed.file) + ", device " + std::to_string(printed.study.device().device);
        std::ranges::replace(root, ';', ',');
        root += ';';
    }
    std::string text;
    std::vector<CallTree::NodeIndex> path;
    for (CallTree::NodeIndex node = 0; node < tree.size(); ++node) {
        const Wide own = tree.self(node).amount(printed.cost);
        if (own <= 0)
            continue;
        path.clear();
        for (CallTree::NodeIndex at = node; at != CallTree::kRoot; at = tree.node(at).parent)
            path.push_back(at);
        text += root;
        if (path.empty())
            text += "(no stack recorded)";
        for (auto at = path.rbegin(); at != path.rend(); ++at)
            text += (at == path.rbegin() ? "" : ";") +
                    foldedName(printed.study.trace(), tree.node(*at).frame);
        text += " " + decimal(own) + "\n";
    }
    return text;
}

} // namespace vramscope
