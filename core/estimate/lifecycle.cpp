// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/lifecycle.h"

#include "core/estimate/diffusion/diffusion.h"
#include "core/estimate/formulas/inference.h"
#include "core/estimate/formulas/training.h"
#include "core/estimate/rollout/rollout_memory.h"
#include "core/settings/schedules/schedule.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The points of one step; loading belongs to the first only.
std::vector<LifecyclePoint> pointsOf(const Ledger &ledger, std::span<const Ledger::Line> lines,
                                     std::int64_t blocks, bool first)
{
    std::vector<LifecyclePoint> points;
    points.reserve(ledger.positions().size());
    for (const Position &position : ledger.positions()) {
        if (position.phase == StepPhase::Load && !first)
            continue;
        LifecyclePoint point;
        point.phase = position.phase;
        point.moment = positionName(position, blocks);
        point.block = runsBlocks(position.phase) ? position.block : -1;
        point.after = position.after;
        point.bytes.reserve(lines.size());
        for (const Ledger::Line &line : lines) {
            point.bytes.push_back(line.entry.at(position, first).value());
            point.allocated += point.bytes.back();
        }
        if (point.allocated > 0) // else a moment that this engine does not have
            points.push_back(std::move(point));
    }
    return points;
}

Lifecycle lifecycleOf(const Ledger &ledger, std::int64_t blocks)
{
    Lifecycle result;
    std::vector<Ledger::Line> lines(ledger.lines().begin(), ledger.lines().end());
    std::ranges::stable_sort(lines, {}, [](const auto &line) { return line.entry.category; });
    for (const Ledger::Line &line : lines)
        result.parts.push_back({line.component.category, line.component.name, line.entry.stream});
    result.firstStep = pointsOf(ledger, lines, blocks, true);
    result.steadyStep = pointsOf(ledger, lines, blocks, false);
    return result;
}

} // namespace

Lifecycle lifecycle(const Estimate &figures)
{
    if (!figures.computed)
        return {};
    const Settings &settings = *figures.settings;
    if (settings.diffusion)
        return lifecycleOf(diffusionLedger(settings, true), 1);
    const RankInventory rank =
        rankOf(settings, countParameters(settings.architecture), figures.stage);
    if (settings.workload == Workload::Inference) {
        Ledger ledger(everyPosition(servingSchedule(), rank.layers()), true);
        static_cast<void>(addInference(settings, rank, ledger)); // its figures are in the estimate
        return lifecycleOf(ledger, rank.layers());
    }
    const Training training(settings, rank);
    const std::vector<Position> positions =
        everyPosition(trainingSchedule(settings), rank.layers());
    if (settings.rollout)
        return lifecycleOf(rolloutMemory(training, withRollout(positions), true).ledger,
                           rank.layers());
    return lifecycleOf(trainingLedger(training, positions, true), rank.layers());
}

} // namespace vramscope
