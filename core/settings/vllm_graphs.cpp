// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/vllm_graphs.h"

#include "core/catalog/links.h"
#include "core/settings/settings.h"
#include "core/settings/usual_values.h"

#include <algorithm>

namespace vramscope {

namespace {

/// Bytes that the driver keeps of the kernels of a stage's layers in one graph.
Exact kernelsOf(const Settings &s, const Empirical &ofLayer)
{
    const Architecture &a = s.architecture;
    Exact all;
    for (std::int64_t layer = 0; layer < a.layers; ++layer) {
        const BlockKind kind = a.kindOf(layer);
        all += ofLayer.bytes();
        if (kind.feedForward == FeedForward::Experts)
            all += empirical(Measured::VllmGraphExperts).bytes();
        if (kind.keepsState())
            all += empirical(Measured::VllmGraphState).bytes();
        if (a.mla() && kind.attends())
            all += empirical(Measured::VllmGraphLatent).bytes();
    }
    return dividedUp(all, std::max<std::int64_t>(s.pipeline, 1));
}

bool isHopper(const Settings &s)
{
    return s.gpu && s.gpu->generation == GpuGeneration::Hopper;
}

/// vLLM attends with FlashInfer where FlashAttention has no kernels: over a cache in 8 bits before
/// and after Hopper, and on Blackwell in data centres. vllm/platforms/cuda.py.
bool usesFlashInfer(const Settings &s)
{
    if (!s.gpu || s.architecture.mla() || !atLeast(s.gpu->generation, GpuGeneration::Ampere))
        return false;
    const bool eightBits = s.kvBytesPerElement < 2 && !isHopper(s);
    return eightBits || (atLeast(s.gpu->generation, GpuGeneration::Blackwell) &&
                         peerLinkOf(s.gpu->name) && !s.gpu->unified());
}

/// FlashAttention 3 splits a decoded sequence's keys in up to 32 parts, each with a result in fp32:
/// vllm/v1/attention/backends/flash_attn.py. FlashInfer has one workspace, vllm/envs.py.
Exact attentionOf(const Settings &s, std::int64_t tokens)
{
    constexpr std::int64_t kSplits = 32;
    constexpr Bytes kFlashInferWorkspace = 394 * kMiB;
    const Architecture &a = s.architecture;
    if (usesFlashInfer(s))
        return kFlashInferWorkspace;
    if (!isHopper(s) || a.mla())
        return 0;
    return dividedUp(Exact(4) * kSplits * tokens * a.heads * a.headDim, s.tensor) +
           usual::cublasWorkspaceBytes(s);
}

} // namespace

VllmGraphs vllmGraphs(const Settings &s)
{
    const CapturedParts parts = vllmRelease(s).captured;
    const CapturedSizes all = capturedSizes(s);
    const CapturedSizes decoded = decodedSizes(s);
    const bool whole = parts != CapturedParts::Pieces && !s.architecture.encoder; // config/vllm.py
    VllmGraphs graphs;
    graphs.pieces = parts == CapturedParts::Whole ? 0 : all.count;
    graphs.whole = whole ? decoded.count : 0;
    // Since 0.11.1 each size is captured with adapters and again without, in case no sequence of a
    // batch has one: cudagraph_specialize_lora, vllm/config/compilation.py. The author of that saw
    // 1.62 GiB become 2.38 GiB (vllm#25914).
    const auto version = engineVersion(s.engineVersion);
    if (s.maxLoras > 0 && (!version || !EngineVersion{0, 11, 1}.isNewerThan(*version))) {
        graphs.pieces *= 2;
        graphs.whole *= 2;
    }
    graphs.ofLayer = &empirical(parts == CapturedParts::PiecesAndWhole ? Measured::VllmGraphLayer
                                                                       : Measured::VllmGraphPieces);
    graphs.kernels = kernelsOf(s, *graphs.ofLayer);
    const Architecture &a = s.architecture;
    const std::int64_t width = a.moe() ? a.sharedFfn : a.ffn;
    graphs.tensors = Exact(6) * all.largest * (dividedUp(Exact(width), s.tensor) + a.hidden);
    if (whole && parts == CapturedParts::PiecesAndWhole)
        graphs.attention = attentionOf(s, decoded.largest);
    return graphs;
}

} // namespace vramscope
