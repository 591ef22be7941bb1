// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_blocks.h"

#include "core/model/config_lists.h"

#include <optional>

namespace vramscope {

namespace {

constexpr BlockKind kStateAlone = {TokenMixer::State, FeedForward::None};
constexpr BlockKind kSharedBlock = {TokenMixer::Shared, FeedForward::Dense};

std::optional<BlockKind> zambaKind(std::string_view word)
{
    if (word == "hybrid")
        return kSharedBlock;
    if (word == "mamba" || word == "linear_attention")
        return kStateAlone;
    return std::nullopt;
}

/// The layers; the first ones that share have the weights of those that follow in turn.
void readTurns(ConfigReader &config, Architecture &it, std::int64_t blocks)
{
    it.shared.count = blocks;
    readWords(config, listAt(config, "layer_types") ? "layer_types" : "layers_block_type", it,
              zambaKind);
    std::int64_t turns = 0;
    for (BlockKind &kind : it.blocks)
        if (kind.mixer == TokenMixer::Shared && turns++ >= blocks)
            kind.turn = BlockTurn::Again;
    if (!it.tiedEmbeddings)
        config.fail("tie_word_embeddings",
                    "must be true: with a head of its own transformers gives each layer a block "
                    "that the published models share.");
    it.headDim = 2 * it.hidden / it.heads; // of the stream and the embedding together
    if (it.headDim * it.heads != 2 * it.hidden)
        config.fail("num_attention_heads", "must divide twice the hidden size.");
    it.bias.qkv = it.bias.o = false;
}

} // namespace

void readZamba(ConfigReader &config, Architecture &it)
{
    it.state = readMamba1(config, it);
    readTurns(config, it, 1);
}

/// Its heads are as wide as their number gives, whatever `mamba_headdim` says.
void readZamba2(ConfigReader &config, Architecture &it)
{
    StateMixer &m = it.state;
    m.kind = StateKind::Mamba2;
    m.heads = config.required({"n_mamba_heads"}, kMaxHeads, 8);
    m.inner = config.count({"mamba_expand"}, 1, kMaxHeads, 2) * it.hidden;
    m.headDim = m.inner / m.heads;
    if (m.headDim * m.heads != m.inner)
        config.fail("n_mamba_heads",
                    "must divide " + std::to_string(m.inner) + ", the width inside the layer.");
    m.groups = config.required({"mamba_ngroups"}, kMaxHeads, 1);
    m.stateDim = config.required({"mamba_d_state"}, kMaxWidth, 64);
    m.convWidth = config.required({"mamba_d_conv"}, kMaxHeads, 4);
    m.chunk = config.required({"chunk_size"}, kMaxWidth, 256);
    m.convBias = m.norm = true;
    m.bias = m.outBias = it.bias.mlp = config.flag("add_bias_linear", false);
    it.shared.rank = config.count({"adapter_rank"}, 1, kMaxWidth, 128);
    it.shared.adaptsAttention = config.flag("use_shared_attention_adapter", false);
    readTurns(config, it, config.count({"num_mem_blocks"}, 1, kMaxLayers, 1));
}

} // namespace vramscope
