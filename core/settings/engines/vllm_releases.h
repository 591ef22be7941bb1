// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/settings/engines/engine_version.h"

#include <cstdint>
#include <span>
#include <string_view>

namespace vramscope {

struct Settings;

/// Where the memory of CUDA graphs is: beside the share of the GPU that vLLM may use, or within it.
enum class GraphMemory { BesideShare, WithinShare };

/// What of a process's memory outside PyTorch vLLM takes off its share: all that the device has in
/// use; what comes after the context, communicators among it; or only what comes after those.
enum class NonTorch { AllInUse, WithCommunicators, WithoutCommunicators };

/// What "GPU KV cache size: N tokens" counts: the blocks of a group of layers; or as many longest
/// sequences as run at once, which is more where layers look back over a window or keep a state.
enum class PrintedTokens { BlocksOfAGroup, ConcurrencyTimesLength };

/// How vLLM's profile run picks the next tokens out of all logits: by sorting each row, or by
/// masking it in place.
enum class ProfiledSampler { Sorts, Masks };

/// What vLLM captures as CUDA graphs for a size of batches: the whole model, for decoding; its
/// pieces between attention; or both.
enum class CapturedParts { Whole, Pieces, PiecesAndWhole };

/// How releases of vLLM from `since` on plan their memory.
struct VllmRelease
{
    EngineVersion since;
    std::string_view name;    ///< "0.21.0"
    double utilization = 0.9; ///< where none is stated
    GraphMemory graphs = GraphMemory::BesideShare;
    NonTorch nonTorch = NonTorch::WithoutCommunicators;
    ProfiledSampler sampler = ProfiledSampler::Masks;
    CapturedParts captured = CapturedParts::PiecesAndWhole;
    bool triesGraphs = true; ///< captures some before the cache is sized: what stays is non-torch
    bool asksForFreeMemory = true;   ///< refuses to start where less is free than its share
    bool batchesByGpu = true;        ///< the size of batches follows the GPU, not max_model_len
    std::int64_t largestGraph = 512; ///< tokens; fewer where there are fewer sequences
    std::int64_t wideGraphStep = 16; ///< between graphs of 256 tokens and more
    PrintedTokens printed = PrintedTokens::ConcurrencyTimesLength;
    Bytes swapSpace = 0;     ///< of the host, for each GPU
    std::string_view source; ///< where the budget is written down, with the release
};

/// All that are told apart, the oldest first.
[[nodiscard]] std::span<const VllmRelease> vllmReleases();

/// The release that the settings name.
[[nodiscard]] const VllmRelease &vllmRelease(const Settings &settings);

/// What starts vLLM, which decides how large its batches are: `vllm serve`, or LLM(…) in a program.
enum class VllmUse { Server, Library };

struct VllmBatches
{
    std::int64_t sequences = 0; ///< max_num_seqs
    std::int64_t tokens = 0;    ///< max_num_batched_tokens
};

/// What vLLM takes where neither is stated: by the GPU's memory, 70 GiB or more but A100, and by
/// its use; before V1 by max_model_len. engine/arg_utils.py, EngineArgs._set_default_*.
[[nodiscard]] VllmBatches vllmBatches(const Settings &settings, VllmUse use = VllmUse::Server);

/// Sizes of batches that vLLM captures as CUDA graphs: config/vllm.py, _set_cudagraph_sizes.
struct CapturedSizes
{
    std::int64_t count = 0;
    std::int64_t largest = 0; ///< tokens
};

/// All of them.
[[nodiscard]] CapturedSizes capturedSizes(const Settings &settings);
/// Those that a batch may have in which every sequence decodes.
[[nodiscard]] CapturedSizes decodedSizes(const Settings &settings);

} // namespace vramscope
