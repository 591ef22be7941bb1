// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/architecture.h"
#include "core/model/config_reader.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace vramscope {

inline constexpr BlockKind kAttentionBlock = {TokenMixer::Attention, FeedForward::Dense};
inline constexpr BlockKind kStateBlock = {TokenMixer::State, FeedForward::Dense};

/// A list that is present and not empty; else nullptr.
[[nodiscard]] const TextList *listAt(const ConfigReader &config, std::string_view key);

/// The layers that a list counts from `first`; fails where one does not exist.
[[nodiscard]] std::vector<bool> marked(ConfigReader &config, std::string_view key,
                                       std::int64_t layers, std::int64_t first = 0);

/// One word a layer, each as `kindOf` reads it; fails at a word that it does not know.
using KindOfWord = std::optional<BlockKind> (*)(std::string_view word);
void readWords(ConfigReader &config, std::string_view key, Architecture &architecture,
               KindOfWord kindOf);

/// The words of transformers' configs for blocks that attend and blocks that keep a state.
[[nodiscard]] std::optional<BlockKind> mixerOfWord(std::string_view word);

/// Blocks, some of which keep a state, by marks of those that attend.
void takeAttending(const std::vector<bool> &attends, Architecture &architecture);

/// Gives a mixture of experts to the blocks that a rule chooses.
template<class Rule>
void giveExperts(Architecture &architecture, Rule hasExperts)
{
    for (std::int64_t layer = 0; layer < std::ssize(architecture.blocks); ++layer) {
        BlockKind &kind = architecture.blocks[static_cast<std::size_t>(layer)];
        if (kind.feedForward != FeedForward::None)
            kind.feedForward = hasExperts(layer) ? FeedForward::Experts : FeedForward::Dense;
    }
}

} // namespace vramscope
