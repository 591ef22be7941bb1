// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/job_text.h"

#include "core/base/format.h"
#include "core/catalog/catalogue.h"
#include "core/planner/diffusion/pipelines.h"
#include "core/planner/settings.h"

#include <array>

namespace vramscope {

std::string modelText(const Plan &plan, const Settings &s)
{
    if (plan.model.preset) {
        const CatalogueModel *preset = findCatalogueModel(*plan.model.preset);
        return preset ? preset->title : "An unknown model";
    }
    if (s.diffusion)
        return s.diffusion->title;
    return s.architecture.modelType.empty()
               ? "A model"
               : "A model of type " + printable(s.architecture.modelType.substr(0, 40));
}

namespace {

/// What is done with the model.
std::string_view taskText(const Settings &s)
{
    if (s.diffusion)
        return s.workload == Workload::Training ? ", LoRA" : "";
    if (s.workload == Workload::Training) {
        if (s.adapters == AdapterKind::None)
            return ", full training";
        return s.baseQuantization == BaseQuantization::None ? ", LoRA" : ", QLoRA";
    }
    constexpr auto kServed = std::to_array<std::string_view>(
        {", served by vLLM", ", served by transformers", ", served by llama.cpp", ", served"});
    return kServed[static_cast<std::size_t>(s.engine)];
}

} // namespace

std::string jobText(const Plan &plan, const Settings &s)
{
    const std::string gpu = s.gpu ? s.gpu->title : s.gpus == 1 ? "GPU" : "GPUs";
    return modelText(plan, s).append(taskText(s)) + " on " + formatCount(s.gpus) +
           (s.gpu ? " × " : " ") + gpu;
}

} // namespace vramscope
