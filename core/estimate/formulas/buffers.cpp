// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/training.h"

#include <algorithm>

namespace vramscope {

namespace {

void addDdp(const Training &t, Ledger &ledger)
{
    const std::int64_t g = t.trainedGradient;
    const std::int64_t n = t.trained.total();
    if (t.s.gradientAsBucketView) {
        ledger.add(Category::Gradients, "Gradients in DDP buckets", {"{} N", {g, n}}, kWholeStep,
                   {"gradient_as_bucket_view: gradients live in the buckets; pytorch/pytorch#41954",
                    Evidence::Sourced});
        // Dropped gradients come back outside the buckets where nothing is reduced.
        if (t.s.noSync && t.s.accumulationSteps > 1 && t.s.optimizer.zeroGrad != ZeroGrad::Never)
            ledger.add(Category::Gradients, "Gradients outside the buckets under no_sync",
                       {"{} N", {g, n}}, kWhileSaved,
                       {"no_sync: buckets take the gradients in the last micro-batch; measured: "
                        "tests/measure",
                        Evidence::Verified});
    } else
        ledger.add(Category::Communication, "DDP bucket copies", {"{} N", {g, n}}, kWholeStep,
                   {"DDP copies gradients into its buckets; measured: RoBERTa-base "
                    "(pytorch/pytorch#41954)",
                    Evidence::Verified});
}

/// no_sync: the gradients of earlier micro-batches, unsharded. FSDP1 leaves them in the type of its
/// gathered parameters (_post_backward_hook of torch/distributed/fsdp/_runtime_utils.py returns
/// before it casts), FSDP2 casts what it adds up.
void addUnsynced(const Training &t, Ledger &ledger)
{
    const bool casts = t.s.strategy == Strategy::Fsdp2;
    const std::int64_t g = casts ? std::max(t.s.reduceBytes, t.gathered) : t.gathered;
    const std::int64_t n = t.trained.total();
    const std::int64_t bytes = t.fsdp() ? g : t.trainedGradient;
    ledger.add(Category::Gradients, "Unsharded gradients under no_sync", {"{} N", {bytes, n}},
               kForwardToBackward,
               {"no_sync keeps whole gradients from the second micro-batch on; accelerate docs, "
                "gradient synchronization; measured: tests/measure",
                Evidence::Verified});
}

} // namespace

void addBuffers(const Training &t, Ledger &ledger)
{
    if (t.fsdp())
        addFsdpUnits(t, ledger);
    if (t.s.strategy == Strategy::Ddp)
        addDdp(t, ledger);
    if (t.zero())
        addZeroBuffers(t, ledger);
    if (t.keepsUnsharded())
        addUnsynced(t, ledger);
}

} // namespace vramscope
