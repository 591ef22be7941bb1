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

/// Muon orthogonalises one matrix at a time, whole; AdamW then updates the rest with lists of its
/// own. The larger of both is the step's.
void addMuonTemporaries(const Training &t, Ledger &ledger, std::int64_t w)
{
    const Exact update = largestMuonUpdate(t);
    const Share matrices = muonParameters(t);
    const Share rest = {t.trained.dense - matrices.dense, t.trained.expert - matrices.expert};
    const std::int64_t d = t.dense.optimizer;
    const bool lists = t.s.implementation == OptimizerImplementation::Foreach;
    if (lists && sharded(rest, w, d, t.expert.optimizer) > update) {
        addSharded(
            rest, ledger,
            {Category::TemporaryBuffers,
             "Foreach temporaries of AdamW",
             0,
             {At::Step},
             {At::Step},
             {"AdamW's list for embeddings, head and vectors; torch.optim", Evidence::Sourced}},
            w, d, t.expert.optimizer);
        return;
    }
    const MomentSet when =
        t.inBackward() ? MomentSet{At::Backward, At::EndOfBackward} : MomentSet{At::Step};
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
    if (single && s.optimizer != OptimizerName::Sgd && s.optimizer != OptimizerName::SgdMomentum) {
        const std::int64_t largest = std::min(t.rank.largestTensor, t.trained.total());
        const MomentSet when =
            t.inBackward() ? MomentSet{At::Backward, At::EndOfBackward} : MomentSet{At::Step};
        ledger.add(
            Category::TemporaryBuffers, "Update of the largest tensor",
            Exact(w) * dividedUp(Exact(largest), d), when,
            {"A for-loop over tensors holds one update at a time; derived from tensor shapes",
             Evidence::Derived},
            {"{} n_max / D = {} × ⌈{} / {}⌉", {w, w, largest, d}}, d);
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
