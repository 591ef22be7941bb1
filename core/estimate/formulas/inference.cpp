// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/inference.h"

#include "core/estimate/formulas/serving.h"

#include <algorithm>

namespace vramscope {

namespace {

/// An engine that sizes its cache: adds it, and says why a plan is refused.
struct EnginePool
{
    Engine engine;
    void (*add)(const Serving &, Ledger &, InferenceFigures &);
    void (*refuse)(const Settings &, Estimate &);
};

constexpr EnginePool kEnginePools[] = {
    {Engine::Vllm, addVllm, refuseVllm},
    {Engine::Sglang, addSglang, refuseSglang},
    {Engine::TrtLlm, addTrtLlm, refuseTrtLlm},
};
static_assert(std::ranges::count_if(kEngineTraits, [](const EngineTraits &engine) {
                  return engine.has(EngineTraits::Pool);
              }) == std::ssize(kEnginePools));

const EnginePool *poolOf(Engine engine)
{
    const auto *found = std::ranges::find(kEnginePools, engine, &EnginePool::engine);
    return found == std::end(kEnginePools) ? nullptr : found;
}

} // namespace

InferenceFigures addInference(const Settings &settings, const RankInventory &rank, Ledger &ledger)
{
    Serving serving = {settings, rank, kvCacheOf(settings, rank)};
    if (settings.engine == Engine::LlamaCpp)
        serving.llama.emplace(settings, rank.stage);
    InferenceFigures figures;
    figures.kvBytesPerToken = serving.cache.bytesPerToken().value();
    figures.stateBytesPerSequence = serving.cache.states(1).value();
    addServedWeights(serving, ledger, figures);
    const EnginePool *pool = poolOf(settings.engine);
    (pool ? pool->add : addStatedCache)(serving, ledger, figures);
    const PhaseSet when = throughout(settings);
    ledger.add(Category::Parameters, "Registered buffers", settings.model.bufferBytes, when,
               {FieldPath("model.buffer_bytes"), Evidence::Sourced},
               {"model.buffer_bytes = {}", {settings.model.bufferBytes}});
    ledger.add(Category::Framework, "Other resident tensors", settings.residentBytes, when,
               calibratedOr(settings.calibrated.resident,
                            {FieldPath("overheads.resident_bytes"), Evidence::Sourced}),
               {"overheads.resident_bytes = {}", {settings.residentBytes}});
    if (!pool)
        fillStatedLimits(serving, ledger, figures);
    return figures;
}

void refuseCache(const Settings &settings, Estimate &result)
{
    if (const EnginePool *pool = poolOf(settings.engine))
        pool->refuse(settings, result);
    if (!cacheSuffices(result.inference) && result.fits)
        result.fits = false;
}

} // namespace vramscope
