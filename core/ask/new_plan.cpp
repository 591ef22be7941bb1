// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/new_plan.h"

namespace vramscope {

Plan newPlan()
{
    Plan plan;
    plan.workload = Workload::Training;
    plan.model.preset = "llama-3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 8;
    plan.parallel.data = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.batch.microBatch = 1;
    plan.batch.sequenceLength = 8192;
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

Plan plainTraining()
{
    Plan plan = newPlan();
    plan.model = {};
    plan.hardware = {};
    plan.parallel.data.reset();
    return plan;
}

Plan plainServing()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.inference.engine = Engine::Vllm;
    return plan;
}

} // namespace vramscope
