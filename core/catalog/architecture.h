// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/block_kinds.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

namespace vramscope {

enum class NormKind { RmsNorm, LayerNorm };

/// How the feed-forward's activation function is computed: by one kernel (SiLU, GELU, its tanh
/// form), as a ReLU, which saves its output alone, or written out operator by operator, as
/// transformers' activations.py does for these names.
enum class Activation { Fused, Relu, ReluSquared, GeluNew, GeluFast, QuickGelu, ClampedGate };

/// A gate on attention's output: none; as wide as the queries, made by their own matrix or by one
/// without bias; or one number a head.
enum class AttentionGate { None, WithQueries, Separate, PerHead };

/// The heads of a layer that attends.
struct AttentionShape
{
    std::int64_t heads = 0;
    std::int64_t kvHeads = 0;
    std::int64_t headDim = 0;
    bool valuesAreKeys = false;    ///< no separate matrix makes the values
    std::int64_t valueHeadDim = 0; ///< where it is not that of the keys
    bool sinks = false;            ///< a learned logit a head

    [[nodiscard]] std::int64_t valueDim() const
    {
        return valueHeadDim > 0 ? valueHeadDim : headDim;
    }
    [[nodiscard]] std::int64_t queryWidth() const { return heads * headDim; }
    [[nodiscard]] std::int64_t keyWidth() const { return kvHeads * headDim; }
    [[nodiscard]] std::int64_t valueWidth() const { return kvHeads * valueDim(); }
    [[nodiscard]] std::int64_t outputWidth() const { return heads * valueDim(); }
    bool operator==(const AttentionShape &) const = default;
};

/// Which linear layers have a bias.
struct Biases
{
    bool qkv = false;
    bool o = false;
    bool mlp = false;
    bool head = false;
    bool expert = false;
    bool router = false;
    bool shared = false; ///< in shared experts
    bool operator==(const Biases &) const = default;
};

/// The shape of a model that is a list of blocks: everything that its parameter count and its
/// activations depend on. Counts are of the whole model; 0 means "has none". Field names follow
/// Hugging Face's config.json.
struct Architecture
{
    std::string modelType;       ///< "llama", "gpt2", …
    std::int64_t layers = 0;     ///< num_hidden_layers
    std::int64_t hidden = 0;     ///< hidden_size
    std::int64_t heads = 0;      ///< num_attention_heads
    std::int64_t kvHeads = 0;    ///< num_key_value_heads
    std::int64_t headDim = 0;    ///< head_dim; need not be hidden / heads
    std::int64_t ffn = 0;        ///< intermediate_size of dense layers
    std::int64_t vocab = 0;      ///< vocab_size
    bool tiedEmbeddings = false; ///< tie_word_embeddings
    NormKind norm = NormKind::RmsNorm;
    bool gatedMlp = true;
    Activation activation = Activation::Fused; ///< hidden_act
    Biases bias;
    std::int64_t learnedPositions = 0;
    std::int64_t typeVocab = 0; ///< token-type embeddings (BERT)
    bool fusedQkv = false;      ///< one product gives queries, keys and values
    bool qkNorm = false;
    std::int64_t normsPerLayer = 2;
    bool attentionSinks = false;
    std::int64_t experts = 0; ///< routed experts
    std::int64_t expertsPerToken = 0;
    std::int64_t expertFfn = 0; ///< moe_intermediate_size
    std::int64_t sharedExperts = 0;
    std::int64_t sharedFfn = 0;   ///< all shared experts together
    std::int64_t denseLayers = 0; ///< first_k_dense_replace
    bool routerCorrectionBias = false;
    std::int64_t qLoraRank = 0;
    std::int64_t kvLoraRank = 0; ///< above 0: multi-head latent attention
    std::int64_t qkNopeHeadDim = 0;
    std::int64_t qkRopeHeadDim = 0;
    std::int64_t vHeadDim = 0; ///< without latent attention: 0 where it is headDim
    std::int64_t slidingWindow = 0;
    std::vector<bool> slidingLayers;  ///< one a layer; empty: all layers have full attention unless
                                      ///< only slidingWindow is set
    std::int64_t maxPositions = 0;    ///< max_position_embeddings; 0: unknown
    std::int64_t extraParameters = 0; ///< poolers and heads outside the blocks (BERT)
    bool sharedGate = false;          ///< a learned gate over the shared expert (Qwen2-MoE)
    bool normBias = true;             ///< a LayerNorm has a bias; not in MPT, Cohere, DBRX
    bool normWeight = true;           ///< norms have weights; not in OLMo
    bool normInFp32 = false;          ///< an RMSNorm multiplies by its weight before it casts back
    std::int64_t normBytes = 0;       ///< that an eager norm written out in fp32 keeps of an
                                      ///< element, without its output; 0: as its kind does
    bool routerInFp32 = false;        ///< routers multiply an fp32 copy of their input
    bool scoresInFp32 = false;        ///< routers give each row a weight in fp32
    bool logitsInFp32 = false;        ///< the model gives its logits in fp32
    bool logitBuffer = false;         ///< logits add a buffer of the weights' type (BART)
    bool logitSoftCap = false;        ///< final_logit_softcapping: logits pass through a tanh
    bool scoreSoftCap = false;        ///< attn_logit_softcapping: scores of eager attention do
    bool broadcastsKey = false; ///< hands a single key to torch's attention unrepeated (Falcon)
    bool encoder = false;       ///< predicts masked tokens from all others (BERT)
    bool fusedGateUp = false;   ///< one product gives gate and up
    bool rotary = true;         ///< queries and keys are rotated by their positions
    bool partialRotary = false; ///< rotation leaves a part of each head unchanged
    bool qkNormWhole = false;   ///< one norm over all heads instead of one a head (OLMo 2)
    AttentionGate attentionGate = AttentionGate::None;
    std::int64_t latentGate = 0; ///< values of a gate on latent attention's output: one a head
                                 ///< (Ling 3.0) or one a value (Kimi K3)
    std::int64_t indexHeads = 0; ///< heads of the index for latent attention
    std::int64_t indexHeadDim = 0;
    std::int64_t indexHandsOn = 0; ///< tokens that each layer's index chooses, where the next layer
                                   ///< receives them (GLM-5)
    std::int64_t expertHidden = 0; ///< width that routed experts work on; 0: the hidden size
    /// One a layer; empty: all layers attend, and those after `denseLayers` have experts if any do.
    std::vector<BlockKind> blocks;
    std::vector<std::int64_t> ffnWidths; ///< widths of differing feed-forwards (BlockKind::width)
    StateMixer state;                    ///< for the blocks that keep a state instead of a cache
    SharedBlocks shared;                 ///< of blocks of TokenMixer::Shared
    AttentionShape fullAttention;        ///< of blocks of TokenMixer::FullAttention
    std::int64_t ownInputs = 0;          ///< width of each layer's own embedding (Gemma 3n)
    std::int64_t residualStreams = 1;    ///< AltUp's (Gemma 3n)
    std::int64_t expertNorms = 0;        ///< extra norms of a block with experts
    bool expertsOnAll = false; ///< transformers runs every expert on every token (Llama 4)
    bool plainQkNorm = false;  ///< norms of queries and keys without weights, where layers rotate
    bool tokenShift = false;   ///< feed-forwards mix each token with the one before (RWKV)
    CompressedAttention compressed;
    bool indexInAll = true;    ///< every layer that attends has the index, if there is one
    bool countedOnly = false;  ///< memory of serving and training it is unknown
    bool routerScales = false; ///< routers learn a scale of each channel and of each expert
    SourceStem source;
    bool laysOutHeads = false; ///< queries are copied heads first, so attention's output is, too
    bool biasedScores = false; ///< attention adds a learned bias of the distance to its scores (T5)
    bool biasInEachLayer = false; ///< that bias is learned in each layer, not in the first for all
    bool scaledBranches = false;  ///< attention and feed-forward end in a learned scale (DINOv2)
    ImageInput image;

    /// Vectors of `hidden` that each norm learns.
    [[nodiscard]] std::int64_t normVectors() const
    {
        if (!normWeight)
            return 0;
        return norm == NormKind::LayerNorm && normBias ? 2 : 1;
    }
    [[nodiscard]] bool mla() const { return kvLoraRank > 0; }
    /// Parameters of the index in each layer: queries from their latent, one key with a LayerNorm,
    /// and the heads' weights. transformers models/deepseek_v32, DeepseekV32Indexer.
    [[nodiscard]] std::int64_t indexParameters() const
    {
        return indexHeads == 0 ? 0
                               : qLoraRank * indexHeads * indexHeadDim + hidden * indexHeadDim +
                                     2 * indexHeadDim + hidden * indexHeads;
    }
    [[nodiscard]] bool hasIndex(const BlockKind &kind) const
    {
        return indexHeads > 0 && kind.attends() &&
               (indexInAll || kind.mixer == TokenMixer::Indexed);
    }
    /// Biases of latent attention: of the projections down, and of the output. transformers
    /// models/deepseek_v3/modeling_deepseek_v3.py.
    [[nodiscard]] std::int64_t latentBiases() const
    {
        return (bias.qkv ? qLoraRank + kvLoraRank + qkRopeHeadDim : 0) + (bias.o ? hidden : 0);
    }
    [[nodiscard]] AttentionShape attentionOf(const BlockKind &kind) const
    {
        return kind.mixer == TokenMixer::FullAttention
                   ? fullAttention
                   : AttentionShape{heads,         kvHeads, headDim, false, mla() ? 0 : vHeadDim,
                                    attentionSinks};
    }
    [[nodiscard]] std::int64_t ffnOf(const BlockKind &kind) const
    {
        return kind.width == 0 ? ffn : ffnWidths[kind.width - 1];
    }
    /// Norms of one block; where it has two parts, each brings its own.
    [[nodiscard]] std::int64_t normsOf(const BlockKind &kind) const
    {
        const std::int64_t parts = (kind.mixer == TokenMixer::None ? 0 : 1) +
                                   (kind.crosses() ? 1 : 0) +
                                   (kind.feedForward == FeedForward::None ? 0 : 1);
        return normsPerLayer == 2 ? parts : normsPerLayer;
    }
    [[nodiscard]] bool moe() const { return experts > 0; }
    /// Reads pictures and no text.
    [[nodiscard]] bool readsImages() const { return image.patch > 0; }
    /// Reads one sequence and writes another.
    [[nodiscard]] bool readsSource() const { return !blocks.empty() && blocks.front().encodes(); }
    [[nodiscard]] BlockKind kindOf(std::int64_t layer) const
    {
        if (!blocks.empty())
            return blocks[static_cast<std::size_t>(layer)];
        return {TokenMixer::Attention,
                moe() && layer >= denseLayers ? FeedForward::Experts : FeedForward::Dense};
    }
    [[nodiscard]] bool moeLayer(std::int64_t layer) const
    {
        return kindOf(layer).feedForward == FeedForward::Experts;
    }
    /// Whether every layer attends and those without experts come first.
    [[nodiscard]] bool isPlain() const { return blocks.empty(); }
    /// Whether the memory that a step keeps of its layers is known.
    [[nodiscard]] bool isTrainingKnown() const
    {
        if (countedOnly || ownInputs > 0 || latentGate > 0 || (!mla() && vHeadDim > 0) ||
            attentionGate == AttentionGate::Separate || attentionGate == AttentionGate::PerHead)
            return false;
        if (isPlain() || readsSource())
            return attentionGate == AttentionGate::None;
        // Models of Mamba alone have the residual stream in fp32; those whose layers differ only by
        // their experts run these in ways of their own (Llama 4). RWKV was measured without layers
        // that attend.
        return expertHidden == 0 && shared.count == 0 &&
               std::ranges::any_of(blocks, &BlockKind::keepsState) &&
               std::ranges::any_of(blocks, &BlockKind::attends) != tokenShift;
    }
    bool operator==(const Architecture &) const = default;
};

} // namespace vramscope
