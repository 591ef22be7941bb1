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
           name == OptimizerName::Lion;
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
    if (foreachCopies(s.optimizer) && s.implementation == OptimizerImplementation::Foreach)
        addSharded(t, ledger,
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
        addSharded(t, ledger,
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
