// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/offload.h"

#include "core/settings/field_conditions.h"

#include <algorithm>

namespace vramscope {

Exact momentsOf(const Training &t)
{
    const auto held = [&](Share count) {
        return sharded(count, 1, t.dense.optimizer, t.expert.optimizer);
    };
    switch (t.s.optimizer.name) {
    case OptimizerName::AdamW:
    case OptimizerName::Adam:
    case OptimizerName::AdamW8bit:
    case OptimizerName::AdamW4bit:
    case OptimizerName::AdamWScheduleFree:
    case OptimizerName::Shampoo:
        return Exact(2) * held(t.trained);
    case OptimizerName::Prodigy:
        return Exact(3) * held(t.trained) + held(prodigyOrigins(t));
    case OptimizerName::SgdMomentum:
    case OptimizerName::Lion:
        return held(t.trained);
    case OptimizerName::Muon: { // AdamW's two for all but the matrices of blocks
        const Share matrices = muonParameters(t);
        return held(matrices) + Exact(2) * held({t.trained.dense - matrices.dense,
                                                 t.trained.expert - matrices.expert});
    }
    case OptimizerName::Sgd:
    case OptimizerName::AdafactorTorch:
    case OptimizerName::Adafactor: // sums of rows and columns: negligible
    case OptimizerName::None:
        break;
    }
    return 0;
}

namespace {

/// The frozen base of an adapter as this rank's shard stores it.
Exact frozenShard(const Training &t)
{
    if (!t.lora())
        return 0;
    if (t.s.adapters.baseQuantization == BaseQuantization::None)
        return sharded(t.rank.share(), t.s.weightBytes, t.dense.weights, t.expert.weights);
    const StoredWeights base = quantisedBase(t);
    const Exact w = t.s.adapters.upcastUnquantized ? 4 : t.s.weightBytes;
    const Exact experts = base.expertBytes + w * base.expertRest;
    return dividedUp(excess(base.bytes + w * base.rest, experts), t.dense.weights) +
           dividedUp(experts, t.expert.weights);
}

/// Gradients go down to the states, and weights come up where they are not on the host as well.
void addStates(const Training &t, Offload &offload)
{
    const Settings &s = t.s;
    const Exact count = sharded(t.trained, 1, t.dense.optimizer, t.expert.optimizer);
    const Exact states =
        Exact::ceiling(s.optimizer.stateBytes * static_cast<double>(momentsOf(t).value())) +
        Exact(s.masterWeightBytes) * count;
    if (applies::statesOnDrives(s)) {
        const Exact buffer = std::min(count, Exact(s.bucket.subGroup));
        offload.driveBytes += states + Exact(s.masterWeightBytes) * count; // and the gradients
        offload.hostBytes += Exact(s.masterWeightBytes * s.bucket.stateBuffers) * buffer;
    } else {
        offload.hostBytes += states;
    }
    if (t.fsdp() && s.cpuOffload) {
        const std::int64_t reductions = s.noSync ? 1 : s.accumulationSteps;
        offload.hostBytes += Exact(t.trainedGradient) * count;
        offload.toHost += Exact(t.trainedGradient * reductions) * count;
        return;
    }
    offload.toHost += Exact(t.trainedGradient) * count;
    if (!s.cpuOffload)
        offload.toDevice += Exact(t.trainedWeight) * count;
}

/// Shards of the weights come up for each gather; those that the GPU has updated go down again.
void addWeights(const Training &t, Offload &offload)
{
    const Exact count = sharded(t.trained, 1, t.dense.optimizer, t.expert.optimizer);
    const Exact trained = Exact(t.trainedWeight) * count;
    const Exact weights = trained + frozenShard(t);
    if (applies::weightsOnDrives(t.s)) {
        const Exact held = std::min(weights, Exact(t.s.weightBytes) * t.s.bucket.maxInCpu);
        offload.driveBytes += excess(weights, held);
        offload.hostBytes +=
            held + Exact(t.s.weightBytes * t.s.bucket.weightBuffers) * t.s.bucket.weightBuffer;
    } else {
        offload.hostBytes += weights;
    }
    offload.toDevice +=
        Exact((t.reshards() || t.zero3() ? 2 : 1) * t.s.accumulationSteps) * weights;
    if (!t.statesOnHost())
        offload.toHost += trained;
}

void addBlockInputs(const Training &t, Offload &offload)
{
    const std::int64_t each = t.s.checkpointing == Checkpointing::EveryK ? t.s.every : 1;
    const auto inputs = [&](std::int64_t blocks) {
        const std::int64_t sp = t.s.sequenceParallel ? t.s.tensor : 1;
        return Exact(t.residual) * dividedUp(Exact(t.s.architecture.hidden), sp) * t.tokens *
               dividedUp(Exact(blocks), each);
    };
    Exact inputsOfOne;
    for (const RankGroup &group : t.rank.groups)
        inputsOfOne += inputs(group.count);
    offload.hostBytes += dividedUp(inputsOfOne * t.flights, t.chunks);
    offload.toHost += inputsOfOne * t.s.accumulationSteps;
    offload.toDevice += inputsOfOne * t.s.accumulationSteps;
}

} // namespace

Offload offloadOf(const Training &t)
{
    const Settings &s = t.s;
    Offload offload;
    if (t.statesOnHost())
        addStates(t, offload);
    if (s.cpuOffload)
        addWeights(t, offload);
    if (s.activationOffload &&
        (s.checkpointing == Checkpointing::Full || s.checkpointing == Checkpointing::EveryK))
        addBlockInputs(t, offload);
    return offload;
}

} // namespace vramscope
