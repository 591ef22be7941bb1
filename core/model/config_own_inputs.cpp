// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/config_blocks.h"

#include "core/base/counted.h"
#include "core/base/text.h"
#include "core/model/config_lists.h"

#include <algorithm>
#include <charconv>

namespace vramscope {

namespace {

/// The index of a width of differing feed-forwards, which is added where it is new.
std::uint8_t widthIndex(ConfigReader &config, Architecture &it, std::int64_t width)
{
    constexpr std::size_t kMost = 250;
    if (width == it.ffn)
        return 0;
    auto found = std::ranges::find(it.ffnWidths, width);
    if (found == it.ffnWidths.end() && it.ffnWidths.size() >= kMost) {
        config.fail("intermediate_size", "has too many widths.");
        return 0;
    }
    if (found == it.ffnWidths.end())
        found = it.ffnWidths.insert(found, width);
    return static_cast<std::uint8_t>(1 + (found - it.ffnWidths.begin()));
}

/// One number for all layers, or one for each.
std::vector<std::int64_t> widthsOf(ConfigReader &config, std::int64_t layers)
{
    constexpr std::int64_t kDefault = 16'384;
    const TextList *list = listAt(config, "intermediate_size");
    if (!list)
        return std::vector(static_cast<std::size_t>(layers),
                           config.count({"intermediate_size"}, 1, kMaxFfn, kDefault));
    std::vector<std::int64_t> widths;
    for (const std::string &text : *list) {
        std::int64_t width = 0;
        std::from_chars(text.data(), text.data() + text.size(), width);
        widths.push_back(width);
    }
    const bool right = std::ssize(widths) == layers && std::ranges::all_of(widths, [](auto width) {
                           return width > 0 && width <= kMaxFfn;
                       });
    if (!right)
        config.fail("intermediate_size",
                    "must be a width, or one for each of the " + counted(layers, "layer") + ".");
    return widths;
}

} // namespace

void takeOwnInputs(ConfigReader &config, Architecture &it, std::int64_t otherwise)
{
    const std::int64_t width =
        config.count({"hidden_size_per_layer_input"}, 0, kMaxWidth, otherwise);
    if (width == 0)
        return;
    const std::int64_t vocab =
        config.count({"vocab_size_per_layer_input"}, 1, kMaxVocabulary, 262'144);
    it.ownInputs = width;
    // The table, its part made from the token embedding with a norm, and in each layer a gate, a
    // projection and a norm.
    it.extraParameters += vocab * it.layers * width + it.hidden * it.layers * width + width +
                          it.layers * (2 * it.hidden * width + it.hidden);
}

void takeSharedKeys(ConfigReader &config, Architecture &it, std::int64_t otherwise)
{
    const std::int64_t shared =
        config.count({"num_kv_shared_layers"}, 0, std::max<std::int64_t>(it.layers - 1, 0),
                     std::min(otherwise, std::max<std::int64_t>(it.layers - 1, 0)));
    const bool wide = config.flag("use_double_wide_mlp", false);
    const std::uint8_t width = wide && shared > 0 ? widthIndex(config, it, 2 * it.ffn) : 0;
    for (auto layer = std::ssize(it.blocks) - shared; layer < std::ssize(it.blocks); ++layer) {
        BlockKind &kind = it.blocks[static_cast<std::size_t>(layer)];
        kind.borrowsKeys = true;
        if (wide)
            kind.width = width;
    }
}

void readGemma3n(ConfigReader &config, Architecture &it)
{
    const std::vector<std::int64_t> widths = widthsOf(config, it.layers);
    if (config.error())
        return;
    it.ffn = std::ranges::max(widths);
    it.slidingWindow = config.count({"sliding_window"}, 1, kMaxPositions, 512);
    const TextList *words = listAt(config, "layer_types");
    if (words && std::ssize(*words) != it.layers)
        return config.fail("layer_types", "must have one word a layer.");
    for (std::size_t layer = 0; layer < widths.size(); ++layer) {
        const std::string_view word = words                  ? std::string_view((*words)[layer])
                                      : (layer + 1) % 5 == 0 ? "full_attention"
                                                             : "sliding_attention";
        if (word != "full_attention" && word != "sliding_attention")
            return config.fail("layer_types",
                               "holds \"" + excerpt(word, 40) +
                                   "\"; known are full_attention and sliding_attention.");
        it.slidingLayers.push_back(word == "sliding_attention");
        BlockKind kind;
        kind.width = widthIndex(config, it, widths[layer]);
        it.blocks.push_back(kind);
    }
    takeOwnInputs(config, it, 256);
    takeSharedKeys(config, it, 15);
    const std::int64_t streams = config.count({"altup_num_inputs"}, 1, kMaxHeads, 4);
    const std::int64_t rank = config.count({"laurel_rank"}, 1, kMaxWidth, 64);
    const std::int64_t mixing =
        streams * streams + streams * streams * streams + streams * it.hidden + 2 * it.hidden;
    const std::int64_t residual = 2 * it.hidden * rank + it.hidden;
    it.residualStreams = streams;
    it.extraParameters +=
        it.layers * (mixing + residual) + 2 * (streams - 1) * it.hidden * it.hidden;
}

} // namespace vramscope
