// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/field.h"
#include "core/plan/plan.h"

namespace vramscope::test {

/// Llama 3 8B under FSDP2 in mixed bf16 on eight H100: a sequence of 8,192 tokens, no savers.
[[nodiscard]] inline Plan samplePlan()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.data = 8;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 8192;
    return plan;
}

inline const Field &field(const char *path)
{
    return *findField(path);
}

} // namespace vramscope::test
