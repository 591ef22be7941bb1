// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/serving.h"
#include "core/model/towers/visual_tokens.h"

namespace vramscope {

/// Inputs that vLLM encodes before it profiles the text: vllm/v1/worker/gpu_model_runner.py,
/// profile_run(). All zero where it encodes nothing, or where the tower's memory is unknown.
struct ProfiledEncoding
{
    std::int64_t items = 0; ///< images or videos
    bool video = false;     ///< else images
    VisualTokens all;       ///< of all items
    std::int64_t width = 0; ///< bytes of a token's features
    Exact pixels;           ///< kept until the text's run ends
    Exact features;         ///< kept in the encoder cache as long
    Exact peak;             ///< encodingPeak(): the pixels and the tower at work

    [[nodiscard]] Exact held() const { return pixels + features; }
};

/// Memory of vLLM's tower at its worst moment for this number of images on one rank, with their
/// pixels, in bytes. Recorded without memory: tests/measure/encoders.
[[nodiscard]] Exact encodingPeak(const Settings &settings, const Tower &tower,
                                 const VisualTokens &images);

[[nodiscard]] ProfiledEncoding profiledEncoding(const Serving &serving);

/// Adds tensors that are kept while the text runs.
void addHeldImages(const Serving &serving, const ProfiledEncoding &encoding, Ledger &ledger);

/// Adds the tower at work, where that is the profile run's peak.
void addEncoding(const Serving &serving, const ProfiledEncoding &encoding, Ledger &ledger);

} // namespace vramscope
