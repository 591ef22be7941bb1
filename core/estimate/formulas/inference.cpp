// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/inference.h"

#include "core/estimate/formulas/serving.h"
#include "core/plan/field_path.h"

namespace vramscope {

InferenceFigures addInference(const Settings &settings, const RankInventory &rank, Ledger &ledger)
{
    Serving serving = {settings, rank, kvCacheOf(settings, rank)};
    if (settings.engine == Engine::LlamaCpp)
        serving.llama.emplace(settings, rank.stage);
    InferenceFigures figures;
    figures.kvBytesPerToken = serving.cache.bytesPerToken().value();
    figures.stateBytesPerSequence = serving.cache.states(1).value();
    addServedWeights(serving, ledger, figures);
    if (settings.engine == Engine::Vllm)
        addVllm(serving, ledger, figures);
    else if (settings.engine == Engine::Sglang)
        addSglang(serving, ledger, figures);
    else if (settings.engine == Engine::TrtLlm)
        addTrtLlm(serving, ledger, figures);
    else
        addStatedCache(serving, ledger, figures);
    const PhaseSet when = throughout(settings);
    ledger.add(Category::Parameters, "Registered buffers", settings.model.bufferBytes, when,
               {FieldPath("model.buffer_bytes"), Evidence::Sourced},
               {"model.buffer_bytes = {}", {settings.model.bufferBytes}});
    ledger.add(Category::Framework, "Other resident tensors", settings.residentBytes, when,
               calibratedOr(settings.calibrated.resident,
                            {FieldPath("overheads.resident_bytes"), Evidence::Sourced}),
               {"overheads.resident_bytes = {}", {settings.residentBytes}});
    if (!sizesItsCache(settings))
        fillStatedLimits(serving, ledger, figures);
    return figures;
}

} // namespace vramscope
