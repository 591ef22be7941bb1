// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/step_curves.h"

#include "core/print/plan_report.h"
#include "core/settings/settings.h"
#include "ui/support/text.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const std::string kEndOfBackward = "end of backward";

/// What the points of a step have in common, and where in it one is.
struct Pass
{
    std::int64_t blocks = 0;
    bool backward = false;
};

QString phaseName(const LifecyclePoint &point, const Pass &pass)
{
    if (point.block >= 0)
        return pass.backward ? u"backward"_s : u"forward"_s;
    return point.moment == kEndOfBackward ? u"backward"_s : toQString(point.moment);
}

QString columnName(const LifecyclePoint &point, const Pass &pass)
{
    if (point.block < 0)
        return capitalized(toQString(point.moment));
    return u"%1, block %2 of %3, %4"_s.arg(pass.backward ? u"Backward"_s : u"Forward"_s)
        .arg(point.block + 1)
        .arg(pass.blocks)
        .arg(point.after ? u"after it has run"_s : u"while it runs"_s);
}

QString phaseTitle(const QString &name, std::int64_t blocks)
{
    if (blocks < 2 || (name != u"forward"_s && name != u"backward"_s))
        return name;
    return name == u"forward"_s ? u"forward, block 1 → %1"_s.arg(blocks)
                                : u"backward, block %1 → 1"_s.arg(blocks);
}

bool hasMoment(const Estimate &estimate, const std::string &name)
{
    return std::ranges::any_of(estimate.moments,
                               [&](const Moment &moment) { return moment.name == name; });
}

/// The moment of the estimate that tells most of a point.
void lead(StepColumn &column, const LifecyclePoint &point, const Pass &pass,
          const Estimate &estimate)
{
    if (hasMoment(estimate, point.moment)) {
        column.moment = toQString(point.moment);
        column.own = true;
        return;
    }
    const std::string near = pass.backward ? "first backward block" : "forward";
    if (hasMoment(estimate, near))
        column.moment = toQString(near);
}

void addToPhase(StepCurve &curve, const QString &name, std::int64_t blocks)
{
    if (curve.phases.empty() || curve.phases.back().shortTitle != name) {
        const int first = static_cast<int>(curve.columns.size()) - 1;
        curve.phases.push_back({phaseTitle(name, blocks), name, first, 0});
    }
    ++curve.phases.back().count;
}

constexpr std::int64_t kMostColumns = 64;
const std::string kServing = "serving";

/// The counts that are shown: from none, at equal distances, past the largest that fits.
struct Counts
{
    std::int64_t step = 1;
    std::int64_t fit = 0; ///< the largest that fits; negative: no limit is known
    std::vector<std::int64_t> values;
};

Counts countsUpTo(std::int64_t fit, std::int64_t stated, std::int64_t first)
{
    Counts counts;
    counts.fit = fit;
    const std::int64_t wanted = std::max(fit, stated);
    const std::int64_t most = wanted + std::max<std::int64_t>(wanted / 6, 1);
    counts.step = std::max<std::int64_t>((most - first) / (kMostColumns - 2) + 1, 1);
    for (std::int64_t value = first; value <= most; value += counts.step)
        counts.values.push_back(value);
    for (const std::int64_t count : {fit, stated}) // what is marked has a column
        if (count >= first && !std::ranges::binary_search(counts.values, count))
            counts.values.insert(std::ranges::upper_bound(counts.values, count), count);
    return counts;
}

std::optional<std::size_t> servingMoment(const Estimate &estimate)
{
    for (std::size_t moment = 0; moment < estimate.moments.size(); ++moment) {
        if (estimate.moments[moment].name == kServing)
            return moment;
    }
    return std::nullopt;
}

/// What is there while serving, up to the device level.
PartBytes servingParts(const Estimate &estimate)
{
    const std::optional<std::size_t> moment = servingMoment(estimate);
    if (!moment)
        return {};
    PartBytes parts = partBytes(estimate, *moment);
    Bytes outside = 0;
    for (const Component &component : estimate.outside)
        outside += component.bytes;
    parts[kOutsidePart] = outside;
    return parts;
}

/// "17 sequences of 4,096 tokens", "1 sequence of …".
QString counted(std::int64_t count, const QString &unit)
{
    QString one = unit;
    if (count == 1)
        one.replace(u"sequences"_s, u"sequence"_s);
    return countText(count) + u' ' + one;
}

/// Names the phases and marks the last count that fits.
void finish(StepCurve &curve, const Counts &counts, const QString &unit, const QString &beyond)
{
    const auto fitting = static_cast<int>(
        std::ranges::count_if(counts.values, [&](auto value) { return value <= counts.fit; }));
    const int all = static_cast<int>(counts.values.size());
    const std::int64_t last = counts.fit < 0 ? counts.values.back() : counts.fit;
    const QString upTo = countText(last);
    const int first = counts.fit < 0 ? all : fitting;
    if (first > 0)
        curve.phases.push_back(
            {u"%1 → %2"_s.arg(countText(counts.values.front()), counted(last, unit)),
             u"→ "_s + upTo, 0, first});
    if (first < all)
        curve.phases.push_back({beyond, u"more"_s, first, all - first});
    if (counts.fit >= 0 && fitting > 0) {
        curve.marked = fitting - 1;
        curve.markText = counted(last, unit) + u": %1"_s;
    }
}

/// How the pool of vLLM fills: it is taken whole at the start.
StepCurve poolCurve(const Settings &settings, const Estimate &estimate)
{
    StepCurve curve;
    const InferenceFigures &figures = *estimate.inference;
    const double most = figures.maxConcurrency;
    const Counts counts = countsUpTo(static_cast<std::int64_t>(most), 0, 0);
    PartBytes parts = servingParts(estimate);
    parts[kOutsidePart] = 0; // the pool is part of what is allocated
    const auto cache = static_cast<std::size_t>(Category::KeyValueCache);
    Bytes full = 0;
    for (const Bytes bytes : parts)
        full += bytes;
    curve.limit = full;
    curve.limitName = u"the cache is full at"_s;
    const QString unit = u"sequences of %1"_s.arg(countedText(
        settings.engine == Engine::Vllm ? settings.maxModelLen : settings.meanSequenceLength,
        "token"));
    for (const std::int64_t value : counts.values) {
        StepColumn column;
        column.name = u"%1 in the cache"_s.arg(counted(value, unit));
        column.moment = toQString(kServing);
        column.parts = parts;
        const double share = most > 0 ? std::min(static_cast<double>(value) / most, 1.0) : 1;
        const auto used =
            static_cast<Bytes>(std::llround(share * static_cast<double>(figures.kvCache)));
        column.parts[cache] -= figures.kvCache - used;
        curve.columns.push_back(std::move(column));
    }
    finish(curve, counts, unit, u"more wait"_s);
    return curve;
}

/// estimate() at one count after the other.
StepCurve statedCurve(const Plan &plan, const Settings &settings, const Estimate &estimate)
{
    StepCurve curve;
    const InferenceFigures &figures = *estimate.inference;
    const bool context = settings.engine == Engine::LlamaCpp;
    const std::int64_t stated =
        context ? std::max(settings.maxModelLen, figures.kvTokens) : settings.concurrentSequences;
    const std::int64_t fit = !estimate.capacity ? -1
                             : context          ? figures.maxContext
                                                : static_cast<std::int64_t>(figures.maxConcurrency);
    const std::int64_t length = figures.keepsCache()
                                    ? figures.kvTokens / std::max<std::int64_t>(stated, 1)
                                    : settings.meanSequenceLength;
    const QString unit =
        context ? u"tokens of context"_s : u"sequences of %1"_s.arg(countedText(length, "token"));
    const Counts counts = countsUpTo(fit, stated, 1);
    curve.limit = estimate.capacity;
    curve.limitName = u"capacity"_s;
    Counts shown = counts;
    shown.values.clear();
    for (const std::int64_t value : counts.values) {
        Plan varied = plan;
        (context ? varied.inference.maxModelLen : varied.inference.concurrentSequences) = value;
        const Estimate there = vramscope::estimate(varied);
        if (!there.computed)
            continue; // beyond what the model or the engine takes
        curve.columns.push_back({counted(value, unit), toQString(kServing), value == stated, false,
                                 servingParts(there)});
        shown.values.push_back(value);
    }
    if (!shown.values.empty())
        finish(curve, shown, unit, u"more than fit"_s);
    return curve;
}

} // namespace

StepCurve stepCurve(const Lifecycle &lifecycle, const Estimate &estimate, StepKind kind)
{
    StepCurve curve;
    curve.limit = estimate.capacity;
    curve.limitName = u"capacity"_s;
    curve.emptyText = toQString(whyNotComputed(estimate));
    const bool first = kind == StepKind::First;
    const std::vector<LifecyclePoint> &points = first ? lifecycle.firstStep : lifecycle.steadyStep;
    const std::string &peakAt = first ? estimate.firstStepAt : estimate.peakAt;
    Pass pass;
    for (const LifecyclePoint &point : points)
        pass.blocks = std::max(pass.blocks, point.block + 1);
    curve.columns.reserve(points.size());
    Bytes highest = -1;
    std::string highestAt;
    for (const LifecyclePoint &point : points) {
        pass.backward |= point.phase == StepPhase::Loss;
        StepColumn column;
        column.name = columnName(point, pass);
        column.wide = point.block < 0;
        for (std::size_t at = 0; at < point.bytes.size(); ++at)
            column.parts[static_cast<std::size_t>(lifecycle.parts[at].category)] += point.bytes[at];
        if (!first)
            lead(column, point, pass, estimate);
        const bool higher =
            point.allocated > highest || (point.allocated == highest && point.moment == peakAt);
        if (higher) {
            highest = point.allocated;
            highestAt = point.moment;
            curve.marked = static_cast<int>(curve.columns.size());
        }
        curve.columns.push_back(std::move(column));
        addToPhase(curve, phaseName(point, pass), pass.blocks);
    }
    curve.markText = u"peak %1, "_s + toQString(momentPhrase(highestAt));
    // An engine next to the trainer returns memory, and a host that shares it uses some too.
    if (!first && estimate.computed && !estimate.hasRollout() && !estimate.inOneMemory())
        curve.device = estimate.peakDevice;
    return curve;
}

StepCurve cacheCurve(const Plan &plan, const Estimate &estimate)
{
    StepCurve curve;
    curve.emptyText = toQString(whyNotComputed(estimate));
    if (!estimate.computed || !estimate.inference)
        return curve;
    const Settings &settings = *estimate.settings;
    if (sizesItsCache(settings) && !estimate.inference->keepsCache()) {
        curve.emptyText = u"An encoder keeps no cache: every pass takes the same memory."_s;
        return curve;
    }
    curve = sizesItsCache(settings) ? poolCurve(settings, estimate)
                                    : statedCurve(plan, settings, estimate);
    curve.emptyText = u"There is no count of sequences that this plan can be computed for."_s;
    return curve;
}

} // namespace vramscope
