// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_words.h"

#include <array>

namespace vramscope {

namespace {

const BlockWords kPlain = {"Block inputs kept by checkpointing",
                           "Saved activations",
                           "Activations kept by the policy",
                           "Recomputed block",
                           "Backward temporaries",
                           "Block inputs on their way to or from the host",
                           "Working tensors of the block",
                           "Attention across context ranks",
                           "Attention's backward pass, beyond the block",
                           "Gradients of the blocks",
                           "Gradient of the running block",
                           "Gradients of the running block",
                           "Gathered weights",
                           "Autocast weight copies",
                           "NVFP4 codes of inputs",
                           "NVFP4 codes of weights"};

/// `kind` is the name of the blocks, as "expert".
BlockWords wordsWith(const std::string &kind, const std::string &capital)
{
    return {capital + " block inputs kept by checkpointing",
            "Saved activations, " + kind + " blocks",
            "Activations kept by the policy, " + kind + " blocks",
            "Recomputed " + kind + " block",
            "Backward temporaries, " + kind + " block",
            capital + " block inputs on their way to or from the host",
            "Working tensors of the " + kind + " block",
            "Attention of the " + kind + " block across context ranks",
            "Attention's backward pass, beyond the " + kind + " block",
            "Gradients of the " + kind + " blocks",
            "Gradient of the running " + kind + " block",
            "Gradients of the running " + kind + " block",
            "Gathered weights of " + kind + " blocks",
            "Autocast weight copies of " + kind + " blocks",
            "NVFP4 codes of inputs, " + kind + " blocks",
            "NVFP4 codes of weights, " + kind + " blocks"};
}

/// Named after the part that follows the mixer: nothing, a feed-forward, experts.
using ByFeedForward = std::array<BlockWords, 3>;

const ByFeedForward kNoMixer = {wordsWith("empty", "Empty"),
                                wordsWith("feed-forward", "Feed-forward"),
                                wordsWith("expert", "Expert")};
const ByFeedForward kAttention = {wordsWith("attention", "Attention"), kPlain,
                                  wordsWith("expert", "Expert")};
const ByFeedForward kEncoder = {wordsWith("encoder", "Encoder"), wordsWith("encoder", "Encoder"),
                                wordsWith("encoder", "Encoder")};
const ByFeedForward kDecoder = {wordsWith("decoder", "Decoder"), wordsWith("decoder", "Decoder"),
                                wordsWith("decoder", "Decoder")};
const ByFeedForward kState = {wordsWith("state", "State"), wordsWith("state", "State"),
                              wordsWith("expert state", "Expert state")};
const ByFeedForward kFirstState = {wordsWith("first state", "First state"),
                                   wordsWith("first state", "First state"),
                                   wordsWith("first expert state", "First expert state")};
const ByFeedForward kParallel = {wordsWith("parallel", "Parallel"),
                                 wordsWith("parallel", "Parallel"),
                                 wordsWith("expert parallel", "Expert parallel")};

} // namespace

const BlockWords &blockWords(const BlockKind &kind)
{
    const auto after = static_cast<std::size_t>(kind.feedForward);
    switch (kind.mixer) {
    case TokenMixer::None:
        return kNoMixer[after];
    case TokenMixer::Attention:
    case TokenMixer::FullAttention: // whose training is not computed, like the next
    case TokenMixer::Indexed:
    case TokenMixer::Compressed:
        return kAttention[after];
    case TokenMixer::Encoder:
        return kEncoder[after];
    case TokenMixer::Crossed:
        return kDecoder[after];
    case TokenMixer::State:
        return kind.turn == BlockTurn::First ? kFirstState[after] : kState[after];
    case TokenMixer::Parallel:
    case TokenMixer::Shared: // whose training is not computed
        return kParallel[after];
    }
    return kPlain;
}

} // namespace vramscope
