// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/step_curves.h"

#include "core/print/plan_report.h"
#include "ui/support/text.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const std::string kEndOfBackward = "end of backward";

QString capitalized(QString text)
{
    if (!text.isEmpty())
        text[0] = text[0].toUpper();
    return text;
}

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
    return curve;
}

} // namespace vramscope
