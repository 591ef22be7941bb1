// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_lists.h"

#include "core/base/counted.h"
#include "core/base/text.h"

#include <charconv>

namespace vramscope {

const TextList *listAt(const ConfigReader &config, std::string_view key)
{
    const FieldValue *value = config.find(key);
    const auto *list = value ? std::get_if<TextList>(value) : nullptr;
    return list && !list->empty() ? list : nullptr;
}

std::vector<bool> marked(ConfigReader &config, std::string_view key, std::int64_t layers,
                         std::int64_t first)
{
    std::vector<bool> marks(static_cast<std::size_t>(layers), false);
    const TextList *list = listAt(config, key);
    for (const std::string &text : list ? *list : TextList()) {
        std::int64_t layer = -1;
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), layer);
        layer -= first;
        if (error != std::errc() || end != text.data() + text.size() || layer < 0 ||
            layer >= layers) {
            config.fail(key, "holds \"" + excerpt(text, 40) + "\", which is no layer of the " +
                                 std::to_string(layers) + '.');
            return marks;
        }
        marks[static_cast<std::size_t>(layer)] = true;
    }
    return marks;
}

void readWords(ConfigReader &config, std::string_view key, Architecture &it, KindOfWord kindOf)
{
    const TextList *words = listAt(config, key);
    if (!words || words->size() != static_cast<std::size_t>(it.layers)) {
        config.fail(key, "must be a list with one word for each of the " +
                             counted(it.layers, "layer") + ".");
        return;
    }
    for (const std::string &word : *words) {
        const auto kind = kindOf(word);
        if (!kind) {
            config.fail(key, "holds \"" + excerpt(word, 40) +
                                 "\", which is not known in this model type.");
            return;
        }
        it.blocks.push_back(*kind);
    }
}

std::optional<BlockKind> mixerOfWord(std::string_view word)
{
    if (word == "full_attention" || word == "attention")
        return kAttentionBlock;
    if (word == "linear_attention" || word == "mamba" || word == "conv" || word == "short_conv")
        return kStateBlock;
    return std::nullopt;
}

void takeAttending(const std::vector<bool> &attends, Architecture &it)
{
    for (const bool attending : attends)
        it.blocks.push_back(attending ? kAttentionBlock : kStateBlock);
}

} // namespace vramscope
