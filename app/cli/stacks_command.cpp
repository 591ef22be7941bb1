// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/trace_input.h"
#include "app/cli/trace_sources.h"
#include "core/analysis/categories/categories.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/base/path_text.h"
#include "core/base/text_file.h"
#include "core/print/stacks_report.h"

#include <array>
#include <filesystem>
#include <iostream>
#include <optional>

namespace vramscope::cli {

namespace {

constexpr std::size_t kShownGroups = 40;

// The request from the options.
struct Query
{
    GroupBy by = GroupBy::Stack;
    Cost cost = Cost::Peak;
    std::string at = "peak";
    std::optional<CallTree::Direction> direction; // none: groups
    bool several = false;                         // several files, or a folder
    bool oneDevice = false;                       // of each file
    bool folded = false;
    bool speedscope = false;
    FrameFilter filter = defaultFrameFilter();
    std::optional<std::vector<CategoryRule>> rules; // instead of those that ship
    std::size_t most = kShownGroups;
};

Error invalidOption(std::string_view option, const std::string &text)
{
    return invalid(std::string(option) + ": " + text);
}

Result<void> parseCost(Query &query, const Arguments &arguments)
{
    if (arguments.has("--at")) {
        query.at = arguments.value("--at");
        if (query.at != "peak")
            query.cost = Cost::Live;
    }
    if (!arguments.has("--cost"))
        return {};
    const std::optional<Cost> cost = costNamed(arguments.value("--cost"));
    if (!cost)
        return invalidOption("--cost", "there are live, peak, byte-time, total, temporary and "
                                       "never-freed");
    if (arguments.has("--at") && *cost != Cost::Live)
        return invalidOption("--at", "it is the moment of --cost live; of " +
                                         std::string(costName(*cost)) +
                                         " there is none, leave one of the two out");
    query.cost = *cost;
    return {};
}

/// Rejects options that contradict each other, or that would have no effect.
Result<void> checkTogether(const Arguments &arguments)
{
    const auto both = [&](std::string_view a, std::string_view b) {
        return arguments.has(a) && arguments.has(b);
    };
    for (const std::string_view form : {"--json", "--folded"}) {
        if (both(form, "--speedscope") || (form == "--json" && both(form, "--folded")))
            return invalidOption(form, "one output has one form; give one of --json, --folded and "
                                       "--speedscope");
    }
    const bool isTree =
        arguments.has("--tree") || arguments.has("--folded") || arguments.has("--speedscope");
    if (isTree && arguments.value("--by", "stack") != "stack")
        return invalidOption("--by",
                             "trees, folded stacks and profiles are of stacks; leave it out");
    if (isTree && arguments.has("--top"))
        return invalidOption("--top",
                             "it shortens tables; leave it out of trees, folded stacks and "
                             "profiles");
    for (const std::string_view rule : {"--hide", "--show"}) {
        if (!isTree && arguments.has(rule))
            return invalidOption(rule,
                                 "it takes frames out of trees or keeps them; add --tree, --folded "
                                 "or --speedscope");
    }
    if (arguments.has("--rules") && arguments.value("--by") != "category")
        return invalidOption("--rules", "they make categories; add --by category");
    return {};
}

Result<void> parseTree(Query &query, const Arguments &arguments)
{
    query.folded = arguments.has("--folded");
    query.speedscope = arguments.has("--speedscope");
    const std::string_view direction = arguments.value("--tree", "top-down");
    if (direction != "top-down" && direction != "bottom-up")
        return invalidOption("--tree", "there are top-down and bottom-up");
    if (arguments.has("--tree") || query.folded || query.speedscope)
        query.direction =
            direction == "top-down" ? CallTree::Direction::TopDown : CallTree::Direction::BottomUp;
    // User rules take precedence over those that ship, in the order given.
    std::vector<FrameRule> rules;
    for (const Arguments::Given &given : arguments.options) {
        if (given.name != "--hide" && given.name != "--show")
            continue;
        auto rule = parseFrameRule(given.value, given.name == "--hide");
        if (!rule.ok())
            return invalidOption(given.name, rule.error().detail);
        rules.push_back(std::move(*rule));
    }
    query.filter.rules.insert(query.filter.rules.begin(), rules.begin(), rules.end());
    return {};
}

Result<Query> parse(const Arguments &arguments)
{
    Query query;
    if (const std::optional<GroupBy> by = groupByNamed(arguments.value("--by", "stack")))
        query.by = *by;
    else
        return invalidOption("--by",
                             "there are stack, frame, size, category, stream, pool, annotation, "
                             "step and metadata");
    if (const Result<void> together = checkTogether(arguments); !together.ok())
        return together.error();
    if (const Result<void> cost = parseCost(query, arguments); !cost.ok())
        return cost.error();
    if (const Result<void> tree = parseTree(query, arguments); !tree.ok())
        return tree.error();
    const Result<std::size_t> most = topOf(arguments, kShownGroups);
    if (!most.ok())
        return most.error();
    query.most = *most;
    query.oneDevice = arguments.has("--device");
    std::error_code ignored; // opening reports files that do not exist
    query.several = arguments.files.size() > 1 ||
                    std::filesystem::is_directory(pathOf(arguments.files.front()), ignored);
    return query;
}

std::string treeOutput(const Study &study, const Query &query, std::optional<EventIndex> at,
                       const Printing &as)
{
    const EventIndex peak = study.curve().peakActiveEvent();
    const EventIndex live = at.value_or(peak);
    const CostMeter meter(study.device(), study.allocations(), live, peak);
    const CallTree tree(study.trace(), costsByStack(study.trace(), meter), *query.direction,
                        query.filter);
    const PrintedTree printed{
        study, tree, as.file, *query.direction, query.cost, query.cost == Cost::Live ? live : peak};
    if (query.folded)
        return foldedStacks(printed, query.several ||
                                         (!query.oneDevice && study.trace().devices().size() > 1));
    if (query.speedscope)
        return speedscopeJson(printed);
    return as.json ? treeJson(printed) : treeText(printed, as.unit);
}

std::string groupsOutput(const Study &study, const Query &query, std::optional<EventIndex> at,
                         const Printing &as)
{
    std::optional<Categories> categories;
    if (query.by == GroupBy::Category && query.rules)
        categories = categorize(study.trace(), study.device(), study.allocations(), *query.rules);
    const GroupedCosts grouped =
        groupCosts(study, as.file, query.by, query.cost, at ? *at : study.curve().peakActiveEvent(),
                   categories ? &*categories : nullptr);
    return as.json ? groupsJson(grouped) : groupsText(grouped, query.most, as.unit);
}

int runStacks(const Arguments &arguments)
{
    if (arguments.has("--print-rules")) {
        std::cout << categoryRulesToJson(defaultCategoryRules());
        return kSuccess;
    }
    if (arguments.files.empty())
        return badArguments("stacks", "needs FILE…; see vramscope-cli stacks --help");
    Result<Query> query = parse(arguments);
    if (!query.ok())
        return badArguments("stacks", query.error().text());
    if (arguments.has("--rules")) {
        const std::string path(arguments.value("--rules"));
        const auto text = readTextFile(pathOf(path), kLongestRules);
        auto rules = text.ok() ? categoryRulesFromJson(*text)
                               : Result<std::vector<CategoryRule>>(text.error());
        if (!rules.ok())
            return complainOf(path, rules.error().text(), arguments.has("--redact"));
        query->rules = std::move(*rules);
    }
    // Profiles for other programs follow each other without blank lines.
    std::vector<std::string> profiles; // of all devices, for one file
    const TextTaker gather = [&](std::string text) { profiles.push_back(std::move(text)); };
    const TextTaker printLine = [](const std::string &text) { std::cout << text << '\n'; };
    const int status = reportDevices(
        "stacks", arguments,
        [&](const Study &study, const Printing &as) -> Result<std::string> {
            const auto at = momentOf(query->at, study.device());
            if (!at.ok())
                return at.error();
            return query->direction ? treeOutput(study, *query, *at, as)
                                    : groupsOutput(study, *query, *at, as);
        },
        query->speedscope ? gather
        : query->folded   ? printLine
                          : TextTaker());
    if (!profiles.empty() && status != kBadArguments)
        std::cout << joinedSpeedscope(profiles) << '\n';
    return status;
}

constexpr std::array kStacksOptions{
    kDeviceOption,
    Option{"--by", "WHAT",
           "stack, frame, size, category, stream, pool, annotation, step or metadata (what the "
           "program noted; of a rehearsal the module)"},
    Option{"--cost", "COST", "live, peak, byte-time, total, temporary or never-freed"},
    Option{"--at", "EVENT", "what is alive after it; -1: before the first; peak, end"},
    kTopOption,
    Option{"--tree", "WAY", "a call tree instead: top-down or bottom-up"},
    Option{"--hide", "FRAMES", "leave out of trees: a text, /a regex/ or @framework, @library",
           true},
    Option{"--show", "FRAMES", "keep in trees what a later rule would hide; may be repeated", true},
    Option{"--folded", "", "folded stacks, for flame graph scripts"},
    Option{"--speedscope", "", "a file for speedscope.app, with a profile of each device"},
    Option{"--rules", "FILE", "the rules for --by category, instead of those that ship"},
    Option{"--print-rules", "", "write the rules that ship, as a start for one's own"},
    kReportOptions[0],
    kReportOptions[1],
    kRedactOption,
};

} // namespace

const Subcommand kStacksCommand{{"stacks", "FILE|FOLDER…",
                                 "What costs memory, by stack, frame, size, category, …", 0,
                                 kAnyNumber, kStacksOptions},
                                runStacks};

} // namespace vramscope::cli
