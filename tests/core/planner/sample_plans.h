// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/plan/plan.h"

#include <cstdint>
#include <string_view>

namespace vramscope::test {

/// Llama 3 8B in pure bf16 on one A100: 2 sequences of 2,048 tokens, AdamW foreach, no savers.
[[nodiscard]] inline Plan smallPlan()
{
    Plan plan;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "a100-sxm-80gb";
    plan.precision.regime = Regime::PureBf16;
    plan.batch.microBatch = 2;
    plan.batch.sequenceLength = 2048;
    return plan;
}

/// The same under FSDP on `gpus` GPUs.
[[nodiscard]] inline Plan shardedPlan(std::int64_t gpus, Strategy strategy = Strategy::Fsdp2)
{
    Plan plan = smallPlan();
    plan.parallel.strategy = strategy;
    plan.parallel.data = gpus;
    return plan;
}

/// The bytes of a component at a moment; 0 where there is none of that name.
inline Bytes partAt(const Estimate &result, std::string_view moment, std::string_view name)
{
    for (const Moment &it : result.moments)
        for (const Component &component : it.components)
            if (it.name == moment && component.name == name)
                return component.bytes;
    return 0;
}

} // namespace vramscope::test
