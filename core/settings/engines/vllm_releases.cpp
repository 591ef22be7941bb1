// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/engines/vllm_releases.h"

#include "core/base/exact.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

// Read in vllm-project/vllm and its start-up logs: the pull request of each change, and the file
// that holds the budget then.
constexpr VllmRelease kVllmReleases[] = {
    // V0: the cache is total · utilization less the peak of a profile run, which sorts the logits.
    {.since = {0, 4, 0},
     .name = "0.4.0",
     .nonTorch = NonTorch::WithCommunicators,
     .sampler = ProfiledSampler::Sorts,
     .captured = CapturedParts::Whole,
     .triesGraphs = false,
     .asksForFreeMemory = false,
     .batchesByGpu = false,
     .largestGraph = 256,
     .wideGraphStep = 8,
     .printed = PrintedTokens::BlocksOfAGroup,
     .swapSpace = 4 * kGiB,
     .source = "vLLM 0.4 to 0.6.3: vllm/worker/worker.py, determine_num_available_blocks"},
    // All in use that is not PyTorch's counts, the context too (#10511).
    {.since = {0, 6, 4},
     .name = "0.6.4",
     .nonTorch = NonTorch::AllInUse,
     .sampler = ProfiledSampler::Sorts,
     .captured = CapturedParts::Whole,
     .triesGraphs = false,
     .asksForFreeMemory = false,
     .batchesByGpu = false,
     .largestGraph = 256,
     .wideGraphStep = 8,
     .printed = PrintedTokens::BlocksOfAGroup,
     .swapSpace = 4 * kGiB,
     .source = "vLLM 0.6.4 and 0.6.5: vllm/worker/worker.py (#10511)"},
    // Measured from a snapshot after the context (#11809, #12126).
    {.since = {0, 6, 6},
     .name = "0.6.6",
     .nonTorch = NonTorch::WithCommunicators,
     .sampler = ProfiledSampler::Sorts,
     .captured = CapturedParts::Whole,
     .triesGraphs = false,
     .asksForFreeMemory = false,
     .batchesByGpu = false,
     .largestGraph = 256,
     .wideGraphStep = 8,
     .printed = PrintedTokens::BlocksOfAGroup,
     .swapSpace = 4 * kGiB,
     .source = "vLLM 0.6.6 and 0.7: vllm/worker/worker.py (#12126)"},
    // V1 by default: all that the device has in use counts, other processes too; batches by the
    // GPU; no swap space; graphs of the pieces between attention.
    {.since = {0, 8, 0},
     .name = "0.8.0",
     .nonTorch = NonTorch::AllInUse,
     .sampler = ProfiledSampler::Sorts,
     .captured = CapturedParts::Pieces,
     .triesGraphs = false,
     .asksForFreeMemory = false,
     .wideGraphStep = 8,
     .printed = PrintedTokens::BlocksOfAGroup,
     .source = "vLLM 0.8.0 to 0.9.0: vllm/v1/worker/gpu_worker.py"},
    // Measured from a snapshot after the context; the share has to be free at the start (#19312).
    {.since = {0, 9, 1},
     .name = "0.9.1",
     .nonTorch = NonTorch::WithCommunicators,
     .sampler = ProfiledSampler::Sorts,
     .captured = CapturedParts::Pieces,
     .triesGraphs = false,
     .wideGraphStep = 8,
     .printed = PrintedTokens::BlocksOfAGroup,
     .source = "vLLM 0.9.1 to 0.10: vllm/v1/worker/gpu_worker.py (#19312)"},
    // Communicators are made before the snapshot: they lower what is free and no longer count
    // (#25359); kv_cache_memory_bytes (#21489); pieces and the whole model are captured.
    {.since = {0, 11, 0},
     .name = "0.11.0",
     .sampler = ProfiledSampler::Sorts,
     .triesGraphs = false,
     .wideGraphStep = 8,
     .printed = PrintedTokens::BlocksOfAGroup,
     .source = "vLLM 0.11: vllm/v1/worker/gpu_worker.py (#25359)"},
    // CUDA graphs of 256 tokens and more are 16 apart: 51 of them, where there were 67.
    {.since = {0, 12, 0},
     .name = "0.12.0",
     .sampler = ProfiledSampler::Sorts,
     .triesGraphs = false,
     .printed = PrintedTokens::BlocksOfAGroup,
     .source = "vLLM 0.12 to 0.16: vllm/v1/worker/gpu_worker.py (#25359)"},
    // Kernels mask the logits in place (#33538).
    {.since = {0, 17, 0},
     .name = "0.17.0",
     .triesGraphs = false,
     .printed = PrintedTokens::BlocksOfAGroup,
     .source = "vLLM 0.17: vllm/v1/worker/gpu_worker.py (#25359)"},
    // Graphs are tried before the cache is sized, to estimate them (#30515).
    {.since = {0, 18, 0},
     .name = "0.18.0",
     .printed = PrintedTokens::BlocksOfAGroup,
     .source = "vLLM 0.18 to 0.20: vllm/v1/worker/gpu_worker.py (#30515)"},
    // CUDA graphs are estimated and taken off the cache; utilization 0.92 (#38284).
    {.since = {0, 21, 0},
     .name = "0.21.0",
     .utilization = 0.92,
     .graphs = GraphMemory::WithinShare,
     .printed = PrintedTokens::BlocksOfAGroup,
     .source = "vLLM 0.21: vllm/v1/worker/gpu_worker.py (#38284)"},
    // The size of the cache is printed as concurrency · max_model_len (#41069).
    {.since = {0, 22, 0},
     .name = "0.22.0",
     .utilization = 0.92,
     .graphs = GraphMemory::WithinShare,
     .source = "vLLM 0.22 and newer: vllm/v1/worker/gpu_worker.py (#38284)"},
};

constexpr std::int64_t kSmallBatch = 256; ///< graphs below are 8 tokens apart

/// Tokens of a batch in which every sequence decodes.
Exact decodedTokens(const Settings &s)
{
    return Exact(s.maxNumSeqs) * (1 + draftedTokens(s));
}

CapturedSizes sizesUpTo(std::int64_t mostTokens, const Settings &s)
{
    const std::int64_t step = vllmRelease(s).wideGraphStep;
    CapturedSizes sizes;
    for (const std::int64_t size : {1, 2, 4})
        if (size <= mostTokens)
            sizes = {sizes.count + 1, size};
    if (const std::int64_t eights = std::min(mostTokens, kSmallBatch - 8) / 8; eights > 0)
        sizes = {sizes.count + eights, eights * 8};
    if (mostTokens >= kSmallBatch) {
        const std::int64_t wide = (mostTokens - kSmallBatch) / step;
        sizes = {sizes.count + 1 + wide, kSmallBatch + wide * step};
    }
    return sizes;
}

} // namespace

std::span<const VllmRelease> vllmReleases()
{
    return kVllmReleases;
}

const VllmRelease &vllmRelease(const Settings &s)
{
    return releaseOf(kVllmReleases, engineVersion(s.engineVersion));
}

VllmBatches vllmBatches(const Settings &s, VllmUse use)
{
    const VllmRelease &release = vllmRelease(s);
    if (!release.batchesByGpu) {
        // A long context is cut into chunks (V0, enable_chunked_prefill).
        constexpr std::int64_t kChunk = 2048;
        constexpr std::int64_t kLong = 32768;
        return {256, s.maxModelLen > kLong ? kChunk : std::max(s.maxModelLen, kChunk)};
    }
    const bool library = use == VllmUse::Library;
    // NVML states no memory of a pool, and vLLM then takes the GPU for a small one.
    const bool unknown =
        s.gpu && s.gpu->memory == DeviceMemory::Pool && s.gpu->vendor() == GpuVendor::Nvidia;
    const bool large =
        s.capacity >= 70 * kGiB && !unknown && !(s.gpu && s.gpu->name.starts_with("a100"));
    if (!large)
        return {256, library ? 8192 : 2048};
    const auto version = engineVersion(s.engineVersion);
    const bool widest =
        s.capacity >= 160 * kGiB && (!version || !EngineVersion{0, 28, 0}.isNewerThan(*version));
    return {1024, library || widest ? 16384 : 8192};
}

CapturedSizes capturedSizes(const Settings &s)
{
    // vllm/model_executor/models/config.py, GptOssForCausalLMConfig.
    constexpr std::int64_t kLargestOfGptOss = 1024;
    const VllmRelease &release = vllmRelease(s);
    const std::int64_t factor = release.batchesByGpu ? 2 : 1;
    const std::int64_t largest =
        s.architecture.modelType == "gpt_oss" ? kLargestOfGptOss : release.largestGraph;
    return sizesUpTo(
        std::min({(decodedTokens(s) * factor).value(), largest, s.maxNumBatchedTokens}), s);
}

CapturedSizes decodedSizes(const Settings &s)
{
    return sizesUpTo(std::min(decodedTokens(s).value(), capturedSizes(s).largest), s);
}

} // namespace vramscope
