// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/finding.h"

#include "core/analysis/findings/leaks.h"
#include "core/analysis/replayed/address_space.h"
#include "core/analysis/replayed/rehearsal.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/study/study.h"

#include <algorithm>

namespace vramscope {

namespace {

using Kind = Finding::Kind;

// A smaller reserve at the end is normal for every allocator.
constexpr Bytes kOrdinaryReserve = 256 * kMiB;

void findRehearsal(const Trace &trace, std::vector<Finding> &found)
{
    if (const auto rehearsal = rehearsalOf(trace))
        found.push_back({Kind::Rehearsed, rehearsal->lackedBytes, std::ssize(rehearsal->assumed),
                         std::nullopt});
}

void findFailures(const Study &study, std::vector<Finding> &found)
{
    const std::vector<OutOfMemoryEvent> &events = study.device().outOfMemory;
    if (!events.empty())
        found.push_back({Kind::OutOfMemory, events.front().requested, std::ssize(events),
                         events.front().event});
}

void findLeak(const Study &study, std::vector<Finding> &found)
{
    const Leaks &leaks = study.leaks();
    if (leaks.leaks.empty())
        return;
    const Growth &most = leaks.leaks.front();
    found.push_back({Kind::Leak,
                     leaks.bySteps ? static_cast<Bytes>(most.bytesPerSample) : most.grown.bytes,
                     std::ssize(leaks.leaks), leaks.samples.back()});
}

void findStranded(const Study &study, std::vector<Finding> &found)
{
    const EventIndex event = study.space().mostStranded();
    const Bytes stranded = study.space().bandsAfter(event).stranded;
    if (stranded > kOrdinaryReserve)
        found.push_back({Kind::Stranded, stranded, 0, event});
}

void findContradictions(const Study &study, std::vector<Finding> &found)
{
    const Consistency &it = study.space().consistency();
    if (it == Consistency{})
        return;
    const auto count = it.contradictorySegments + it.unplaced + it.otherEnd + it.otherSize;
    found.push_back({Kind::Contradictions, 0, count, std::nullopt});
    if (it.firstUnplaced >= 0)
        found.back().event = it.firstUnplaced;
}

void findReserve(const Study &study, std::vector<Finding> &found)
{
    const DeviceSummary &summary = study.summary();
    const Bytes idle = wrappingDifference(summary.reservedEnd, summary.activeEnd);
    if (idle <= kOrdinaryReserve)
        return;
    found.push_back({Kind::IdleReserve, idle, 0, std::nullopt});
    if (summary.events > 0)
        found.back().event = static_cast<EventIndex>(summary.events) - 1;
}

void findBaseline(const Study &study, std::vector<Finding> &found)
{
    const DeviceSummary &summary = study.summary();
    if (summary.baseline != 0 && summary.events >= 2)
        found.push_back({Kind::LiveBefore, summary.baseline, 0, -1});
}

void findOverflow(const Trace &trace, std::vector<Finding> &found)
{
    const bool overflowed = std::ranges::any_of(trace.settings(), [](const Setting &setting) {
        return setting.name == "trace_alloc_overflowed" && setting.value == "true";
    });
    if (overflowed)
        found.push_back({Kind::Overflow, 0, 0, std::nullopt});
}

void findProblems(const Trace &trace, std::vector<Finding> &found)
{
    if (trace.problems().empty())
        return;
    std::int64_t count = 0;
    for (const Problem &problem : trace.problems())
        count += problem.count;
    found.push_back({Kind::Problems, 0, count, std::nullopt});
}

std::vector<Finding> collected(const Study &study, bool all)
{
    std::vector<Finding> found;
    findRehearsal(study.trace(), found);
    findFailures(study, found);
    if (all) {
        findLeak(study, found);
        findStranded(study, found);
        findContradictions(study, found);
    }
    findReserve(study, found);
    findBaseline(study, found);
    findOverflow(study.trace(), found);
    findProblems(study.trace(), found);
    return found;
}

} // namespace

const char *findingName(Finding::Kind kind)
{
    switch (kind) {
    case Kind::Rehearsed:
        return "rehearsed";
    case Kind::OutOfMemory:
        return "out_of_memory";
    case Kind::Leak:
        return "leak";
    case Kind::Stranded:
        return "stranded";
    case Kind::Contradictions:
        return "contradictions";
    case Kind::IdleReserve:
        return "idle_reserve";
    case Kind::LiveBefore:
        return "live_before";
    case Kind::Overflow:
        return "overflow";
    case Kind::Problems:
        break;
    }
    return "problems";
}

std::vector<Finding> findFindings(const Study &study)
{
    return collected(study, true);
}

std::vector<Finding> findingsSoFar(const Study &study)
{
    return study.isMade(Study::Part::Findings) ? study.findings() : collected(study, false);
}

} // namespace vramscope
