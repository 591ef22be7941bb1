// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What users write to say what is what: rules of categories and of kernels as documents, rules of
// frames, the filters of allocations and ranks, settings of the allocator. Each is an error or
// holds for a recording, and a document is written as it was read. The first byte of an input says
// what the rest is.

#include "core/analysis/categories/allocation_filter.h"
#include "core/analysis/categories/categories.h"
#include "core/analysis/costs/call_tree.h"
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/study/study.h"
#include "core/analysis/what_if/what_if.h"
#include "core/print/profile_report.h"
#include "core/print/replay_report.h"
#include "core/print/stacks_report.h"
#include "core/profile/profile_study.h"
#include "core/profile/work_rules.h"
#include "core/ranks/rank_filter.h"
#include "core/readers/read_trace.h"
#include "core/simulator/allocator_settings.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/text_check.h"
#include "tests/support/random_snapshot.h"
#include "tests/support/rank_run.h"
#include "tests/support/sample_profile.h"

using namespace vramscope;
using fuzz::check;

namespace {

const Study &study()
{
    static const Study made = [] {
        const std::string bytes = test::pickled(test::randomSnapshot(3));
        auto trace = readTrace(fuzz::bytesOf(bytes)).value();
        return Study(trace, trace->devices().front());
    }();
    return made;
}

void checkCategoryRules(std::string_view text)
{
    const auto rules = categoryRulesFromJson(text);
    if (!rules)
        return check(!rules.error().text().empty());
    const auto again = categoryRulesFromJson(categoryRulesToJson(*rules));
    check(again.ok() && *again == *rules);
    const Categories categories =
        categorize(study().trace(), study().device(), study().allocations(), *rules);
    const GroupedCosts grouped = groupCosts(study(), "file", GroupBy::Category, Cost::Peak,
                                            study().curve().peakActiveEvent(), &categories);
    fuzz::checkText(groupsText(grouped, 0));
    fuzz::checkJsonText(groupsJson(grouped));
}

void checkWorkRules(std::string_view text)
{
    const auto rules = workRulesFromJson(text);
    if (!rules)
        return check(!rules.error().text().empty());
    const auto again = workRulesFromJson(workRulesJson(*rules));
    check(again.ok() && *again == *rules);
    const ProfileStudy profile(test::twoStepProfile(), *rules);
    fuzz::checkText(profileText(profile, {"file"}));
    fuzz::checkJsonText(profileJson(profile, {"file"}));
}

void checkFrameRules(std::string_view text)
{
    FrameFilter filter;
    while (!text.empty()) { // a rule a line; "-" hides
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        const bool hide = line.starts_with('-');
        if (auto rule = parseFrameRule(line.substr(hide ? 1 : 0), hide))
            filter.rules.push_back(std::move(*rule));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    const Trace &trace = study().trace();
    check(shownFrames(trace, filter).size() == trace.frameCount());
    const EventIndex peak = study().curve().peakActiveEvent();
    const CostMeter meter(study().device(), study().allocations(), peak, peak);
    const auto costs = costsByStack(trace, meter);
    for (const auto direction : {CallTree::Direction::TopDown, CallTree::Direction::BottomUp}) {
        const CallTree tree(trace, costs, direction, filter);
        check(tree.total(CallTree::kRoot) ==
              CallTree(trace, costs, direction, {}).total(CallTree::kRoot));
        fuzz::checkJsonText(treeJson({study(), tree, "file", direction, Cost::Peak, peak}));
    }
}

void checkAllocationFilter(std::string_view text)
{
    const auto filter = parseAllocationFilter(text);
    if (!filter)
        return check(!filter.error().text().empty());
    const auto again = parseAllocationFilter(text);
    check(again.ok() && *again == *filter);
    check(keptBy(*filter, study(), 0).size() == study().allocations().count());
}

void checkRankFilter(std::string_view text)
{
    static const RunStudy ranks = [] {
        CollectedRuns runs;
        const test::RankRun made{.ranks = 16, .stages = 4, .failing = 5, .beside = 2, .later = 9};
        for (int rank = 0; rank < made.ranks; ++rank) {
            const std::string bytes = test::rankSnapshot(made, rank).bytes;
            const auto trace = readTrace(fuzz::bytesOf(bytes));
            const auto devices = summarize(*trace, summarySourceOf(made.fileName(rank), {}));
            for (const SummarizedDevice &device : *devices)
                runs.run.add(device);
        }
        return runStudy("run.vramranks", runs);
    }();
    const auto filter = parseRankFilter(text);
    if (!filter)
        return check(!filter.error().text().empty());
    for (std::size_t rank = 0; rank < ranks.count(); ++rank)
        (void)keeps(*filter, ranks, rank);
}

void checkAllocatorSettings(const std::string &text)
{
    const ConfiguredSettings made = configuredSettings(text);
    for (const SettingIssue &issue : made.issues)
        check(!issue.text.empty());
    const std::vector<std::string> configurations{text};
    const auto others = whatIf(study(), configurations, kGiB);
    check(others.has_value() && others->others.size() == 1);
    fuzz::checkText(replayText(study(), &*others, "file"));
    fuzz::checkJsonText(replayJson(study(), &*others, "file"));
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    if (size == 0)
        return 0;
    const std::string text(reinterpret_cast<const char *>(data) + 1, size - 1);
    switch (data[0] % 6) {
    case 0:
        checkCategoryRules(text);
        break;
    case 1:
        checkWorkRules(text);
        break;
    case 2:
        checkFrameRules(text);
        break;
    case 3:
        checkAllocationFilter(text);
        break;
    case 4:
        checkRankFilter(text);
        break;
    default:
        checkAllocatorSettings(text);
        break;
    }
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    const auto &categories = defaultCategoryRules();
    const auto &work = defaultWorkRules();
    return {'\0' + categoryRulesToJson(categories),
            '\0' + categoryRulesToJson({categories.begin(), categories.begin() + 3}),
            '\1' + workRulesJson(work),
            '\1' + workRulesJson({work.begin(), work.begin() + 2}),
            "\1" + workRulesJson({{.pattern = "^a_?b*c|gemm"}}),
            "\2@user\n-@plumbing\n-/^torch.*(linear|conv)[0-9]{1,3}$/\ntrain.py\n",
            "\3size>10MiB size<=2GB life>2ms life>100ev category:activations freed",
            "\3\"train step\" frame:/for.*d/ stream:0 pool:private stack:12 alive:30 unfreed",
            "\4peak>70GiB reserved<=80GB growth>16MiB rank>=4 node:002 group:1 oom outlier",
            "\4compute<50% wait>5ms steptime>1.2s late device:5 step:12 word",
            "\5expandable_segments:True,max_split_size_mb:128",
            "\5garbage_collection_threshold:0.8,roundup_power2_divisions:[256:1,512:2,>:8]",
            "\5backend:cudaMallocAsync,per_process_memory_fraction:0.5"};
}
