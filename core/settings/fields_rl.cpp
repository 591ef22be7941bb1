// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr Rows<RlFields, &Plan::rl, &Settings::rl> kRl;

constexpr std::array kRlFields = {
    kRl.count([](auto &f) { return &f.tensor; }, "GPUs an engine",
              "GPUs that one copy of the generating engine is split over; there are as many copies "
              "as the GPUs allow.",
              {1, 1024}, applies::rl),
    kRl.count(
        [](auto &f) { return &f.sleepLevel; }, "Sleep level",
        "What the engine does while the trainer works: 0 stays on the GPU, 1 keeps its weights on "
        "the host, 2 drops them. Asleep it has neither weights nor cache on the GPU.",
        {0, 2}, applies::rl),
    kRl.toggle([](auto &f) { return &f.sharedProcess; }, "One process",
               "Trainer and engine run in one process, with one CUDA context, as in TRL.",
               applies::rl),
    kRl.toggle(
        [](auto &f) { return &f.paramOffload; }, "Offload weights",
        "The trainer's weights and lasting gradients are on the host while the engine generates.",
        applies::rl),
    kRl.toggle([](auto &f) { return &f.optimizerOffload; }, "Offload optimizer",
               "The optimizer's states are on the host but in the update.", applies::rl),
    kRl.toggle(
        [](auto &f) { return &f.reference; }, "Reference model",
        "A frozen copy of the model in 16 bits, for the distance from it; adapters need none.",
        applies::rl),
    kRl.toggle([](auto &f) { return &f.referenceOffload; }, "Offload reference",
               "The reference model is on the host but while its log-probabilities are computed.",
               applies::reference),
    kRl.toggle([](auto &f) { return &f.critic; }, "Critic",
               "A value model of the same size is trained beside the policy (PPO).", applies::rl),
    kRl.count([](auto &f) { return &f.logProbMicroBatch; }, "Log-probability batch",
              "Sequences of one forward pass for log-probabilities, without gradients.", {1, 1e6},
              usually<usual::logProbMicroBatch>, applies::rl),
    kRl.size([](auto &f) { return &f.syncBucketBytes; }, "Sync bucket",
             "Whole weights that are gathered at once to be handed to the engine; unset: the "
             "largest tensor.",
             usually<usual::syncBucketBytes>, applies::rl),
};

static_assert(areRowsOf(kRlFields, "rl.tensor", "rl.sync_bucket_bytes"));

} // namespace

std::span<const Field> rlFields()
{
    return kRlFields;
}

} // namespace vramscope
