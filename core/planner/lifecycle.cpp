// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/lifecycle.h"

#include "core/planner/formulas/inference.h"
#include "core/planner/formulas/training.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Every moment of a training step, and every block of the stage while it runs and after.
std::vector<Position> everyPosition(std::int64_t blocks)
{
    std::vector<Position> positions;
    positions.reserve(static_cast<std::size_t>(4 * blocks + 5));
    positions.push_back({StepPhase::Load});
    for (std::int64_t block = 0; block < blocks; ++block) {
        positions.push_back({StepPhase::Forward, block});
        positions.push_back({StepPhase::Forward, block, true});
    }
    positions.push_back({StepPhase::Loss});
    for (std::int64_t block = blocks - 1; block >= 0; --block) {
        positions.push_back({StepPhase::Backward, block});
        positions.push_back({StepPhase::Backward, block, true});
    }
    for (const StepPhase at : {StepPhase::EndOfBackward, StepPhase::Step, StepPhase::Rest})
        positions.push_back({at});
    return positions;
}

/// The points of one step; loading belongs to the first only.
std::vector<LifecyclePoint> pointsOf(const Ledger &ledger, std::span<const Ledger::Line> lines,
                                     std::int64_t blocks, bool first)
{
    std::vector<LifecyclePoint> points;
    points.reserve(ledger.positions().size());
    for (const Position &position : ledger.positions()) {
        if (position.at == StepPhase::Load && !first)
            continue;
        LifecyclePoint point;
        const bool running =
            position.at == StepPhase::Forward || position.at == StepPhase::Backward;
        point.at = position.at;
        point.moment = momentName(position, blocks);
        point.block = running ? position.block : -1;
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
        result.parts.push_back({line.component.category, line.component.name});
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
    const RankInventory rank =
        rankOf(settings, countParameters(settings.architecture), figures.stage);
    if (settings.workload == Workload::Inference) {
        Ledger ledger(servingMoments(), true);
        static_cast<void>(addInference(settings, rank, ledger)); // its figures are in the estimate
        return lifecycleOf(ledger, rank.layers());
    }
    const Training training(settings, rank);
    return lifecycleOf(trainingLedger(training, everyPosition(rank.layers()), true), rank.layers());
}

} // namespace vramscope
