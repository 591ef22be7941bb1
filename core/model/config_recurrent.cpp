// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_blocks.h"

#include "core/base/text.h"
#include "core/model/config_lists.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

/// RWKV 7's layers that attend: fla's Attention, of heads as wide as the model.
void readAttending(ConfigReader &config, Architecture &it)
{
    const std::vector<bool> attends = marked(config, "attn.layers", it.layers);
    takeAttending(attends, it);
    if (std::ranges::none_of(attends, [](bool marks) { return marks; })) {
        if (config.has("attn") || !config.matching("attn.*").empty())
            config.fail("attn", "must be an object whose layers are a list.");
        return;
    }
    if (attends.front())
        config.fail("attn.layers", "holds the first layer, whose values the others read.");
    it.heads = config.required({"attn.num_heads"}, kMaxHeads);
    it.kvHeads = config.count({"attn.num_kv_heads"}, 1, kMaxHeads, it.heads);
    if (it.heads % it.kvHeads != 0)
        config.fail("attn.num_kv_heads", "must divide num_heads.");
    it.headDim = it.hidden / std::max<std::int64_t>(it.heads, 1);
    it.bias.qkv = config.flag("attn.qkv_bias", false);
    it.slidingWindow = config.count({"attn.window_size"}, 1, kMaxPositions, 0);
    it.rotary = true;
}

/// As wide as the config states, or as a multiple of the model: fla/models/rwkv7/modeling_rwkv7.py,
/// RWKV7FeedForward.
std::int64_t channelMix(ConfigReader &config, const Architecture &it)
{
    const FieldValue *value = config.find("hidden_ratio");
    const auto *whole = value ? std::get_if<std::int64_t>(value) : nullptr;
    const auto *real = value ? std::get_if<double>(value) : nullptr;
    const double ratio = whole ? static_cast<double>(*whole) : real ? *real : 4.0;
    if (!(ratio > 0 && ratio < 1000)) {
        config.fail("hidden_ratio", "must be above 0.");
        return 1;
    }
    const auto wide = static_cast<std::int64_t>(static_cast<double>(it.hidden) * ratio);
    return config.count({"intermediate_size"}, 1, kMaxFfn, 32 * ((wide + 31) / 32));
}

} // namespace

void readRwkv7(ConfigReader &config, Architecture &it)
{
    StateMixer &m = it.state;
    m.kind = StateKind::Rwkv7;
    m.headDim = config.count({"head_dim", "head_size"}, 1, kMaxWidth, 0);
    m.heads = m.headDim > 0 ? it.hidden / m.headDim
                            : config.required({"num_heads", "num_attention_heads"}, kMaxHeads);
    m.headDim = it.hidden / std::max<std::int64_t>(m.heads, 1);
    if (m.headDim * m.heads != it.hidden)
        config.fail("head_dim", "must divide hidden_size.");
    if (config.count({"value_dim", "attention_hidden_size"}, 1, kMaxWidth, it.hidden) != it.hidden)
        config.fail("value_dim", "is not computed where it is not the hidden size.");
    if (const std::string name = config.text("hidden_act"); !name.empty() && name != "sqrelu")
        config.fail("hidden_act", "is \"" + excerpt(name, 40) + "\"; known is sqrelu.");
    m.rank = config.count({"decay_low_rank_dim"}, 1, kMaxWidth, 64) +
             config.count({"gate_low_rank_dim"}, 1, kMaxWidth, 128) +
             config.count({"a_low_rank_dim"}, 1, kMaxWidth, 64);
    m.valueRank = config.count({"v_low_rank_dim"}, 1, kMaxWidth, 16);
    m.norm = config.flag("norm_first", true);
    m.fusedNorms = config.flag("fuse_norm", true);
    it.normBias = config.flag("norm_bias", true);
    it.tokenShift = true;
    it.ffn = channelMix(config, it);
    readAttending(config, it);
    if (!it.blocks.empty())
        it.blocks.front().turn = BlockTurn::First;
}

} // namespace vramscope
