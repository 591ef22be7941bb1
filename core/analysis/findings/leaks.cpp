// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/findings/leaks.h"

#include <algorithm>
#include <array>
#include <optional>
#include <span>

namespace vramscope {

namespace {

constexpr std::size_t kWindows = 16;
constexpr std::size_t kLeastAllocations = 16 * kWindows;

// An allocation that samples [from, to) see.
struct Seen
{
    StackId stack;
    std::uint32_t from;
    std::uint32_t to;
    Bytes size;
};

std::vector<Seen> seenAt(const std::vector<EventIndex> &samples, const Allocations &allocations)
{
    std::vector<Seen> found;
    std::size_t from = 0;
    for (AllocationIndex index = 0; index < allocations.count(); ++index) {
        const auto at = static_cast<std::size_t>(index);
        while (from < samples.size() && samples[from] < allocations.birth[at])
            ++from;
        if (from == samples.size())
            break;
        if (samples[from] >= allocations.death[at])
            continue;
        const auto to = std::ranges::lower_bound(samples, allocations.death[at]) - samples.begin();
        found.push_back({allocations.stack[at], static_cast<std::uint32_t>(from),
                         static_cast<std::uint32_t>(to), allocations.requested[at]});
    }
    std::ranges::stable_sort(found, {}, &Seen::stack);
    return found;
}

// A sample at which the live memory of a stack changes, and its new value.
struct Change
{
    std::size_t sample;
    Tally alive;
};

std::vector<Change> changesOf(std::span<const Seen> seen, std::size_t samples)
{
    struct Delta
    {
        std::size_t sample;
        Tally tally;
    };
    std::vector<Delta> deltas;
    for (const Seen &each : seen) {
        deltas.push_back({each.from, {each.size, 1}});
        if (each.to < samples)
            deltas.push_back({each.to, {wrappingDifference(0, each.size), -1}});
    }
    std::ranges::sort(deltas, {}, &Delta::sample);
    std::vector<Change> changes;
    Tally alive;
    for (std::size_t at = 0; at < deltas.size();) {
        const std::size_t sample = deltas[at].sample;
        const Tally before = alive;
        for (; at < deltas.size() && deltas[at].sample == sample; ++at)
            alive += deltas[at].tally;
        if (alive != before)
            changes.push_back({sample, alive});
    }
    return changes;
}

// Growth of one stack since the first sample, and whether it goes on.
struct Judgement
{
    Growth growth;
    bool goesOn = false;
};

// The regularity of increases: the usual and the longest pause between them, in samples.
struct Pauses
{
    double usual = 0;
    double longest = 0;
};

Pauses pausesOf(const std::vector<std::size_t> &increases, std::size_t samples)
{
    if (increases.size() < 2)
        return {static_cast<double>(samples), 0};
    const auto span = static_cast<double>(increases.back() - increases.front());
    Pauses pauses{span / static_cast<double>(increases.size() - 1), 0};
    for (std::size_t at = 1; at < increases.size(); ++at)
        pauses.longest =
            std::max(pauses.longest, static_cast<double>(increases[at] - increases[at - 1]));
    return pauses;
}

std::optional<Judgement> judgeSite(StackId stack, const std::vector<Change> &changes,
                                   std::size_t samples, const LeakThresholds &thresholds)
{
    Tally first;
    Tally last;
    Bytes highest = 0;
    std::vector<std::size_t> increases;
    for (const Change &change : changes) {
        if (change.sample == 0)
            first = change.alive;
        else if (change.alive.bytes > last.bytes)
            increases.push_back(change.sample);
        last = change.alive;
        highest = std::max(highest, change.alive.bytes);
    }
    Judgement judgement;
    Growth &growth = judgement.growth;
    growth.stack = stack;
    growth.grown = last;
    growth.grown -= first;
    growth.increases = increases.size();
    if (increases.empty() || growth.grown.bytes <= 0 || growth.grown.count <= 0 ||
        static_cast<double>(highest - last.bytes) >
            thresholds.mostLost * static_cast<double>(growth.grown.bytes))
        return std::nullopt;
    growth.firstSample = increases.front();
    const auto covered = static_cast<double>(samples - increases.front());
    growth.bytesPerSample = static_cast<double>(growth.grown.bytes) / covered;
    growth.countPerSample = static_cast<double>(growth.grown.count) / covered;

    const Pauses pauses = pausesOf(increases, samples);
    const auto since = static_cast<double>(samples - 1 - increases.back());
    const auto later = static_cast<std::size_t>(
        std::ranges::count_if(increases, [](std::size_t sample) { return sample > 1; }));
    // One allocation that is larger each time is no growth of what is kept.
    const bool adds = 2 * growth.grown.count >= static_cast<std::int64_t>(increases.size());
    judgement.goesOn = later >= thresholds.leastIncreases && adds &&
                       growth.grown.bytes >= thresholds.leastGrown &&
                       since <= thresholds.mostPause * pauses.usual &&
                       pauses.longest <= 2 * thresholds.mostPause * pauses.usual &&
                       2 * covered >= static_cast<double>(samples - 1);
    const auto number = static_cast<double>(increases.size());
    const double evenness = pauses.longest > 0 ? pauses.usual / pauses.longest : 1;
    growth.confidence = number / (number + 1) * (0.5 + 0.5 * evenness);
    return judgement;
}

// Samples by windows of equal numbers of allocations. They are not conclusive where the lowest
// usage climbs much: one pass that has not come down yet looks like growth everywhere.
void sampleWindows(Leaks &leaks, const Allocations &allocations, const UsageCurve &curve,
                   double mostClimb)
{
    const auto first = static_cast<std::size_t>(allocations.firstBornAfter(-1));
    const auto count = static_cast<std::size_t>(allocations.count());
    if (count - first < kLeastAllocations) {
        leaks.note = "There are no steps, and too few allocations to tell growth without them.";
        return;
    }
    Bytes least = 0;
    Bytes most = 0;
    for (std::size_t window = 0; window < kWindows; ++window) {
        const std::size_t from = first + (count - first) * window / kWindows;
        const std::size_t to = first + (count - first) * (window + 1) / kWindows;
        const EventIndex begin = allocations.birth[from];
        const EventIndex end = to < count ? allocations.birth[to] - 1 : curve.count() - 1;
        const EventIndex sample = curve.lowestActive(begin, std::max(begin, end));
        leaks.samples.push_back(sample);
        leaks.numbers.push_back(static_cast<std::int64_t>(window) + 1);
        if (window < kWindows / 4)
            continue; // warm-up
        const Bytes active = curve.active(sample);
        least = window == kWindows / 4 ? active : std::min(least, active);
        most = window == kWindows / 4 ? active : std::max(most, active);
    }
    const EventIndex begin = leaks.samples[kWindows / 4];
    const Bytes highest = curve.active(curve.highestActive(begin, curve.count() - 1));
    const double climb = static_cast<double>(most) - static_cast<double>(least);
    if (climb > mostClimb * (static_cast<double>(highest) - static_cast<double>(least))) {
        leaks.samples.clear();
        leaks.numbers.clear();
        leaks.note = "There are no steps, and usage does not come down in between: growth looks "
                     "like one long pass.";
        return;
    }
    leaks.note =
        "There are no steps: growth was looked for in windows of time, which is less sure.";
}

// Samples between the calls of the model: memory that a call needs is free again before the next.
bool sampleCalls(Leaks &leaks, const UsageCurve &curve, const std::vector<EventIndex> &calls,
                 std::size_t leastCalls)
{
    if (calls.size() < leastCalls)
        return false;
    leaks.unit = Leaks::Unit::Call;
    for (std::size_t at = 0; at < calls.size(); ++at) {
        const EventIndex end = at + 1 < calls.size() ? calls[at + 1] : curve.count();
        leaks.samples.push_back(curve.lowestActive(calls[at], end - 1));
        leaks.numbers.push_back(static_cast<std::int64_t>(at) + 1);
    }
    leaks.note = "There are no steps: growth was looked for between the calls of the model, which "
                 "is less sure.";
    return true;
}

} // namespace

std::string_view unitName(Leaks::Unit unit)
{
    constexpr std::array<std::string_view, 3> kNames{"step", "call", "window"};
    return kNames[static_cast<std::size_t>(unit)];
}

Leaks findLeaks(const Allocations &allocations, const UsageCurve &curve, const Steps &steps,
                const LeakThresholds &thresholds)
{
    Leaks leaks;
    for (const Step &step : steps.steps) {
        if (!step.complete)
            continue;
        if (leaks.samples.empty()) {
            leaks.samples.push_back(step.first - 1);
            leaks.numbers.push_back(step.number - 1);
        }
        leaks.samples.push_back(step.last);
        leaks.numbers.push_back(step.number);
    }
    const bool bySteps = leaks.samples.size() > thresholds.leastSteps;
    if (bySteps) {
        leaks.unit = Leaks::Unit::Step;
    } else if (!steps.steps.empty()) {
        const auto complete = std::ranges::count_if(steps.steps, &Step::complete);
        leaks.note = "Complete steps: " + std::to_string(complete) + "; at least " +
                     std::to_string(thresholds.leastSteps) +
                     " are needed to tell growth from warm-up; record seven.";
        leaks.samples.clear();
        leaks.numbers.clear();
    } else if (!sampleCalls(leaks, curve, steps.calls, thresholds.leastCalls)) {
        sampleWindows(leaks, allocations, curve, thresholds.mostClimb);
    }
    if (leaks.samples.empty())
        return leaks;

    const std::vector<Seen> seen = seenAt(leaks.samples, allocations);
    const double trust = bySteps ? steps.confidence : thresholds.windowTrust;
    for (std::size_t at = 0; at < seen.size();) {
        std::size_t end = at;
        // Memory from the beginning is not growth of a step.
        bool isNew = false;
        for (; end < seen.size() && seen[end].stack == seen[at].stack; ++end)
            isNew = isNew || seen[end].from > 0;
        const std::span<const Seen> group(seen.data() + at, end - at);
        at = end;
        if (!isNew)
            continue;
        auto judged = judgeSite(group.front().stack, changesOf(group, leaks.samples.size()),
                                leaks.samples.size(), thresholds);
        if (!judged)
            continue;
        judged->growth.confidence *= trust;
        (judged->goesOn ? leaks.leaks : leaks.warmUp).push_back(judged->growth);
    }
    const auto larger = [](const Growth &a, const Growth &b) {
        return a.grown.bytes > b.grown.bytes;
    };
    std::ranges::stable_sort(leaks.leaks, larger);
    std::ranges::stable_sort(leaks.warmUp, larger);
    return leaks;
}

} // namespace vramscope
