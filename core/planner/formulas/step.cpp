// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/training.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Lists of parameter size that the optimizer's foreach implementation makes beside its states:
/// Adam's denominators, Lion's signs; SGD updates in place.
bool foreachCopies(OptimizerName name)
{
    return name == OptimizerName::AdamW || name == OptimizerName::Adam ||
           name == OptimizerName::Lion || name == OptimizerName::Shampoo;
}

/// Bytes per element of the tensors that the update of one parameter holds at once, beside weights,
/// gradient and states. Measured: tests/measure, family "optimizer".
std::int64_t updateBytes(OptimizerName name, std::int64_t weightBytes)
{
    switch (name) {
    case OptimizerName::AdamW:
    case OptimizerName::Adam:
        return 2 * weightBytes; // the root of the second moment, and that divided by its correction
    case OptimizerName::Lion:
        return 3 * weightBytes; // both addends of the update and their sum
    case OptimizerName::Adafactor:
        // The squared gradient and its sum with epsilon, later the update and its negative, in
        // fp32; beside fp32 copies of gradient and weight where these are narrower.
        return weightBytes == 4 ? 8 : 16;
    default:
        return weightBytes;
    }
}

void addLargestUpdate(const Training &t, Ledger &ledger, std::int64_t bytes, std::int64_t largest,
                      MomentSet when)
{
    const std::int64_t d = t.dense.optimizer;
    ledger.add(Category::TemporaryBuffers, "Update of the largest tensor",
               Exact(bytes) * dividedUp(Exact(largest), d), when,
               {"A for-loop over tensors holds one update at a time; measured: tests/measure",
                Evidence::Verified},
               {"{} n_max / D = {} × ⌈{} / {}⌉", {bytes, bytes, largest, d}}, d);
}

/// Muon orthogonalises one matrix at a time, whole; AdamW updates the rest, by lists or one tensor
/// at a time. The larger of both is the step's.
void addMuonTemporaries(const Training &t, Ledger &ledger, std::int64_t w)
{
    const Exact update = largestMuonUpdate(t);
    const Share matrices = muonParameters(t);
    const Share rest = {t.trained.dense - matrices.dense, t.trained.expert - matrices.expert};
    const std::int64_t d = t.dense.optimizer;
    const MomentSet when =
        t.inBackward() ? MomentSet{At::Backward, At::EndOfBackward} : MomentSet{At::Step};
    const bool lists = t.s.implementation == OptimizerImplementation::Foreach;
    if (lists && sharded(rest, w, d, t.expert.optimizer) > update) {
        addSharded(
            rest, ledger,
            {Category::TemporaryBuffers,
             "Foreach temporaries of AdamW",
             0,
             when,
             when,
             {"AdamW's list for embeddings, head and vectors; torch.optim", Evidence::Sourced}},
            w, d, t.expert.optimizer);
        return;
    }
    const std::int64_t largest = std::min(t.rank.largestTensor, rest.total());
    const std::int64_t bytes = updateBytes(OptimizerName::AdamW, w);
    const bool oneByOne = t.inBackward() || t.s.implementation == OptimizerImplementation::ForLoop;
    if (oneByOne && Exact(bytes) * dividedUp(Exact(largest), d) > update) {
        addLargestUpdate(t, ledger, bytes, largest, when);
        return;
    }
    ledger.add(Category::TemporaryBuffers, "Orthogonalised update", update, when,
               {"Newton–Schulz of the largest matrix: the update, the iterate and its successor in "
                "bf16, two products of the shorter side; torch.optim.Muon",
                Evidence::Sourced, 0.2},
               {"(4 + {}) r c + 4 r² = {}", {t.trainedWeight, update.value()}});
}

} // namespace

void addStepTemporaries(const Training &t, Ledger &ledger)
{
    const Settings &s = t.s;
    const std::int64_t d = t.dense.optimizer;
    const std::int64_t w = s.masterWeightBytes > 0 ? s.masterWeightBytes : t.trainedWeight;
    if (s.optimizer == OptimizerName::None || s.optimizerOffload || s.cpuOffload)
        return;
    const std::int64_t e = t.expert.optimizer;
    if (s.optimizer == OptimizerName::Muon)
        addMuonTemporaries(t, ledger, w);
    if (foreachCopies(s.optimizer) && s.implementation == OptimizerImplementation::Foreach)
        addSharded(t.trained, ledger,
                   {Category::TemporaryBuffers,
                    "Foreach temporaries",
                    0,
                    {At::Step},
                    {At::Step},
                    {"torch's foreach implementation makes one list of all local parameters' size; "
                     "measured: fms-acceleration A100 benchmarks",
                     Evidence::Verified}},
                   w, d, e);
    const bool single = s.implementation == OptimizerImplementation::ForLoop ||
                        (t.inBackward() && foreachCopies(s.optimizer)) ||
                        s.optimizer == OptimizerName::Adafactor;
    const bool inPlace =
        s.optimizer == OptimizerName::Sgd || s.optimizer == OptimizerName::SgdMomentum;
    if (single && !inPlace && s.optimizer != OptimizerName::Muon) {
        const std::int64_t largest = std::min(t.rank.largestTensor, t.trained.total());
        const MomentSet when =
            t.inBackward() ? MomentSet{At::Backward, At::EndOfBackward} : MomentSet{At::Step};
        addLargestUpdate(t, ledger, updateBytes(s.optimizer, w), largest, when);
    }
    if (t.castsGradients())
        addSharded(t.trained, ledger,
                   {Category::TemporaryBuffers,
                    "Gradients in fp32 for the step",
                    0,
                    {At::Step},
                    {At::Step},
                    {"The partition of the gradients is cast and dropped; DeepSpeed docs, memory "
                     "requirements",
                     Evidence::Sourced}},
                   4, d, e);
}

} // namespace vramscope
