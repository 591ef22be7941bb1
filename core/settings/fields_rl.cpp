// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr auto kRl = &Plan::rl;

constexpr std::array kRlFields = {
    count<kRl, &PlanRl::tensor>(
        {"rl.tensor", "GPUs an engine",
         "GPUs that one copy of the generating engine is split over; there are as many copies as "
         "the GPUs allow."},
        {1, 1024}, setting<&Settings::engineTensor>, applies::rl),
    count<kRl, &PlanRl::sleepLevel>(
        {"rl.sleep_level", "Sleep level",
         "What the engine does while the trainer works: 0 stays on the GPU, 1 keeps its weights on "
         "the host, 2 drops them. Asleep it has neither weights nor cache on the GPU."},
        {0, 2}, setting<&Settings::sleepLevel>, applies::rl),
    toggle<kRl, &PlanRl::sharedProcess>(
        {"rl.shared_process", "One process",
         "Trainer and engine run in one process, with one CUDA context, as in TRL."},
        setting<&Settings::sharedProcess>, applies::rl),
    toggle<kRl, &PlanRl::paramOffload>(
        {"rl.param_offload", "Offload weights",
         "The trainer's weights and lasting gradients are on the host while the engine generates."},
        setting<&Settings::parameterOffload>, applies::rl),
    toggle<kRl, &PlanRl::optimizerOffload>(
        {"rl.optimizer_offload", "Offload optimizer",
         "The optimizer's states are on the host but in the update."},
        setting<&Settings::stateOffload>, applies::rl),
    toggle<kRl, &PlanRl::reference>(
        {"rl.reference", "Reference model",
         "A frozen copy of the model in 16 bits, for the distance from it; adapters need none."},
        setting<&Settings::reference>, applies::rl),
    toggle<kRl, &PlanRl::referenceOffload>(
        {"rl.reference_offload", "Offload reference",
         "The reference model is on the host but while its log-probabilities are computed."},
        setting<&Settings::referenceOffload>, applies::reference),
    toggle<kRl, &PlanRl::critic>(
        {"rl.critic", "Critic",
         "A value model of the same size is trained beside the policy (PPO)."},
        setting<&Settings::critic>, applies::rl),
    count<kRl, &PlanRl::logProbMicroBatch>(
        {"rl.log_prob_micro_batch", "Log-probability batch",
         "Sequences of one forward pass for log-probabilities, without gradients."},
        {1, 1e6}, setting<&Settings::logProbMicroBatch, usual::logProbMicroBatch>, applies::rl),
    size<kRl, &PlanRl::syncBucketBytes>(
        {"rl.sync_bucket_bytes", "Sync bucket",
         "Whole weights that are gathered at once to be handed to the engine; unset: the largest "
         "tensor."},
        setting<&Settings::syncBucketBytes, usual::syncBucketBytes>, applies::rl),
};

static_assert(areRowsOf(kRlFields, "rl.tensor", "rl.sync_bucket_bytes"));

} // namespace

std::span<const Field> rlFields()
{
    return kRlFields;
}

} // namespace vramscope
