// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/inventory.h"

#include "core/model/blocks/shared_blocks.h"

#include <algorithm>
#include <numeric>

namespace vramscope {

namespace {

std::int64_t dividedUp(std::int64_t count, std::int64_t parts)
{
    return (count + parts - 1) / parts;
}

/// Attention parameters that every tensor-parallel rank holds whole: the output bias, the norms of
/// single queries and keys, and the down-projections of latent attention.
std::int64_t replicatedAttention(const Architecture &a, const AttentionShape &shape)
{
    if (a.mla())
        return (a.qLoraRank > 0 ? a.hidden * a.qLoraRank + a.qLoraRank : 0) +
               a.hidden * (a.kvLoraRank + a.qkRopeHeadDim) + a.kvLoraRank + a.latentBiases() +
               a.indexParameters();
    return (a.bias.o ? a.hidden : 0) + (a.qkNorm && !a.qkNormWhole ? 2 * shape.headDim : 0);
}

/// Whether a matrix of its own makes the values: vLLM loads that of the keys twice where the model
/// has none (model_executor/models/gemma4.py).
bool makesValues(const Settings &s, const AttentionShape &shape)
{
    const bool vllm = s.workload == Workload::Inference && s.engine == Engine::Vllm;
    return !shape.valuesAreKeys || vllm;
}

Share splitBlock(const Settings &s, const BlockKind &kind, const BlockParameters &block)
{
    const Architecture &a = s.architecture;
    const AttentionShape shape = a.attentionOf(kind);
    const auto split = [&](std::int64_t count, std::int64_t whole) {
        return count > 0 ? dividedUp(count - whole, s.tensor) + whole : 0;
    };
    const std::int64_t outBias = (a.bias.mlp ? a.hidden : 0) + (a.tokenShift ? a.hidden : 0);
    const std::int64_t keys = heldHeads(s, shape) - shape.kvHeads;
    const std::int64_t values =
        makesValues(s, shape) ? heldHeads(s, shape) - (shape.valuesAreKeys ? 0 : shape.kvHeads) : 0;
    const std::int64_t repeated = a.mla() ? 0
                                          : (keys * shape.headDim + values * shape.valueDim()) *
                                                (a.hidden + (a.bias.qkv ? 1 : 0));
    const std::int64_t attention = block.attention > 0 ? block.attention + repeated : 0;
    if (kind.mixer == TokenMixer::Shared)
        return {block.norms + split(block.attention, a.hidden * a.hidden) +
                    split(block.denseFfn, kind.turn == BlockTurn::Again ? 0 : outBias) +
                    mixerParameters(a, kind, s.tensor),
                0};
    const std::int64_t mixer = block.stateMixer > 0 ? mixerParameters(a, kind, s.tensor) : 0;
    return {block.norms + split(attention, replicatedAttention(a, shape)) + mixer +
                split(block.denseFfn, outBias) + block.router +
                split(block.sharedExperts, a.sharedGate ? a.hidden : 0),
            dividedUp(block.experts, expertSplit(s))};
}

void addFfn(std::vector<Matrix> &matrices, std::string_view module, std::int64_t hidden,
            std::int64_t width, std::int64_t count, const Architecture &a)
{
    const bool one = a.gatedMlp && a.fusedGateUp && module != "expert";
    if (a.gatedMlp)
        matrices.push_back({"gate", module, hidden, width, Split::Out, count});
    matrices.push_back({"up", module, hidden, width, Split::Out, count, one ? 0 : 1});
    matrices.push_back({"down", module, width, hidden, Split::In, count});
}

void addAttention(std::vector<Matrix> &matrices, const Settings &s, const AttentionShape &shape,
                  bool borrowsKeys, std::string_view module = "attention")
{
    const Architecture &a = s.architecture;
    if (a.mla()) {
        const std::int64_t queryWidth = a.heads * (a.qkNopeHeadDim + a.qkRopeHeadDim);
        if (a.qLoraRank > 0)
            matrices.push_back({"q", "attention", a.hidden, a.qLoraRank, Split::None});
        matrices.push_back(
            {"q", "attention", a.qLoraRank > 0 ? a.qLoraRank : a.hidden, queryWidth});
        matrices.push_back(
            {"k", "attention", a.hidden, a.kvLoraRank + a.qkRopeHeadDim, Split::None});
        matrices.push_back(
            {"v", "attention", a.kvLoraRank, a.heads * (a.qkNopeHeadDim + a.vHeadDim)});
        matrices.push_back({"o", "attention", a.heads * a.vHeadDim, a.hidden, Split::In});
        if (a.latentGate > 0)
            matrices.push_back({"gate", "attention", a.hidden, a.latentGate});
        return;
    }
    const std::int64_t width = shape.queryWidth();
    const std::int64_t held = heldHeads(s, shape);
    const bool perHead = a.attentionGate == AttentionGate::PerHead;
    const bool wide = a.attentionGate != AttentionGate::None && !perHead;
    matrices.push_back({"q", module, a.hidden, wide ? 2 * width : width});
    if (!borrowsKeys)
        matrices.push_back({"k", module, a.hidden, held * shape.headDim});
    if (makesValues(s, shape) && !borrowsKeys)
        matrices.push_back({"v", module, a.hidden, held * shape.valueDim()});
    matrices.push_back({"o", module, shape.outputWidth(), a.hidden, Split::In});
    if (perHead)
        matrices.push_back({"gate", module, a.hidden, shape.heads});
}

/// DeepSeek V4's attention without its compressors, which stay in 16 bit.
void addCompressedAttention(std::vector<Matrix> &matrices, const Architecture &a,
                            const BlockKind &kind)
{
    const std::int64_t queries = a.heads * a.headDim;
    const std::int64_t output = a.compressed.outputGroups * a.compressed.outputRank;
    matrices.push_back({"q", "attention", a.hidden, a.qLoraRank, Split::None});
    matrices.push_back({"q", "attention", a.qLoraRank, queries});
    matrices.push_back({"k", "attention", a.hidden, a.headDim, Split::None});
    matrices.push_back({"o", "attention", queries / a.compressed.outputGroups, output});
    matrices.push_back({"o", "attention", output, a.hidden, Split::In});
    if (kind.mixer == TokenMixer::Indexed)
        matrices.push_back({"index", "attention", a.qLoraRank, a.indexHeads * a.indexHeadDim});
}

/// A block that several layers share, or what a later one has of its own.
void addShared(std::vector<Matrix> &matrices, const Architecture &a, const BlockKind &kind)
{
    const auto split = [](const MixerMatrix &each) {
        return each.target == "linear" ? Split::None : each.splitsInput ? Split::In : Split::Out;
    };
    for (const MixerMatrix &each : sharedAttention(a, kind))
        matrices.push_back({each.target, "attention", each.in, each.out, split(each)});
    for (const MixerMatrix &each : sharedFeedForward(a, kind))
        matrices.push_back({each.target, "mlp", each.in, each.out, split(each)});
}

Degrees degrees(const Settings &s, std::int64_t replicas)
{
    const std::int64_t d = shardDegree(s, replicas);
    switch (s.strategy) {
    case Strategy::None:
    case Strategy::Ddp:
    case Strategy::Megatron:
        return {};
    case Strategy::Zero1:
        return {1, 1, d};
    case Strategy::MegatronDistributedOptimizer:
        return {1, 1, std::max<std::int64_t>(d / s.optimizerInstances, 1)};
    case Strategy::Zero2:
        return {1, d, d};
    case Strategy::Zero3:
    case Strategy::Fsdp1:
    case Strategy::Fsdp2:
        return {d, d, d};
    }
    return {};
}

} // namespace

std::int64_t heldHeads(const Settings &s, const AttentionShape &shape)
{
    return dividedUp(shape.kvHeads, s.tensor) * s.tensor;
}

std::int64_t heldKeyValueHeads(const Settings &s)
{
    return heldHeads(s, s.architecture.attentionOf({}));
}

std::int64_t queryWidth(const Settings &s)
{
    const Architecture &a = s.architecture;
    const std::int64_t head = a.mla() ? a.qkNopeHeadDim + a.qkRopeHeadDim : a.headDim;
    return dividedUp(a.heads, s.tensor) * head;
}

std::int64_t keyValueWidth(const Settings &s)
{
    const Architecture &a = s.architecture;
    return a.mla() ? a.kvLoraRank + a.qkRopeHeadDim : heldKeyValueHeads(s) / s.tensor * a.headDim;
}

std::int64_t embeddingSplit(const Settings &s)
{
    return s.workload == Workload::Inference && !s.embeddingParallel ? 1 : s.tensor;
}

std::int64_t expertSplit(const Settings &s)
{
    // Serving engines divide experts like any other layer unless set to spread whole ones.
    const std::int64_t stated = s.expert * s.expertTensor;
    return s.workload == Workload::Inference && stated == 1 ? s.tensor : stated;
}

Matrix heldBy(const Settings &s, const Matrix &matrix)
{
    const bool expert = matrix.module == "expert";
    const std::int64_t ranks = expert ? s.expertTensor : s.tensor;
    Matrix held = matrix;
    if (matrix.split == Split::Out)
        held.out = dividedUp(matrix.out, ranks);
    else if (matrix.split == Split::In)
        held.in = dividedUp(matrix.in, ranks);
    if (expert)
        held.count = dividedUp(matrix.count, s.expert);
    return held;
}

std::vector<Matrix> blockMatrices(const Settings &s, const BlockKind &kind)
{
    const Architecture &a = s.architecture;
    std::vector<Matrix> matrices;
    matrices.reserve(12);
    if (kind.mixer == TokenMixer::Shared)
        addShared(matrices, a, kind);
    else if (kind.attends() && a.compressed.tokens > 0)
        addCompressedAttention(matrices, a, kind);
    else if (kind.attends())
        addAttention(matrices, s, a.attentionOf(kind), kind.borrowsKeys);
    if (kind.crosses())
        addAttention(matrices, s, a.attentionOf(kind), false, kCrossAttention);
    if (kind.keepsState()) {
        for (const MixerMatrix &each : stateMixerOf(a).matrices(a))
            matrices.push_back({each.target, kMixer, each.in, each.out,
                                each.splitsInput ? Split::In : Split::Out, 1, each.modules});
    }
    if (kind.feedForward == FeedForward::Dense && kind.mixer != TokenMixer::Shared)
        addFfn(matrices, "mlp", a.hidden, a.ffnOf(kind), 1, a);
    if (kind.feedForward != FeedForward::Experts)
        return matrices;
    matrices.push_back({"router", "router", a.hidden, a.experts, Split::None});
    if (a.expertHidden > 0) {
        matrices.push_back({"down", "router", a.hidden, a.expertHidden, Split::None});
        matrices.push_back({"up", "router", a.expertHidden, a.hidden, Split::None});
    }
    addFfn(matrices, "expert", a.expertHidden > 0 ? a.expertHidden : a.hidden, a.expertFfn,
           a.experts, a);
    if (a.sharedFfn > 0)
        addFfn(matrices, "mlp", a.hidden, a.sharedFfn, 1, a);
    return matrices;
}

StageBlocks blocksOf(const Settings &s, const ParameterCounts &counts, std::int64_t stage)
{
    const auto before = s.layersPerStage.begin() + stage;
    const std::int64_t first = std::accumulate(s.layersPerStage.begin(), before, std::int64_t(0));
    const std::int64_t dense =
        s.architecture.isPlain() ? std::clamp<std::int64_t>(counts.denseBlocks - first, 0, *before)
                                 : 0;
    return {first, dense, *before - dense};
}

namespace {

/// Where the blocks of a kind lie on the stage.
BlockRange rangeOf(const Architecture &a, const BlockKind &kind, const StageBlocks &blocks)
{
    if (a.isPlain())
        return kind.feedForward == FeedForward::Experts ? BlockRange{blocks.dense, blocks.moe}
                                                        : BlockRange{0, blocks.dense};
    std::vector<std::int64_t> before = {0};
    BlockRange range{-1, 0};
    for (std::int64_t block = 0; block < blocks.dense + blocks.moe; ++block) {
        const bool same = a.kindOf(blocks.firstLayer + block) == kind;
        if (same && range.blocks == 0)
            range.first = block;
        range.blocks += same ? 1 : 0;
        before.push_back(range.blocks);
    }
    range.counts = std::make_shared<const std::vector<std::int64_t>>(std::move(before));
    return range;
}

/// The blocks of the stage by kind, in the order of the whole model's.
void addGroups(RankInventory &rank, const Settings &s, const ParameterCounts &counts,
               const StageBlocks &blocks)
{
    const Architecture &a = s.architecture;
    for (const BlockGroup &group : counts.groups) {
        const BlockKind &kind = group.kind;
        const BlockRange range = rangeOf(a, kind, blocks);
        const std::int64_t count = range.blocks;
        if (count > 0)
            rank.groups.push_back({kind, count, splitBlock(s, kind, group.each),
                                   a.hasIndex(kind) ? a.indexParameters() : 0,
                                   blockMatrices(s, kind), range});
    }
}

} // namespace

RankInventory rankOf(const Settings &s, const ParameterCounts &counts, std::int64_t stage)
{
    const Architecture &a = s.architecture;
    RankInventory rank;
    rank.stage = stage;
    const StageBlocks blocks = blocksOf(s, counts, stage);
    rank.firstLayer = blocks.firstLayer;
    const bool last = stage == s.pipeline - 1;
    rank.hasEmbedding = stage == 0;
    rank.hasHead = s.headStage == HeadStage::First ? stage == 0 : last;
    addGroups(rank, s, counts, blocks);
    const std::int64_t token = dividedUp(counts.embedding, embeddingSplit(s));
    if (rank.hasEmbedding)
        rank.embedding = token + counts.positions;
    if (rank.hasHead) {
        rank.finalNorm = counts.finalNorm;
        rank.head = dividedUp(counts.head, embeddingSplit(s));
        if (a.tiedEmbeddings && !rank.hasEmbedding)
            rank.head += token; // both ends have the embedding
        if (s.loss != LossKind::None)
            rank.headGradient = (a.tiedEmbeddings ? token : rank.head) + rank.finalNorm;
    }
    rank.extra = last ? counts.extra : 0;
    if (s.model.parametersOverride > 0 && last)
        rank.extra += dividedUp(s.model.parametersOverride - counts.total, s.tensor);
    if (s.model.parametersPerRankOverride > 0)
        rank.extra += s.model.parametersPerRankOverride - rank.parameters();

    if (s.workload == Workload::Training) {
        for (const Tower &tower : s.towers) {
            rank.towerBlocks += tower.layers * tower.block;
            rank.towerRest += tower.parameters() - tower.layers * tower.block;
        }
    }

    rank.largestTensor = std::max(rank.hasEmbedding ? token : 0, rank.head);
    for (const RankGroup &group : rank.groups)
        for (const Matrix &matrix : group.matrices)
            rank.largestTensor = std::max(rank.largestTensor, matrix.in * matrix.out / s.tensor);
    return rank;
}

std::int64_t earlierElements(const Settings &s, const std::vector<Matrix> &matrices)
{
    std::int64_t elements = 0;
    for (const Matrix &matrix : matrices)
        elements += matrix.module == "mixer" ? 0 : heldBy(s, matrix).elements();
    return elements;
}

std::int64_t feedForwardElements(const Settings &s, const std::vector<Matrix> &matrices)
{
    std::int64_t elements = earlierElements(s, matrices);
    for (const Matrix &matrix : matrices)
        elements -= matrix.module.ends_with("attention") ? heldBy(s, matrix).elements() : 0;
    return elements;
}

std::int64_t expertElements(const Settings &s, const std::vector<Matrix> &matrices)
{
    std::int64_t elements = 0;
    for (const Matrix &matrix : matrices)
        elements += matrix.module == "expert" ? heldBy(s, matrix).elements() : 0;
    return elements;
}

std::int64_t firstElements(const Settings &s, const std::vector<Matrix> &matrices)
{
    const auto down = std::ranges::find(matrices, "down", &Matrix::target);
    if (down == matrices.end())
        return 0;
    const bool grouped = s.kernels == Kernels::Eager && s.expertKernels != ExpertKernels::Loop &&
                         down->module == "expert";
    const Matrix held = heldBy(s, *down);
    return grouped ? held.elements() : held.in * held.out;
}

bool adapted(const Settings &s, const Matrix &matrix)
{
    const auto targeted = [&](std::string_view name) {
        return std::ranges::find(s.adapters.targets, name) != s.adapters.targets.end();
    };
    return matrix.target != "router" && (targeted("all-linear") || targeted(matrix.target));
}

Share adapterParameters(const Settings &s, const RankInventory &rank)
{
    Share sum;
    if (s.adapters.kind == AdapterKind::None)
        return sum;
    const auto add = [&](const Matrix &matrix, std::int64_t blocks) {
        if (!adapted(s, matrix))
            return;
        const Matrix held = heldBy(s, matrix);
        const std::int64_t count = blocks * held.count *
                                   (s.adapters.rank * (held.modules * held.in + held.out) +
                                    (s.adapters.dora ? held.out : 0));
        (matrix.module == "expert" ? sum.expert : sum.dense) += count;
    };
    for (const RankGroup &group : rank.groups)
        for (const Matrix &matrix : group.matrices)
            add(matrix, group.count);
    const bool head = std::ranges::find(s.adapters.targets, "head") != s.adapters.targets.end();
    if (head && rank.hasHead)
        sum.dense += s.adapters.rank *
                     (s.architecture.hidden + dividedUp(s.architecture.vocab, embeddingSplit(s)));
    return sum;
}

std::int64_t shardDegree(const Settings &s, std::int64_t replicas)
{
    switch (s.strategy) {
    case Strategy::Fsdp1:
    case Strategy::Fsdp2:
        if (s.sharding == Sharding::NoShard)
            return 1;
        return s.sharding == Sharding::HybridShard ? std::min(s.shardGroup, replicas) : replicas;
    default:
        return replicas;
    }
}

Degrees denseDegrees(const Settings &s)
{
    return degrees(s, s.data * s.context);
}

Degrees expertDegrees(const Settings &s)
{
    return degrees(s, std::max<std::int64_t>(s.gpus / s.pipeline / s.expertTensor / s.expert, 1));
}

} // namespace vramscope
