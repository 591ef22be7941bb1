// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/sweep.h"

#include "core/plan/plan.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

/// With ends this far apart, equal steps would leave the small values out.
constexpr double kLeastRatio = 4;

bool counts(const Field &field)
{
    return field.kind == FieldKind::Count || field.kind == FieldKind::Size;
}

SweepPoint pointOf(const Result<Plan> &plan, double value)
{
    SweepPoint point;
    point.value = value;
    if (!plan) {
        point.refused = plan.error().detail;
        return point;
    }
    const Estimate it = estimate(*plan);
    point.refused = whyNotComputed(it);
    if (!it.computed)
        return point;
    point.parts = it.byCategory();
    for (const Component &component : it.outside)
        point.outside += component.bytes;
    point.device = it.peakDevice;
    point.at = it.peakAt;
    point.capacity = it.capacity;
    point.verdict = verdictOf(it);
    return point;
}

} // namespace

bool sweepable(const Field &field)
{
    return counts(field) || field.kind == FieldKind::Number;
}

FieldValue numberFor(const Field &field, double number)
{
    if (counts(field))
        return static_cast<std::int64_t>(std::llround(number));
    return number;
}

Result<Plan> planWith(const Plan &plan, const Field &field, const FieldValue &value)
{
    Plan edited = plan;
    if (const Result<void> set = setField(edited, field, value); !set)
        return set.error();
    return edited;
}

std::vector<SweepPoint> sweep(const Plan &plan, const Field &field, std::span<const double> values,
                              PlanEdit edit)
{
    std::vector<SweepPoint> points;
    points.reserve(values.size());
    for (const double value : values)
        points.push_back(pointOf(edit(plan, field, numberFor(field, value)), value));
    return points;
}

std::vector<double> sweepValues(const Field &field, double from, double to, std::size_t most,
                                double step)
{
    from = std::clamp(from, field.minimum, field.maximum);
    to = std::clamp(to, from, field.maximum);
    const bool whole = counts(field);
    std::vector<double> values{from, to};
    if (whole && to - from < static_cast<double>(most)) {
        const int steps = static_cast<int>(to - from);
        for (int i = 0; i <= steps; ++i)
            values.push_back(from + i);
    } else if (from > 0 && to >= kLeastRatio * from) {
        // Powers of two are added: half of the room is enough for them in any range.
        const int first = static_cast<int>(std::ceil(std::log2(from)));
        for (int exponent = first; std::exp2(exponent) <= to; ++exponent)
            values.push_back(std::exp2(exponent));
        const int gaps = static_cast<int>(most) - 1 - static_cast<int>(values.size());
        for (int i = 1; i < gaps; ++i)
            values.push_back(from * std::pow(to / from, static_cast<double>(i) / gaps));
    } else {
        const int gaps = static_cast<int>(most) - 1;
        for (int i = 1; i < gaps; ++i)
            values.push_back(from + (to - from) * i / gaps);
    }
    if (whole) {
        const double unit = to - from < static_cast<double>(most) ? 1 : std::max(step, 1.0);
        for (double &value : values)
            if (value != from && value != to)
                value = std::clamp(std::round(value / unit) * unit, from, to);
    }
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
    return values;
}

std::optional<SweepCrossing> crossingOf(std::span<const SweepPoint> points)
{
    const auto fits = [](const SweepPoint &point) { return point.verdict == Verdict::Fits; };
    const Verdict least = std::ranges::any_of(points, fits) ? Verdict::Fits : Verdict::Tight;
    std::optional<std::size_t> last;
    for (std::size_t i = 0; i < points.size(); ++i) {
        if (!points[i].verdict)
            continue;
        const bool here = *points[i].verdict <= least;
        if (last && (*points[*last].verdict <= least) != here)
            return here ? SweepCrossing{i, *last} : SweepCrossing{*last, i};
        last = i;
    }
    return std::nullopt;
}

} // namespace vramscope
