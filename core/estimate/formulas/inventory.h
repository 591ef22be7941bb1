// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/model/parameters.h"
#include "core/settings/schedules/course.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <vector>

namespace vramscope {

/// The side of a matrix that tensor parallelism divides.
enum class Split { None, Out, In };

/// A linear layer of a block: its name in adapters.targets, its module, and how often the block has
/// it.
struct Matrix
{
    std::string_view target; ///< q, k, v, o, gate, up, down, router, head
    std::string_view module; ///< attention, mlp, expert, router, head
    std::int64_t in = 0;
    std::int64_t out = 0;
    Split split = Split::Out;
    std::int64_t count = 1;
    /// Linear modules that it consists of, of which each has an adapter of its own; 0: it is a part
    /// of the module of the matrix before it.
    std::int64_t modules = 1;
    [[nodiscard]] std::int64_t elements() const { return in * out * count; }
};

/// Parameters by the group of ranks that their states are spread over.
struct Share
{
    std::int64_t dense = 0;
    std::int64_t expert = 0;
    [[nodiscard]] std::int64_t total() const { return dense + expert; }
};

/// The blocks of one kind that a rank holds.
struct RankGroup
{
    BlockKind kind;
    std::int64_t count = 0;
    Share each;                   ///< of one block
    std::int64_t untrained = 0;   ///< of one block: parameters that get no gradient
    std::vector<Matrix> matrices; ///< of one block, unsplit
    BlockRange range;
};

/// Contents of one rank of a pipeline stage after tensor and expert parallelism, before sharding.
struct RankInventory
{
    std::int64_t stage = 0;
    std::int64_t firstLayer = 0;
    bool hasEmbedding = true;
    bool hasHead = true;
    std::vector<RankGroup> groups; ///< all blocks, by kind

    std::int64_t embedding = 0; ///< token embedding, positions and types
    std::int64_t finalNorm = 0;
    std::int64_t head = 0; ///< 0 where it is the embedding itself
    std::int64_t extra = 0;
    std::int64_t towerBlocks = 0;  ///< of the trained model's vision tower: units of their own
    std::int64_t towerRest = 0;    ///< its patch embedding, and its projection to the text
    std::int64_t headGradient = 0; ///< parameters whose gradient the loss leaves: head, final norm

    std::int64_t largestTensor = 0;

    [[nodiscard]] BlockRange allBlocks() const { return {0, layers()}; }
    [[nodiscard]] std::int64_t layers() const
    {
        std::int64_t sum = 0;
        for (const RankGroup &group : groups)
            sum += group.count;
        return sum;
    }
    [[nodiscard]] bool has(FeedForward feedForward) const
    {
        return std::ranges::any_of(groups, [feedForward](const RankGroup &group) {
            return group.kind.feedForward == feedForward;
        });
    }
    [[nodiscard]] std::int64_t root() const
    {
        return embedding + finalNorm + head + extra + towerRest;
    }
    [[nodiscard]] std::int64_t untrained() const
    {
        std::int64_t sum = 0;
        for (const RankGroup &group : groups)
            sum += group.count * group.untrained;
        return sum;
    }
    [[nodiscard]] std::int64_t tower() const { return towerBlocks + towerRest; }
    [[nodiscard]] Share share() const
    {
        Share sum{root() + towerBlocks, 0};
        for (const RankGroup &group : groups) {
            sum.dense += group.count * group.each.dense;
            sum.expert += group.count * group.each.expert;
        }
        return sum;
    }
    [[nodiscard]] std::int64_t parameters() const { return share().total(); }
    /// The largest block: the unit of FSDP.
    [[nodiscard]] Share unit() const
    {
        Share largest;
        for (const RankGroup &group : groups)
            largest = group.each.total() > largest.total() ? group.each : largest;
        return largest;
    }
    /// The kind of the last block, with which backward begins; null without blocks.
    [[nodiscard]] const RankGroup *lastGroup() const
    {
        return groups.empty() ? nullptr : &groupOf(layers() - 1);
    }
    /// The kind of a block of the rank.
    [[nodiscard]] const RankGroup &groupOf(std::int64_t block) const
    {
        return *std::ranges::find_if(
            groups, [block](const RankGroup &group) { return group.range.contains(block); });
    }
    /// For a transformer, whose layers with experts come last.
    [[nodiscard]] BlockRange expertRange() const
    {
        const RankGroup *last = lastGroup();
        return last && last->kind.feedForward == FeedForward::Experts ? last->range : BlockRange();
    }
    /// Blocks with experts.
    [[nodiscard]] std::int64_t expertBlocks() const
    {
        std::int64_t sum = 0;
        for (const RankGroup &group : groups)
            sum += group.kind.feedForward == FeedForward::Experts ? group.count : 0;
        return sum;
    }
};

/// The blocks of a pipeline stage where all layers attend.
struct StageBlocks
{
    std::int64_t firstLayer = 0;
    std::int64_t dense = 0;
    std::int64_t moe = 0;
    [[nodiscard]] bool sameKinds(const StageBlocks &other) const
    {
        return dense == other.dense && moe == other.moe;
    }
};
[[nodiscard]] StageBlocks blocksOf(const Settings &settings, const ParameterCounts &counts,
                                   std::int64_t stage);

[[nodiscard]] RankInventory rankOf(const Settings &settings, const ParameterCounts &counts,
                                   std::int64_t stage);

/// Key-value heads, counted on every tensor-parallel rank: where they do not divide, some are on
/// several ranks.
[[nodiscard]] std::int64_t heldHeads(const Settings &settings, const AttentionShape &shape);
[[nodiscard]] std::int64_t heldKeyValueHeads(const Settings &settings);
/// Widths of the queries, and of keys or values, that one rank computes; for latent attention the
/// latent, which is whole on every rank.
[[nodiscard]] std::int64_t queryWidth(const Settings &settings);
[[nodiscard]] std::int64_t keyValueWidth(const Settings &settings);

/// Ranks that embedding and head, and a routed expert, are divided over.
[[nodiscard]] std::int64_t embeddingSplit(const Settings &settings);
[[nodiscard]] std::int64_t expertSplit(const Settings &settings);

/// The module of the matrices that attend to an encoder's output.
inline constexpr std::string_view kCrossAttention = "cross-attention";
/// The module of the matrices of a mixer that keeps a state.
inline constexpr std::string_view kMixer = "mixer";
/// A matrix of blockMatrices() as one rank holds it after tensor and expert parallelism.
[[nodiscard]] Matrix heldBy(const Settings &settings, const Matrix &matrix);

/// The linear layers of one block, unsplit.
[[nodiscard]] std::vector<Matrix> blockMatrices(const Settings &settings, const BlockKind &kind);

/// Parameters of all matrices of a block after its mixer, as one rank holds them.
[[nodiscard]] std::int64_t feedForwardElements(const Settings &settings,
                                               const std::vector<Matrix> &matrices);
/// Parameters of all but mixers that keep a state.
[[nodiscard]] std::int64_t earlierElements(const Settings &settings,
                                           const std::vector<Matrix> &matrices);
/// Parameters of all routed experts of a block.
[[nodiscard]] std::int64_t expertElements(const Settings &settings,
                                          const std::vector<Matrix> &matrices);
/// Parameters that run backward first: the last matrix, for a grouped product that of all experts.
[[nodiscard]] std::int64_t firstElements(const Settings &settings,
                                         const std::vector<Matrix> &matrices);

/// Whether LoRA adapts a matrix of a block. In latent attention q means both projections of the
/// queries, k and v those to and from the latent.
[[nodiscard]] bool adapted(const Settings &settings, const Matrix &matrix);
/// Parameters that LoRA adds on one rank: rank · (in + out) for each adapted matrix as the rank
/// holds it, so that each factor is divided where its side of the matrix is.
[[nodiscard]] Share adapterParameters(const Settings &settings, const RankInventory &rank);

/// Number of ranks that the states of the dense and of the expert parameters are spread over.
struct Degrees
{
    std::int64_t weights = 1;
    std::int64_t gradients = 1;
    std::int64_t optimizer = 1;
};
/// Ranks among which FSDP spreads its shards, of `replicas` that hold the same data.
[[nodiscard]] std::int64_t shardDegree(const Settings &settings, std::int64_t replicas);
[[nodiscard]] Degrees denseDegrees(const Settings &settings);
[[nodiscard]] Degrees expertDegrees(const Settings &settings);

} // namespace vramscope
