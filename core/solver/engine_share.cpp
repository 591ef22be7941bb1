// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/engine_share.h"

#include "core/estimate/estimate.h"
#include "core/estimate/formulas/inference.h"
#include "core/estimate/verdict.h"
#include "core/settings/engines/vllm_releases.h"
#include "core/settings/settings.h"

#include <cmath>

namespace vramscope {

namespace {

constexpr FieldPath kUtilization = "inference.gpu_memory_utilization";
constexpr FieldPath kFraction = "inference.sglang.mem_fraction_static";
constexpr int kParts = 1000; ///< of a share

double shareOf(int part)
{
    return static_cast<double>(part) / kParts;
}

/// An engine as another budget for the same model and GPU.
struct Budget
{
    std::string_view title;
    Engine engine;
    std::string_view version;
};
constexpr std::string_view kNewestVllm = traitsOf(Engine::Vllm).newest;
constexpr Budget kBudgets[] = {{"vLLM 0.20 and older", Engine::Vllm, "0.20.0"},
                               {"vLLM 0.21 and newer", Engine::Vllm, kNewestVllm},
                               {"SGLang", Engine::Sglang, traitsOf(Engine::Sglang).newest}};

FieldPath shareField(Engine engine)
{
    return engine == Engine::Sglang ? kFraction : kUtilization;
}

Estimate at(Plan plan, FieldPath field, int part)
{
    fieldAt(field).set(plan, shareOf(part));
    return estimate(plan);
}

/// The first part for which `holds` is true, if it is true for all later ones; nothing if for none.
template<class Holds>
std::optional<int> firstPart(Holds holds)
{
    int low = 1;
    int high = kParts + 1;
    while (low < high) {
        const int middle = low + (high - low) / 2;
        if (holds(middle))
            high = middle;
        else
            low = middle + 1;
    }
    return low > kParts ? std::nullopt : std::optional(low);
}

bool hasCache(const Estimate &estimate, Bytes bytes)
{
    return estimate.inference && estimate.inference->kvCache >= bytes;
}

/// The plan with the engine of a budget instead of its own; settings that the release decides are
/// the release's.
Plan under(const Budget &budget, Plan plan)
{
    plan.inference.engine = budget.engine;
    plan.inference.engineVersion = std::string(budget.version);
    plan.inference.kvCacheMemoryBytes.reset();
    return plan;
}

} // namespace

bool isEngineShare(FieldPath field)
{
    return field == kUtilization || field == kFraction;
}

std::optional<double> lowerShareThatFits(const Plan &plan, const Settings &s, FieldPath share)
{
    constexpr int kHundredth = kParts / 100;
    const Field &field = fieldAt(share);
    if (s.workload != Workload::Inference || !field.applies(s) || s.capacity <= 0)
        return std::nullopt;
    const auto within = [&](const Estimate &it) {
        return it.computed && verdictOf(it) && it.uncertaintyHigh <= s.capacity &&
               it.peakDevice <= s.capacity;
    };
    if (within(estimate(plan)))
        return std::nullopt;
    const double inForce = std::get<double>(field.inForce(s));
    int low = 0; // in hundredths: the last one within, if any
    int high = static_cast<int>(std::ceil(100 * inForce));
    while (high - low > 1) {
        const int middle = (low + high) / 2;
        (within(at(plan, share, middle * kHundredth)) ? low : high) = middle;
    }
    return low > 0 ? std::optional(shareOf(low * kHundredth)) : std::nullopt;
}

Result<EngineShare> engineShare(const Plan &plan, const Field &field)
{
    const Estimate now = estimate(plan);
    if (!now.computed || !now.inference)
        return invalid(now.computed ? "A share of the GPU is a setting of serving."
                                    : whyNotComputed(now));
    if (!field.applies(*now.settings))
        return invalid(std::string(field.path) + " has no say in this plan.");
    if (!now.inference->keepsCache())
        return invalid("An encoder keeps no cache, so its share of the GPU decides nothing.");
    if (now.settings->kvCacheMemoryBytes >= 0 && now.settings->engine == Engine::Vllm)
        return invalid("The plan states its cache as inference.kv_cache_memory_bytes: leave that "
                       "out to ask for a share.");
    EngineShare result;
    result.field = &field;
    result.inForce = std::get<double>(field.inForce(*now.settings));
    result.cache = now.inference->kvCache;
    const auto served =
        firstPart([&](int part) { return cacheSuffices(at(plan, field.path, part).inference); });
    const auto tooMuch = firstPart([&](int part) {
        const Estimate there = at(plan, field.path, part);
        return there.capacity && there.peakDevice > *there.capacity;
    });
    if (served)
        result.least = shareOf(*served);
    if (tooMuch != 1)
        result.most = shareOf(tooMuch ? *tooMuch - 1 : kParts);
    const bool inside = vllmRelease(*now.settings).graphs == GraphMemory::WithinShare;
    for (const Budget &budget : kBudgets) {
        const bool isOwn =
            budget.engine == now.settings->engine &&
            (budget.engine != Engine::Vllm || inside == (budget.version == kNewestVllm));
        if (isOwn || result.cache == 0)
            continue;
        const Plan other = under(budget, plan);
        const FieldPath share = shareField(budget.engine);
        const auto part =
            firstPart([&](int each) { return hasCache(at(other, share, each), result.cache); });
        if (part)
            result.same.push_back({std::string(budget.title), share, shareOf(*part),
                                   at(other, share, *part).inference->kvCache});
    }
    return result;
}

} // namespace vramscope
