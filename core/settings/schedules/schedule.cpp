// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/schedules/schedule.h"

#include "core/base/exact.h"

#include <algorithm>

namespace vramscope {

bool isZero(const Settings &s)
{
    return s.strategy == Strategy::Zero1 || s.strategy == Strategy::Zero2 ||
           s.strategy == Strategy::Zero3;
}

bool isMegatron(const Settings &s)
{
    return s.strategy == Strategy::Megatron || s.strategy == Strategy::MegatronDistributedOptimizer;
}

bool hasMegatronLayers(const Settings &s)
{
    return s.kernels == Kernels::MegatronTe || s.kernels == Kernels::MegatronLocal;
}

bool isAutocast(Regime regime)
{
    return regime == Regime::AutocastBf16 || regime == Regime::AutocastFp16;
}

bool isAutocast(const Settings &s)
{
    return isAutocast(s.regime) || (s.regime == Regime::FsdpMixedBf16 && s.trainer == Trainer::Hf);
}

bool castsWeights(const Settings &s)
{
    return isAutocast(s.regime) && s.weightBytes == 4 && s.kernels != Kernels::Compiled &&
           s.adapters.baseQuantization == BaseQuantization::None;
}

bool dividesLogits(const Settings &s)
{
    return s.loss == LossKind::VocabParallel || s.loss == LossKind::VocabParallelFused ||
           s.loss == LossKind::LossParallel;
}

bool lossWithinModel(const Settings &s)
{
    if (s.trainer == Trainer::Torchtitan)
        return false;
    switch (s.loss) {
    case LossKind::CrossEntropy:
        return s.architecture.encoder;
    case LossKind::HfUpcast:
    case LossKind::HfPadded:
    case LossKind::FusedUpcast:
    case LossKind::FusedUpcastCopy:
    case LossKind::LinearFused:
        return true;
    default:
        return false;
    }
}

bool isDTensor(const Settings &s)
{
    return s.tensor > 1 && !isMegatron(s) && !hasMegatronLayers(s) &&
           s.kernels != Kernels::Textbook;
}

std::vector<StepPhase> trainingSchedule(const Settings &s)
{
    std::vector<StepPhase> phases;
    phases.reserve(10);
    phases = {StepPhase::Load, StepPhase::Forward};
    // Autocast drops its copies of the weights, and FSDP2 its last all-gather, before the loss runs
    // backward; all else is higher there.
    if (castsWeights(s) || s.strategy == Strategy::Fsdp2)
        phases.push_back(StepPhase::Logits);
    const bool gathersRoot = s.strategy == Strategy::Fsdp2 && s.units == FsdpUnits::RootResharded;
    if (gathersRoot && lossWithinModel(s))
        phases.push_back(StepPhase::StartOfBackward);
    phases.push_back(StepPhase::Loss);
    if (gathersRoot && !lossWithinModel(s))
        phases.push_back(StepPhase::StartOfBackward);
    phases.insert(phases.end(), {StepPhase::Backward, StepPhase::EndOfBackward});
    if (isZero(s) && s.strategy != Strategy::Zero3) // whose norm no recording tells from its step
        phases.push_back(StepPhase::GradientNorm);
    phases.insert(phases.end(), {StepPhase::Step, StepPhase::Rest});
    return phases;
}

std::vector<StepPhase> servingSchedule()
{
    return {StepPhase::Load, StepPhase::Profile, StepPhase::Serve, StepPhase::Rest};
}

/// 1F1B min(m, p - i); interleaved min(m v, 2 (p - i - 1) + (v - 1) p + 1) (Megatron's schedules);
/// GPipe all micro-batches (Huang et al. 2018); zero bubble as many on every stage as 1F1B on the
/// first (Qi et al. 2023, ZB-H1 with the memory of 1F1B).
std::int64_t chunksInFlight(const Settings &s, std::int64_t stage)
{
    const std::int64_t p = s.pipeline;
    const std::int64_t v = s.virtualStages;
    if (p == 1)
        return 1;
    const Exact issued = Exact(s.accumulationSteps) * v;
    if (s.schedule == Schedule::GPipe)
        return issued.value();
    if (s.schedule == Schedule::ZeroBubble)
        return std::min(issued.value(), p * v);
    if (v == 1)
        return std::min(s.accumulationSteps, p - stage);
    return std::min(issued.value(), 2 * (p - stage - 1) + (v - 1) * p + 1);
}

std::vector<Position> peakPositions(std::span<const StepPhase> schedule,
                                    std::span<const std::int64_t> turns, std::int64_t blocks,
                                    std::span<const std::int64_t> larger)
{
    std::vector<Position> positions;
    positions.reserve(schedule.size() + turns.size() + larger.size());
    for (const StepPhase phase : schedule) {
        for (std::size_t i = 0; phase == StepPhase::Forward && i < larger.size(); ++i)
            positions.push_back({phase, larger[i]});
        if (phase == StepPhase::Backward) {
            for (const std::int64_t block : turns)
                positions.push_back({phase, block});
            positions.push_back({phase, 0, true}); // all gradients of the blocks are there
        } else {
            positions.push_back({phase, runsBlocks(phase) ? blocks - 1 : 0});
        }
    }
    return positions;
}

std::vector<Position> everyPosition(std::span<const StepPhase> schedule, std::int64_t blocks)
{
    std::vector<Position> positions;
    positions.reserve(schedule.size() + static_cast<std::size_t>(4 * blocks));
    for (const StepPhase phase : schedule) {
        if (!runsBlocks(phase)) {
            positions.push_back({phase});
            continue;
        }
        for (std::int64_t i = 0; i < blocks; ++i) {
            const std::int64_t block = phase == StepPhase::Forward ? i : blocks - 1 - i;
            positions.push_back({phase, block});
            positions.push_back({phase, block, true});
        }
    }
    return positions;
}

} // namespace vramscope
