// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/gpus.h"
#include "core/llama_cpp/llama_split.h"

#include <span>
#include <vector>

namespace vramscope {

/// The cards that hold a model alone, with all of it on the device.
struct LlamaCards
{
    Bytes needs = 0;                      ///< with kBesideLlama
    std::int64_t context = 0;             ///< cells of the cache
    std::vector<const GpuPreset *> cards; ///< among the given ones, the smallest first
};

/// The `cards` with enough memory for the whole model under these settings, ignoring layers left on
/// the host, shares of devices and overrides. Model and cache are exact, compute is an estimate.
[[nodiscard]] LlamaCards cardsFor(const LlamaModel &model, LlamaSettings settings,
                                  std::span<const GpuPreset> cards);

} // namespace vramscope
