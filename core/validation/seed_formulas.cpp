// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/seed_formulas.h"

#include "core/catalog/gpus.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// A claim with what the planner and the catalogue say about its plan.
struct Claimed
{
    const SeedClaim &claim;
    SeedFacts &facts;

    [[nodiscard]] double figure(std::string_view path) const
    {
        return facts.figure(claim.plan, path, claim.change);
    }
    [[nodiscard]] double parameters() const { return facts.figure(claim.plan, "parameters.total"); }
    [[nodiscard]] double most(Category category) const
    {
        return facts.most(claim.plan, category, claim.change);
    }
    [[nodiscard]] const Settings &settings() const { return facts.settings(claim.plan); }
    [[nodiscard]] const Architecture &model() const { return settings().architecture; }
    [[nodiscard]] double gpus() const { return number(settings().data); }
};

double block(const Claimed &it)
{
    const ParameterCounts counts = it.facts.counts(it.claim.plan);
    const bool experts = it.model().moe();
    return it.claim.number * number((experts ? counts.moeBlock : counts.denseBlock).total());
}

double embeddingAndHead(const Claimed &it)
{
    const ParameterCounts counts = it.facts.counts(it.claim.plan);
    return it.claim.number * (number(counts.embedding) + number(counts.head));
}

/// Elements of every layer's attention matrix for one micro-batch: L a s² b.
double attentionMatrices(const Claimed &it)
{
    const Settings &s = it.settings();
    return it.claim.number *
           (number(it.model().layers * it.model().heads) * number(s.sequenceLength) *
            number(s.sequenceLength) * number(s.microBatch));
}

double expertActivations(const Claimed &it)
{
    const Architecture &a = it.model();
    return number(a.layers * (4 * a.hidden + 8 * a.expertFfn)) * number(a.expertsPerToken) *
           number(it.settings().sequenceLength * it.settings().microBatch);
}

double accumulation(const Claimed &it)
{
    return it.figure("peak.allocated") -
           it.facts.figure(it.claim.plan, "peak.allocated",
                           R"({"batch":{"accumulation_steps":1,"no_sync":false}})");
}

double memoryBandwidth(const Claimed &it)
{
    const GpuPreset *gpu = it.settings().gpu;
    return gpu != nullptr ? number(gpu->memoryBandwidth) : 0;
}

double blocksOfTokens(const Claimed &it)
{
    const std::int64_t size = it.settings().blockSize;
    const auto tokens = static_cast<std::int64_t>(it.claim.number);
    return size > 0 ? number((tokens + size - 1) / size) : 0;
}

double adamOfParameter(const Claimed &it)
{
    return number(it.settings().masterWeightBytes) + 2 * it.settings().optimizer.stateBytes;
}

/// What attention written by hand keeps for the backward pass over what a fused kernel keeps: both
/// keep Q, K, V and the output in bf16; then 2 a s bytes a token of softmax against 4 a of its
/// statistics.
double attentionByHand(const Claimed &it)
{
    const Architecture &a = it.model();
    const std::int64_t shared = 4 * a.headDim * (a.heads + a.kvHeads);
    const std::int64_t fused = shared + 4 * a.heads;
    const auto sequence = static_cast<std::int64_t>(it.claim.number);
    return fused > 0 ? number(shared + 2 * a.heads * sequence) / number(fused) : 0;
}

/// States of SHARD_GRAD_OP: everything is sharded, and there is a whole copy of the weights next to
/// the shards from the forward pass to the end of the backward.
double shardGradOp(const Claimed &it)
{
    return (16 / it.claim.number + 4) * it.parameters();
}

struct Formula
{
    std::string_view name;
    double (*value)(const Claimed &);
};

constexpr auto kFormulas = std::to_array<Formula>({
    {"figure", [](const Claimed &it) { return it.figure(it.claim.of); }},
    {"number", [](const Claimed &it) { return it.claim.number; }},
    {"capacity", [](const Claimed &it) { return it.facts.capacity(it.claim.of); }},
    {"memory bandwidth", memoryBandwidth},
    {"communicator", [](const Claimed &it) { return number(it.settings().ncclBytes); }},
    {"parameters", [](const Claimed &it) { return it.claim.number * it.parameters(); }},
    {"block", block},
    {"embedding and head", embeddingAndHead},
    {"sharded", [](const Claimed &it) { return it.facts.sharded(it.claim.plan, it.claim.number); }},
    {"sharded away",
     [](const Claimed &it) {
         return it.claim.number * it.parameters() * (it.gpus() - 1) / it.gpus();
     }},
    {"saved by ZeRO",
     [](const Claimed &it) { return 16 / (it.claim.number + (16 - it.claim.number) / it.gpus()); }},
    {"SHARD_GRAD_OP", shardGradOp},
    {"gathers", [](const Claimed &it) { return it.claim.number * number(it.model().layers) + 1; }},
    {"Adam of a parameter", adamOfParameter},
    {"attention matrices", attentionMatrices},
    {"attention by hand", attentionByHand},
    {"expert activations", expertActivations},
    {"heads shared",
     [](const Claimed &it) { return number(it.model().kvHeads) / number(it.model().heads); }},
    {"blocks", blocksOfTokens},
    {"most activations", [](const Claimed &it) { return it.most(Category::Activations); }},
    {"most loss and logits", [](const Claimed &it) { return it.most(Category::LossAndLogits); }},
    {"most activations and loss",
     [](const Claimed &it) {
         return it.most(Category::Activations) + it.most(Category::LossAndLogits);
     }},
    {"saved by checkpointing",
     [](const Claimed &it) { return it.facts.savedByCheckpointing(it.claim.plan); }},
    {"accumulation", accumulation},
    {"beyond the allocator",
     [](const Claimed &it) { return it.figure("peak.device") - it.figure("peak.allocated"); }},
    {"less than the peak",
     [](const Claimed &it) { return it.claim.number - it.figure("peak.allocated"); }},
});

} // namespace

double recomputedBy(const SeedClaim &claim, SeedFacts &facts)
{
    const auto *const formula = std::ranges::find(kFormulas, claim.value, &Formula::name);
    return formula != kFormulas.end() ? formula->value({claim, facts}) : 0;
}

} // namespace vramscope
