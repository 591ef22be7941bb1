// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/llama_cpp/llama_cards.h"

#include <algorithm>

namespace vramscope {

LlamaCards cardsFor(const LlamaModel &model, LlamaSettings settings,
                    std::span<const GpuPreset> cards)
{
    settings.gpuLayers = -1;
    settings.tensorSplit.clear();
    settings.overrides.clear();
    constexpr Bytes kEnough = Bytes(1) << 50; // for any model
    const LlamaDevice device{"", kEnough};
    const LlamaSplit split = splitModel(model, settings, {&device, 1});
    LlamaCards found{split.devices.front().total() + kBesideLlama, split.context, {}};
    for (const GpuPreset &card : cards)
        if (card.capacity >= found.needs)
            found.cards.push_back(&card);
    std::ranges::stable_sort(found.cards, {}, &GpuPreset::capacity);
    return found;
}

} // namespace vramscope
