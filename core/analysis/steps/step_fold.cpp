// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/steps/step_fold.h"

#include "core/base/median.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

constexpr std::size_t kMostPlaces = 1024;
constexpr std::size_t kFewestPlaces = 128;
constexpr std::size_t kMostLookUps = 2'000'000; // places × steps: a few tenths of a second

// The offset of an event in its step.
double offsetOf(const Step &step, std::span<const std::int64_t> times, EventIndex event)
{
    if (times.empty())
        return static_cast<double>(event) - step.first;
    return static_cast<double>(wrappingDifference(times[static_cast<std::size_t>(event)],
                                                  times[static_cast<std::size_t>(step.first)]));
}

// The last event of a step before `offset`; the one before its first if the step has none there.
EventIndex lastBefore(const Step &step, std::span<const std::int64_t> times, double offset)
{
    if (times.empty()) {
        const double events = std::ceil(std::max(offset, 0.0));
        const double length = static_cast<double>(step.last) - step.first + 1;
        return events < length ? step.first + static_cast<EventIndex>(events) - 1 : step.last;
    }
    const auto first = times.begin() + step.first;
    const auto end =
        std::partition_point(first, times.begin() + step.last + 1, [&](std::int64_t time) {
            return static_cast<double>(wrappingDifference(time, *first)) < offset;
        });
    return step.first + static_cast<EventIndex>(end - first) - 1;
}

// The last state lasts one event, or one µs, more.
double extentOf(const Step &step, std::span<const std::int64_t> times)
{
    return static_cast<double>(lengthOf(step, times)) + (times.empty() ? 0 : 1);
}

std::vector<bool> countedOf(const std::vector<Step> &steps)
{
    std::vector<bool> counts;
    counts.reserve(steps.size());
    for (const Step &step : steps)
        counts.push_back(step.complete && step.startKnown);
    const auto whole = std::ranges::count(counts, true);
    if (whole == 0)
        counts.assign(counts.size(), true);
    else if (counts.front() && whole > 2)
        counts.front() = false;
    return counts;
}

void findPeaks(StepFold &fold, const std::vector<Step> &steps, const StepThresholds &thresholds)
{
    std::vector<Bytes> peaks;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        if (fold.counts[at])
            peaks.push_back(steps[at].peakActive);
        if (steps[at].peakActive > steps[fold.highest].peakActive)
            fold.highest = at;
    }
    fold.medianPeak = halfwayMedian(std::move(peaks));
    const auto middle = static_cast<double>(fold.medianPeak);
    const auto away = [&](const Step &step) {
        return std::abs(static_cast<double>(step.peakActive) - middle);
    };
    std::vector<double> deviations;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        if (fold.counts[at])
            deviations.push_back(away(steps[at]));
    }
    const double least = std::max(thresholds.deviations * upperMedian(std::move(deviations)),
                                  thresholds.leastDeviation * middle);
    for (std::size_t at = 0; at < steps.size(); ++at) {
        if (fold.counts[at] && away(steps[at]) > least)
            fold.outliers.push_back(at);
    }
}

} // namespace

std::int64_t lengthOf(const Step &step, std::span<const std::int64_t> times)
{
    if (times.empty())
        return std::int64_t(step.last) - step.first + 1;
    return wrappingDifference(times[static_cast<std::size_t>(step.last)],
                              times[static_cast<std::size_t>(step.first)]);
}

std::vector<Bytes> bytesByPlace(const Step &step, const EventCurve &active,
                                std::span<const std::int64_t> times, double width,
                                std::size_t places)
{
    std::vector<Bytes> bytes;
    const double extent = extentOf(step, times);
    EventIndex last = step.first - 1; // before the place
    for (std::size_t at = 0; at < places; ++at) {
        const double from = static_cast<double>(at) * width;
        if (from >= extent)
            break;
        const bool begins = last < step.last && offsetOf(step, times, last + 1) <= from;
        const EventIndex first = begins ? last + 1 : last;
        last = lastBefore(step, times, static_cast<double>(at + 1) * width);
        bytes.push_back(active.at(active.highest(first, std::max(first, last))));
    }
    return bytes;
}

StepFold foldSteps(const std::vector<Step> &steps, const EventCurve &active,
                   std::span<const std::int64_t> times, const StepThresholds &thresholds)
{
    StepFold fold;
    if (steps.empty())
        return fold;
    fold.counts = countedOf(steps);
    findPeaks(fold, steps, thresholds);
    double longest = 1;
    for (const Step &step : steps)
        longest = std::max(longest, extentOf(step, times));
    const std::size_t places = std::clamp(kMostLookUps / steps.size(), kFewestPlaces, kMostPlaces);
    fold.width = longest / static_cast<double>(places);
    std::vector<std::vector<Bytes>> byPlace(places);
    for (std::size_t at = 0; at < steps.size(); ++at) {
        if (!fold.counts[at])
            continue;
        const std::vector<Bytes> bytes = bytesByPlace(steps[at], active, times, fold.width, places);
        for (std::size_t place = 0; place < bytes.size(); ++place)
            byPlace[place].push_back(bytes[place]);
    }
    for (std::vector<Bytes> &bytes : byPlace) {
        StepFold::Place &place = fold.places.emplace_back();
        if (bytes.empty())
            continue;
        const auto [low, high] = std::ranges::minmax(bytes);
        place = {low, 0, high, static_cast<std::uint32_t>(bytes.size())};
        place.median = halfwayMedian(std::move(bytes));
    }
    return fold;
}

} // namespace vramscope
