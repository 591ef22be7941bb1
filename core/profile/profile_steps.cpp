// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profile_steps.h"

#include "core/base/bytes.h"
#include "core/base/median.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <map>
#include <tuple>
#include <unordered_map>

namespace vramscope {

namespace {

constexpr std::string_view kOptimizer = "Optimizer.step#";
constexpr std::string_view kLoader = "enumerate(DataLoader)";

StepMarker::Kind markerKind(std::string_view name)
{
    if (name.starts_with(kOptimizer))
        return StepMarker::Kind::Optimizer;
    if (name.starts_with(kLoader) && name.find("__next__") != name.npos)
        return StepMarker::Kind::DataLoader;
    return StepMarker::Kind::Range;
}

/// Calls visit(name, start, end) for each range of the program; operators stand for them in files
/// that record the optimizer and the data loader as such.
template<class Visit>
void forEachMark(const Profile &profile, Visit visit)
{
    const RangeColumns &ranges = profile.ranges();
    for (std::size_t row = 0; row < ranges.count(); ++row) {
        if (ranges.kind[row] == RangeKind::User)
            visit(ranges.name[row], ranges.start[row], ranges.end[row], false);
    }
    const OperatorColumns &operators = profile.operators();
    for (std::size_t row = 0; row < operators.count(); ++row)
        visit(operators.name[row], operators.start[row], operators.end[row], true);
}

/// When the host had called everything; 0 of no calls.
std::int64_t lastCallEnd(const Profile &profile)
{
    const CallColumns &calls = profile.calls();
    return calls.count() == 0 ? 0 : *std::ranges::max_element(calls.end);
}

std::vector<ProfileStep> stepsOf(const Profile &profile, const StepMarker &marker)
{
    std::vector<ProfileStep> steps;
    if (marker.kind == StepMarker::Kind::ProfilerStep) {
        for (const ProfilerStep &each : profile.steps())
            steps.push_back({each.name, each.start, each.end, 0, 0, {}, false});
        return steps;
    }
    if (marker.kind == StepMarker::Kind::Kernel) {
        const WorkColumns &work = profile.work();
        const CallColumns &calls = profile.calls();
        const std::int64_t end = lastCallEnd(profile);
        for (std::size_t row = 0; row < work.count(); ++row) {
            if (work.name[row] == marker.name && work.call[row] != kNoRow)
                steps.push_back({marker.name, calls.start[work.call[row]], end, 0, 0, {}, false});
        }
    } else {
        forEachMark(profile, [&](StringId name, std::int64_t start, std::int64_t end, bool) {
            if (name == marker.name)
                steps.push_back({name, start, end, 0, 0, {}, false});
        });
    }
    std::ranges::sort(steps, [](const ProfileStep &a, const ProfileStep &b) {
        return std::tie(a.start, a.end) < std::tie(b.start, b.end);
    });
    // These ranges only mark where steps begin.
    for (std::size_t at = 0; at + 1 < steps.size(); ++at)
        steps[at].end = steps[at + 1].start;
    return steps;
}

/// The work of each step, in one pass; steps may overlap.
void addWork(const Profile &profile, const WorkClasses &classes, std::vector<ProfileStep> &steps)
{
    const WorkColumns &work = profile.work();
    std::vector<BreakdownSweep> sweeps(steps.size());
    std::vector<std::int64_t> latestEnd; // of this step and all before
    latestEnd.reserve(steps.size());
    for (const ProfileStep &each : steps)
        latestEnd.push_back(latestEnd.empty() ? each.end : std::max(latestEnd.back(), each.end));
    for (std::size_t row = 0; row < work.count(); ++row) {
        if (work.call[row] == kNoRow)
            continue;
        const std::int64_t called = profile.calls().start[work.call[row]];
        const auto next = std::ranges::upper_bound(steps, called, {}, &ProfileStep::start);
        for (auto at = static_cast<std::size_t>(next - steps.begin());
             at > 0 && latestEnd[at - 1] > called; --at) {
            if (steps[at - 1].end > called)
                sweeps[at - 1].add(work.start[row], work.end[row], classes.workClass[row]);
        }
    }
    for (std::size_t at = 0; at < steps.size(); ++at) {
        if (sweeps[at].isEmpty())
            continue;
        steps[at].device = sweeps[at].finish();
        steps[at].work = steps[at].device->count();
    }
}

/// An outlier is off by a fifth of the median and by more than three times what is usual.
void findOutliers(ProfileSteps &all)
{
    std::vector<std::int64_t> times;
    for (const ProfileStep &each : all.steps)
        times.push_back(each.time);
    all.medianTime = lowerMedian(times);
    for (std::int64_t &each : times)
        each = std::abs(wrappingDifference(each, all.medianTime));
    const std::int64_t usual = lowerMedian(times);
    for (std::size_t at = 0; at < all.steps.size(); ++at)
        all.steps[at].isOutlier =
            all.steps.size() > 2 && times[at] > all.medianTime / 5 && times[at] / 3 > usual;
}

void findMedian(ProfileSteps &all)
{
    std::vector<std::size_t> order;
    for (std::size_t at = 0; at < all.steps.size(); ++at) {
        if (all.steps[at].device)
            order.push_back(at);
    }
    all.hasMedian = order.size() > 1;
    if (order.empty())
        return;
    std::ranges::stable_sort(order, {}, [&](std::size_t at) {
        return std::pair(all.steps[at].device->span, all.steps[at].start);
    });
    all.median = order[(order.size() - 1) / 2];
}

} // namespace

std::vector<StepMarker> stepMarkers(const Profile &profile)
{
    constexpr std::uint32_t kNoMarker = kNoRow - 1; // an operator like any other
    std::vector<StepMarker> markers;
    std::vector<std::uint32_t> place(profile.textCount(), kNoRow);
    forEachMark(profile, [&](StringId name, std::int64_t, std::int64_t, bool isOperator) {
        std::uint32_t &at = place[static_cast<std::size_t>(name)];
        if (at == kNoRow || (at == kNoMarker && !isOperator)) {
            const StepMarker::Kind kind = markerKind(profile.text(name));
            const bool isNone = isOperator && kind == StepMarker::Kind::Range;
            at = isNone ? kNoMarker : static_cast<std::uint32_t>(markers.size());
            if (!isNone)
                markers.push_back({kind, name, 0});
        }
        if (at != kNoMarker)
            ++markers[at].count;
    });
    std::erase_if(markers, [&](const StepMarker &each) {
        return each.count < 2 || profile.text(each.name).starts_with("ProfilerStep");
    });
    std::ranges::stable_sort(markers, [](const StepMarker &a, const StepMarker &b) {
        return std::tie(a.kind, b.count) < std::tie(b.kind, a.count);
    });
    if (markers.empty() && profile.steps().empty()) {
        if (const auto kernel = periodicKernel(profile))
            markers.push_back({StepMarker::Kind::Kernel, kernel->name, kernel->count});
    }
    if (!profile.steps().empty())
        markers.insert(markers.begin(), {StepMarker::Kind::ProfilerStep, StringId::Empty,
                                         static_cast<std::int64_t>(profile.steps().size())});
    return markers;
}

ProfileSteps profileSteps(const Profile &profile, const WorkClasses &classes,
                          const StepMarker &marker)
{
    ProfileSteps all;
    all.steps = stepsOf(profile, marker);
    if (all.steps.empty())
        return all;
    for (std::size_t at = 0; at < all.steps.size(); ++at) {
        ProfileStep &step = all.steps[at];
        const bool isLast = at + 1 == all.steps.size();
        step.time = wrappingDifference(isLast ? step.end : all.steps[at + 1].start, step.start);
    }
    addWork(profile, classes, all.steps);
    findOutliers(all);
    findMedian(all);
    return all;
}

namespace {

constexpr double kMostUneven = 0.15;    // coefficient of variation of the distances
constexpr double kLeastCovered = 0.6;   // of the sequence by the periods
constexpr double kLeastAlike = 0.9;     // of neighbouring periods, by their texts
constexpr std::size_t kLeastPeriod = 4; // kernels: a single loop of two is no step
constexpr std::size_t kMostCounts = 24;

using Places = std::vector<std::uint32_t>;

/// Whether a text recurs after much the same number of others, over most of the sequence.
bool isEven(const Places &places, std::size_t length)
{
    const auto gaps = static_cast<double>(places.size() - 1);
    const double mean = static_cast<double>(places.back() - places.front()) / gaps;
    if (mean < static_cast<double>(kLeastPeriod) ||
        mean * static_cast<double>(places.size()) < kLeastCovered * static_cast<double>(length))
        return false;
    double squares = 0;
    for (std::size_t at = 1; at < places.size(); ++at) {
        const double off = static_cast<double>(places[at] - places[at - 1]) - mean;
        squares += off * off;
    }
    return std::sqrt(squares / gaps) <= kMostUneven * mean;
}

/// The share of its texts that each period has in common with the next one, the median of all.
double likeness(const std::vector<StringId> &texts, const Places &places)
{
    std::vector<double> shares;
    for (std::size_t at = 0; at + 2 < places.size(); ++at) {
        std::unordered_map<StringId, std::int64_t> counts;
        for (std::size_t place = places[at]; place < places[at + 1]; ++place)
            ++counts[texts[place]];
        std::size_t common = 0;
        for (std::size_t place = places[at + 1]; place < places[at + 2]; ++place)
            common += static_cast<std::size_t>(counts[texts[place]]-- > 0);
        const std::size_t longest =
            std::max(places[at + 1] - places[at], places[at + 2] - places[at + 1]);
        shares.push_back(static_cast<double>(common) / static_cast<double>(longest));
    }
    if (shares.empty())
        return 0;
    std::ranges::sort(shares);
    return shares[(shares.size() - 1) / 2];
}

} // namespace

std::optional<PeriodicKernel> periodicText(const std::vector<StringId> &texts,
                                           const std::vector<std::int64_t> &pauses)
{
    std::unordered_map<StringId, Places> places;
    for (std::size_t at = 0; at < texts.size(); ++at)
        places[texts[at]].push_back(static_cast<std::uint32_t>(at));
    std::map<std::size_t, std::vector<StringId>> byCount;
    for (const auto &[text, of] : places) {
        if (of.size() > 2 && isEven(of, texts.size())) // two distances to compare
            byCount[of.size()].push_back(text);
    }
    std::size_t tried = 0;
    for (auto &[count, candidates] : byCount) {
        if (++tried > kMostCounts)
            break;
        std::ranges::sort(candidates, {}, [&](StringId text) { return places[text].front(); });
        std::optional<PeriodicKernel> best;
        std::int64_t longest = -1;
        for (const StringId text : candidates) {
            std::vector<std::int64_t> before;
            for (const std::uint32_t place : places[text])
                before.push_back(pauses[place]);
            const std::int64_t pause = lowerMedian(std::move(before));
            if (pause <= longest || likeness(texts, places[text]) < kLeastAlike)
                continue;
            longest = pause;
            best = {text, static_cast<std::int64_t>(count)};
        }
        if (best)
            return best;
    }
    return std::nullopt;
}

std::optional<PeriodicKernel> periodicKernel(const Profile &profile)
{
    const WorkColumns &work = profile.work();
    std::map<std::int64_t, std::size_t> kernels;
    const auto counts = [&](std::size_t at) {
        return work.kind[at] == WorkKind::Kernel && work.call[at] != kNoRow;
    };
    for (std::size_t at = 0; at < work.count(); ++at)
        kernels[profile.lanes()[work.lane[at]].device] += static_cast<std::size_t>(counts(at));
    const auto most =
        std::ranges::max_element(kernels, {}, &std::pair<const std::int64_t, std::size_t>::second);
    if (most == kernels.end() || most->second == 0)
        return std::nullopt;
    std::vector<StringId> texts;
    std::vector<std::int64_t> pauses;
    std::int64_t end = 0;
    for (std::size_t at = 0; at < work.count(); ++at) {
        if (!counts(at) || profile.lanes()[work.lane[at]].device != most->first)
            continue;
        pauses.push_back(texts.empty() ? 0 : std::max<std::int64_t>(work.start[at] - end, 0));
        end = texts.empty() ? work.end[at] : std::max(end, work.end[at]);
        texts.push_back(work.name[at]);
    }
    return periodicText(texts, pauses);
}

} // namespace vramscope
