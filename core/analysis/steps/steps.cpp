// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/steps.h"

#include "core/analysis/steps/model_calls.h"
#include "core/analysis/steps/optimizer_steps.h"
#include "core/analysis/steps/step_period.h"
#include "core/base/counted.h"
#include "core/base/median.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <map>

namespace vramscope {

namespace {

constexpr std::string_view kProfilerStep = "ProfilerStep#";
constexpr std::string_view kOptimizerStep = "Optimizer.step#";
// Ranges that programs make once per step, at its beginning.
constexpr std::array<std::string_view, 2> kStepMarkers{"enumerate(DataLoader)#",
                                                       "Optimizer.zero_grad#"};
// Ranges that occur many times per step, or once by chance.
constexpr std::array<std::string_view, 3> kNoMarkers{"nccl:", "FSDP", "c10d"};
constexpr std::size_t kMostMarkers = 16; // tried: each costs a pass over the recording

using Ranges = std::vector<AnnotationRange>;

// What a step is made from: [first, end) on the axis of events.
struct Bounds
{
    EventIndex first;
    EventIndex end;
    std::int64_t number;
    bool complete = true;
    bool startKnown = true;
};

class Finder
{
public:
    Finder(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
           const UsageCurve &curve, const Progress &progress, const StepThresholds &thresholds)
        : m_trace(trace)
        , m_device(device)
        , m_allocations(allocations)
        , m_curve(curve)
        , m_progress(progress)
        , m_thresholds(thresholds)
        , m_sequence(tokenSequence(allocations, TokensOf::StacksAndSizes))
        , m_matcher(m_sequence)
        , m_boundaries(trace, device, curve)
    {
    }

    Steps find()
    {
        Steps found;
        if (m_curve.count() == 0) {
            found.how = "The recording has no events.";
            return found;
        }
        if (m_sequence.tokens.empty()) {
            found.how = "The recording has no allocations.";
            return found;
        }
        if (!isWanted(0.3))
            return found;
        m_ranges = annotationRanges(m_trace, m_device);
        if (!fromProfiler(found) && !fromOptimizer(found) && !fromMarkers(found) && isWanted(0.6) &&
            !fromPeriod(found, m_sequence) && isWanted(0.7) && !fromStacks(found) && !m_isOnePass &&
            isWanted(0.8)) {
            const std::string whyNot = found.how;
            const TokenSequence calls = tokenSequence(m_allocations, TokensOf::Stacks);
            if (fromPeriod(found, calls)) {
                found.source = StepSource::Calls;
                found.confidence *= m_thresholds.trustInCalls;
                found.how = "The same calls recur, with other sizes; each begins where the least "
                            "memory is active.";
            } else {
                found.how = whyNot;
            }
        }
        return found;
    }

private:
    [[nodiscard]] bool isWanted(double share)
    {
        m_isStopped = m_isStopped || (m_progress && !m_progress(share));
        return !m_isStopped;
    }
    [[nodiscard]] Ranges named(std::string_view prefix) const
    {
        Ranges chosen;
        std::ranges::copy_if(m_ranges, std::back_inserter(chosen), [&](const auto &range) {
            return m_trace.text(range.name).starts_with(prefix);
        });
        return chosen;
    }
    // Allocations in [first, end); negative if `end` is before `first`.
    [[nodiscard]] std::ptrdiff_t places(EventIndex first, EventIndex end) const
    {
        return static_cast<std::ptrdiff_t>(m_sequence.placeAt(end)) -
               static_cast<std::ptrdiff_t>(m_sequence.placeAt(first));
    }
    double similarity(const Bounds &a, const Bounds &b)
    {
        return m_matcher.similarity(m_sequence.placeAt(a.first), m_sequence.placeAt(a.end),
                                    m_sequence.placeAt(b.first), m_sequence.placeAt(b.end));
    }
    double contained(const Bounds &part, const Bounds &whole)
    {
        return m_matcher.contained(m_sequence.placeAt(part.first), m_sequence.placeAt(part.end),
                                   m_sequence.placeAt(whole.first), m_sequence.placeAt(whole.end));
    }

    bool fromProfiler(Steps &found);
    bool fromOptimizer(Steps &found);
    [[nodiscard]] std::vector<StringId> markerNames() const;
    bool fromMarkers(Steps &found);
    bool fromPeriod(Steps &found, const TokenSequence &sequence);
    bool fromStacks(Steps &found);

    void takeInSegments(std::vector<Bounds> &bounds) const;
    void startFirst(std::vector<Bounds> &bounds, const Ranges &optimizer);
    void addTail(std::vector<Bounds> &bounds);
    [[nodiscard]] bool isWhole(const std::vector<Bounds> &bounds, std::size_t at) const;
    [[nodiscard]] double medianMatch(const std::vector<Bounds> &bounds);
    void describe(Steps &found, const std::vector<Bounds> &bounds);
    void countSurvivors(std::vector<Step> &steps) const;

    const Trace &m_trace;
    const DeviceTrace &m_device;
    const Allocations &m_allocations;
    const UsageCurve &m_curve;
    const Progress &m_progress;
    const StepThresholds &m_thresholds;
    TokenSequence m_sequence;
    RunMatcher m_matcher;
    BoundaryFinder m_boundaries;
    Ranges m_ranges;
    bool m_isOnePass = false; ///< layers of one pass recur
    bool m_isStopped = false;
};

// Steps are numbered from 0: a negative or too large number is ignored.
std::int64_t numberIn(std::string_view text, std::int64_t otherwise)
{
    std::int64_t number = -1;
    std::from_chars(text.data(), text.data() + text.size(), number);
    return number >= 0 ? number : otherwise;
}

// The lengths of most steps, from the steps between others.
bool Finder::isWhole(const std::vector<Bounds> &bounds, std::size_t at) const
{
    const bool failed = std::ranges::any_of(m_device.outOfMemory, [&](const auto &failure) {
        return failure.event >= bounds[at].first && failure.event < bounds[at].end;
    });
    if (bounds.size() < 2)
        return !failed;
    std::vector<double> lengths;
    for (std::size_t other = 0; other < bounds.size(); ++other) {
        if (other != at)
            lengths.push_back(static_cast<double>(places(bounds[other].first, bounds[other].end)));
    }
    return !failed && static_cast<double>(places(bounds[at].first, bounds[at].end)) >=
                          m_thresholds.whole * upperMedian(std::move(lengths));
}

// A segment made for the first allocation of a step belongs to the step.
void Finder::takeInSegments(std::vector<Bounds> &bounds) const
{
    const std::vector<Action> &actions = m_device.events.action;
    for (std::size_t at = 0; at < bounds.size(); ++at) {
        EventIndex &first = bounds[at].first;
        const EventIndex least = at == 0 ? 0 : bounds[at - 1].first + 1;
        const bool joined = at > 0 && bounds[at - 1].end == first;
        while (first > least) {
            const Action before = actions[static_cast<std::size_t>(first) - 1];
            if (before != Action::SegmentAlloc && before != Action::SegmentMap)
                break;
            --first;
        }
        if (joined)
            bounds[at - 1].end = first;
    }
}

bool Finder::fromProfiler(Steps &found)
{
    std::vector<Bounds> bounds;
    for (const AnnotationRange &range : named(kProfilerStep)) {
        const EventIndex first = std::max({range.first, 0, bounds.empty() ? 0 : bounds.back().end});
        if (first >= range.last)
            continue;
        const std::string_view name = m_trace.text(range.name);
        bounds.push_back(
            {first, range.last,
             numberIn(name.substr(kProfilerStep.size()), static_cast<std::int64_t>(bounds.size())),
             range.first >= 0, range.first >= 0});
    }
    if (bounds.empty())
        return false;
    if (bounds.back().end == m_curve.count())
        bounds.back().complete = isWhole(bounds, bounds.size() - 1);
    found.source = StepSource::ProfilerStep;
    found.confidence = 1;
    found.how = "The profiler marked them (ProfilerStep#N).";
    describe(found, bounds);
    return true;
}

// The first step begins at the allocation that begins the others, at the same distance from its
// optimizer.
void Finder::startFirst(std::vector<Bounds> &bounds, const Ranges &optimizer)
{
    Bounds &first = bounds.front();
    if (bounds.size() < 2) {
        first.startKnown = false;
        for (const std::string_view marker : kStepMarkers) {
            for (const AnnotationRange &range : named(marker)) {
                if (range.first < 0 || range.first > optimizer.front().first || first.startKnown)
                    continue;
                first.first = range.first;
                first.startKnown = true;
            }
        }
        return;
    }
    // The second step shows it; a later one if optimizers overlap (threads) or nothing is allocated
    // before them.
    std::size_t other = 1;
    while (other < bounds.size() && places(bounds[other].first, optimizer[other].first) <= 0)
        ++other;
    if (other == bounds.size()) {
        first.startKnown = false;
        return;
    }
    const auto offset = static_cast<double>(places(bounds[other].first, optimizer[other].first));
    const std::size_t own = m_sequence.placeAt(std::max(optimizer[0].first, 0));
    const std::uint32_t token = m_sequence.tokens[m_sequence.placeAt(bounds[other].first)];
    const double expected = static_cast<double>(own) - offset;
    double nearest = offset / 2;
    std::optional<std::size_t> place;
    for (std::size_t at = 0; at < own; ++at) {
        const double distance = std::abs(static_cast<double>(at) - expected);
        if (m_sequence.tokens[at] == token && distance < nearest) {
            nearest = distance;
            place = at;
        }
    }
    if (place)
        first.first = m_sequence.events[*place];
    else if (expected > 0)
        first.first = m_sequence.events[static_cast<std::size_t>(expected)];
    first.startKnown = place.has_value();
    first.complete = place.has_value() || expected > -0.05 * offset;
}

// The rest after the last step is the beginning of another if it makes the same allocations.
void Finder::addTail(std::vector<Bounds> &bounds)
{
    Bounds tail{bounds.back().end, m_curve.count(), bounds.back().number + 1, false, true};
    const std::ptrdiff_t length = places(tail.first, tail.end);
    if (length == 0 || 20 * length < places(bounds.back().first, bounds.back().end) ||
        contained(tail, bounds.back()) < m_thresholds.tailMatch)
        return;
    bounds.push_back(tail);
}

bool Finder::fromOptimizer(Steps &found)
{
    Ranges optimizer = named(kOptimizerStep);
    if (optimizer.empty())
        return false;
    // With several optimizers, the one that steps last ends the step.
    const StringId name = optimizer.back().name;
    std::erase_if(optimizer, [name](const AnnotationRange &range) { return range.name != name; });
    std::vector<Bounds> bounds;
    EventIndex start = 0;
    for (std::size_t at = 0; at < optimizer.size(); ++at) {
        const bool isLast = at + 1 == optimizer.size();
        const EventIndex from = std::max(optimizer[at].last - 1, 0);
        EventIndex to = isLast ? m_curve.count() - 1 : std::max(optimizer[at + 1].first - 1, from);
        if (isLast) // no further than half a step
            to = std::clamp<EventIndex>(from + (optimizer[at].last - start) / 2, from, to);
        const bool reachesEnd = isLast && places(from + 1, m_curve.count()) == 0;
        const EventIndex end = reachesEnd ? m_curve.count() : m_boundaries.find(from, to);
        if (end > start)
            bounds.push_back({start, end, static_cast<std::int64_t>(bounds.size()) + 1});
        start = end;
    }
    if (bounds.size() != optimizer.size())
        return false;
    startFirst(bounds, optimizer);
    addTail(bounds);
    takeInSegments(bounds);
    found.source = StepSource::OptimizerStep;
    found.confidence = bounds.front().startKnown ? 0.95 : 0.8;
    found.how = "Each ends after its optimizer (" + std::string(m_trace.text(name)) +
                "), where the least memory is active.";
    describe(found, bounds);
    return true;
}

// Names of ranges that may mark steps: the known ones first, then those that occur at least three
// times.
std::vector<StringId> Finder::markerNames() const
{
    std::vector<StringId> names;
    const auto add = [&names](StringId name) {
        if (names.size() < kMostMarkers && std::ranges::find(names, name) == names.end())
            names.push_back(name);
    };
    for (const std::string_view marker : kStepMarkers) {
        for (const AnnotationRange &range : named(marker))
            add(range.name);
    }
    std::map<StringId, std::size_t> counts;
    for (const AnnotationRange &range : m_ranges)
        ++counts[range.name];
    for (const AnnotationRange &range : m_ranges) {
        const std::string_view text = m_trace.text(range.name);
        if (counts[range.name] >= 3 && std::ranges::none_of(kNoMarkers, [text](const auto &no) {
                return text.starts_with(no);
            }))
            add(range.name);
    }
    return names;
}

bool Finder::fromMarkers(Steps &found)
{
    for (const StringId name : markerNames()) {
        if (!isWanted(0.4))
            return false;
        std::vector<Bounds> bounds;
        for (const AnnotationRange &range : m_ranges) {
            if (range.name != name || range.first < 0 || range.first >= m_curve.count() ||
                (!bounds.empty() && bounds.back().first == range.first))
                continue;
            if (!bounds.empty())
                bounds.back().end = range.first;
            bounds.push_back(
                {range.first, m_curve.count(), static_cast<std::int64_t>(bounds.size()) + 1});
        }
        const double match = bounds.size() > 1 ? medianMatch(bounds) : 0;
        if (bounds.empty() || (bounds.size() > 1 && match < m_thresholds.leastMatch))
            continue;
        // The end of the last step is not marked; a single step has nothing to compare it with.
        bounds.back().complete = bounds.size() > 1 && isWhole(bounds, bounds.size() - 1);
        found.source = StepSource::Annotation;
        found.confidence = bounds.size() > 1 ? 0.9 * match : 0.5;
        found.how = "Each begins with " + std::string(m_trace.text(name)) + ".";
        describe(found, bounds);
        return true;
    }
    return false;
}

bool Finder::fromPeriod(Steps &found, const TokenSequence &sequence)
{
    const Period period =
        findPeriod(m_trace, m_device, sequence, m_allocations, m_curve, m_boundaries, m_thresholds);
    m_isOnePass = period.layers;
    if (period.starts.empty()) {
        found.how = "No annotation marks steps. " + period.whyNot;
        return false;
    }
    // What leaves memory behind may be a part of a step, such as a micro-batch: the optimizer
    // knows.
    if (period.drifts && fromStacks(found))
        return true;
    std::vector<Bounds> bounds;
    for (std::size_t at = 0; at < period.starts.size(); ++at) {
        const bool isLast = at + 1 == period.starts.size();
        const EventIndex end = isLast ? period.end : period.starts[at + 1];
        bounds.push_back({period.starts[at], end, static_cast<std::int64_t>(at) + 1,
                          (at > 0 || period.firstComplete) && (!isLast || period.lastComplete)});
    }
    takeInSegments(bounds);
    found.source = StepSource::Period;
    found.confidence = period.match * (bounds.size() >= 4 ? 0.95 : 0.75);
    found.how = "The allocations repeat; each begins where the least memory is active.";
    describe(found, bounds);
    return true;
}

bool Finder::fromStacks(Steps &found)
{
    StackRules rules(m_trace, defaultCategoryRules());
    const Phases phases(m_trace, m_device, m_allocations, rules);
    const OptimizerSteps steps = stepsOfOptimizer(m_trace, m_allocations, phases, m_thresholds);
    if (steps.starts.empty() || steps.alike < m_thresholds.leastMatch)
        return false;
    std::vector<Bounds> bounds;
    for (std::size_t at = 0; at < steps.starts.size(); ++at) {
        const bool isLast = at + 1 == steps.starts.size();
        const EventIndex end = isLast ? m_curve.count() : steps.starts[at + 1];
        const bool startKnown = at > 0 || steps.firstKnown;
        bounds.push_back({steps.starts[at], end, static_cast<std::int64_t>(at) + 1,
                          startKnown && (!isLast || steps.lastComplete), startKnown});
    }
    takeInSegments(bounds);
    found.source = StepSource::Optimizer;
    found.confidence = 0.9 * steps.alike;
    found.how = "The optimizer runs once in each, as stacks show; each begins with the first "
                "allocation that recurs.";
    describe(found, bounds);
    return true;
}

double Finder::medianMatch(const std::vector<Bounds> &bounds)
{
    if (bounds.size() == 2)
        return contained(bounds[1], bounds[0]);
    std::vector<double> matches;
    for (std::size_t at = 0; at + 2 < bounds.size(); ++at)
        matches.push_back(similarity(bounds[at], bounds[at + 1]));
    return upperMedian(std::move(matches));
}

void Finder::describe(Steps &found, const std::vector<Bounds> &bounds)
{
    for (std::size_t at = 0; at < bounds.size(); ++at) {
        const Bounds &bound = bounds[at];
        Step step;
        step.number = bound.number;
        step.first = bound.first;
        step.last = bound.end - 1;
        step.complete = bound.complete;
        step.startKnown = bound.startKnown;
        step.peakActiveEvent = m_curve.highestActive(step.first, step.last);
        step.peakReservedEvent = m_curve.highestReserved(step.first, step.last);
        step.peakActive = m_curve.active(step.peakActiveEvent);
        step.peakReserved = m_curve.reserved(step.peakReservedEvent);
        step.activeBegin = m_curve.active(step.first - 1);
        step.activeEnd = m_curve.active(step.last);
        step.growth = wrappingDifference(step.activeEnd, step.activeBegin);
        if (bounds.size() > 1)
            step.match =
                at == 0 ? similarity(bounds[0], bounds[1]) : similarity(bounds[at - 1], bounds[at]);
        found.steps.push_back(step);
    }
    countSurvivors(found.steps);
}

void Finder::countSurvivors(std::vector<Step> &steps) const
{
    for (std::size_t at = 0; at + 1 < steps.size(); ++at)
        steps[at].survivors = Tally{};
    std::size_t step = 0;
    const auto count = static_cast<std::size_t>(m_allocations.count());
    for (auto at = static_cast<std::size_t>(m_sequence.firstAllocation); at < count; ++at) {
        while (step < steps.size() && steps[step].last < m_allocations.birth[at])
            ++step;
        if (step + 1 >= steps.size())
            break;
        if (m_allocations.birth[at] >= steps[step].first &&
            m_allocations.death[at] > steps[step + 1].last)
            *steps[step].survivors += {m_allocations.size[at], 1};
    }
}

} // namespace

Steps findSteps(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
                const UsageCurve &curve, const Progress &progress, const StepThresholds &thresholds)
{
    if (progress && !progress(0))
        return {};
    Steps steps = Finder(trace, device, allocations, curve, progress, thresholds).find();
    steps.isReservedKnown = curve.isReservedKnown();
    if (steps.steps.empty())
        steps.calls = modelCalls(trace, allocations);
    if (steps.calls.size() > 1)
        steps.how += " The model is called " + counted(std::ssize(steps.calls), "time") + ".";
    return steps;
}

std::optional<std::size_t> stepAt(const std::vector<Step> &steps, EventIndex event)
{
    const auto after = std::ranges::upper_bound(steps, event, {}, &Step::first);
    if (after == steps.begin() || (after - 1)->last < event)
        return std::nullopt;
    return static_cast<std::size_t>(after - 1 - steps.begin());
}

} // namespace vramscope
