// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reconcile/reconcile.h"

namespace vramscope::test {

inline SideBytes sideOf(Bytes parameters, Bytes activations, Bytes unknown = 0)
{
    SideBytes side;
    side.byCategory[static_cast<std::size_t>(Category::Parameters)] = parameters;
    side.byCategory[static_cast<std::size_t>(Category::Activations)] = activations;
    side.unknown = unknown;
    return side;
}

/// Forward found, the loss found and cut off, backward not found; at the loss 3 GiB more are
/// recorded than predicted, of which a fact is 1 GiB, a setting 1.5 GiB, and 0.5 GiB unexplained.
inline Reconciliation sampleReconciliation()
{
    Reconciliation held;
    held.step = "step 1 of 1";
    held.whyThisStep = "the only one";
    held.moments = {
        {"forward", "forward", true, 10, "highest in forward", sideOf(5 * kGiB, 20 * kGiB),
         sideOf(5 * kGiB, 21 * kGiB), false},
        {"loss", "loss", true, 20, "highest at the loss", sideOf(5 * kGiB, 30 * kGiB),
         sideOf(5 * kGiB, 32 * kGiB, kGiB), true},
        {"backward",
         "first backward block",
         false,
         -1,
         "the recording ends at the loss",
         sideOf(5 * kGiB, 28 * kGiB),
         {},
         false},
    };
    held.compared = 1;
    held.reasons = {
        {Reason::Kind::Fact, "Never freed", kGiB, kGiB, {}},
        {Reason::Kind::Setting,
         "Micro-batch 2 instead of 1",
         kGiB + kGiB / 2,
         kGiB,
         {{"batch.micro_batch", std::int64_t(2)}}},
    };
    held.unexplained = kGiB / 2;
    held.candidates = {
        {Reason::Kind::Part, "Activations differ", kGiB / 2, 0, {}},
        {Reason::Kind::Setting,
         "Sequence length 4,096",
         2 * kGiB,
         kGiB,
         {{"batch.sequence_length", std::int64_t(4096)}}},
    };
    held.levels = {{"peak allocated", 35 * kGiB, 38 * kGiB, "the highest event"},
                   {"peak device", 40 * kGiB, {}, "the file does not tell"}};
    held.calibrations = {
        {"overheads.reserved_factor", "Reserved of allocated", 1.08, 1.0232, false, "the peaks"},
        {"overheads.context_bytes", "CUDA context", 5e8, 5e8, true, "the device"}};
    held.failed = FailedRequest{20,
                                4 * kGiB,
                                "cross_entropy at functional.py:3504",
                                {{"logits in fp32", "4 T V", Category::LossAndLogits, 4 * kGiB}}};
    return held;
}

} // namespace vramscope::test
