// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/exact.h"
#include "core/catalog/formats.h"
#include "core/settings/engines/vllm_releases.h"
#include "core/settings/field_conditions.h"
#include "core/solver/changes.h"
#include "core/solver/edits.h"
#include "core/solver/engine_share.h"

#include <array>

namespace vramscope {

namespace {

bool wideWeights(const Settings &s)
{
    return !applies::quantizedWeights(s);
}

/// Lowers an engine's share of the GPU to one with which the plan fits.
bool lowerShare(Plan &plan, const Settings &s, std::optional<double> &field, FieldPath share)
{
    const std::optional<double> lower = lowerShareThatFits(plan, s, share);
    if (lower)
        field = lower;
    return lower.has_value();
}

/// A smaller mix of llama.cpp's, instead of a larger one.
bool shrinkMix(Plan &plan, const Settings &s, WeightFormat format)
{
    const auto storageOf = [](WeightFormat it) { return findWeightStorage(choiceText(it)); };
    const WeightStorage *now = storageOf(s.weightFormat);
    if (s.engine != Engine::LlamaCpp || !now || (applies::quantizedWeights(s) && !now->gguf) ||
        now->bytesPerElement() <= storageOf(format)->bytesPerElement())
        return false;
    plan.inference.weightFormat = format;
    return true;
}

/// vLLM captures a graph for each of its sizes; those of the plan may be stated in bytes alone.
bool fewerGraphs(Plan &plan, const Settings &s)
{
    constexpr std::int64_t kFewSizes = 5;
    const std::int64_t sizes = applies::vllm(s) ? capturedSizes(s).count : 0;
    if (sizes <= kFewSizes)
        return false;
    return put(plan.inference.cudaGraphBytes, s.cudaGraphBytes,
               (Exact(s.cudaGraphBytes) * kFewSizes).value() / sizes);
}

constexpr std::array kServingChanges = {
    Change{"Memory utilization {}", "The engine leaves more to the system; its cache is smaller.",
           Toll::None,
           [](Plan &plan, const Settings &s) {
               return lowerShare(plan, s, plan.inference.gpuMemoryUtilization,
                                 "inference.gpu_memory_utilization");
           },
           "share", FieldPath("inference.gpu_memory_utilization")},
    Change{"Static fraction {}", "SGLang leaves more beside its pool; the cache is smaller.",
           Toll::None,
           [](Plan &plan, const Settings &s) {
               return lowerShare(plan, s, plan.inference.sglang.memFractionStatic,
                                 "inference.sglang.mem_fraction_static");
           },
           "share", FieldPath("inference.sglang.mem_fraction_static")},
    Change{
        "Load around the page cache",
        "Weights are read with direct I/O, or their pages are dropped while they load.", Toll::None,
        [](Plan &plan, const Settings &s) {
            if (!s.gpu || s.gpu->memory != DeviceMemory::Pool || plan.hardware.pageCacheBytes == 0)
                return false;
            plan.hardware.pageCacheBytes = 0;
            return true;
        }},
    Change{"Memory utilization 0.95", "The engine takes as much more of the GPU.", Toll::None,
           [](Plan &plan, const Settings &s) {
               if (!applies::gpuShare(s) || s.gpuMemoryUtilization >= 0.95)
                   return false;
               plan.inference.gpuMemoryUtilization = 0.95;
               return true;
           },
           "share"},
    Change{"Tokens a prefill {}", "Long prompts take more passes.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return applies::sglang(s) &&
                      halve(plan.inference.sglang.chunkedPrefillSize, s.sglang.chunkedPrefillSize);
           },
           "", FieldPath("inference.sglang.chunked_prefill_size"), true},
    Change{"Tokens a pass {}", "Long prompts take more passes.", Toll::None,
           [](Plan &plan, const Settings &s) {
               // vLLM reads an encoder's texts whole.
               const bool whole =
                   s.architecture.encoder && s.maxNumBatchedTokens / 2 < s.maxModelLen;
               return applies::batchedTokens(s) && !whole &&
                      halve(plan.inference.maxNumBatchedTokens, s.maxNumBatchedTokens);
           },
           "", FieldPath("inference.max_num_batched_tokens"), true},
    Change{"CUDA graphs of {} sequences at most",
           "Larger batches run kernel by kernel: --cuda-graph-max-bs.", Toll::Limits,
           [](Plan &plan, const Settings &s) {
               return applies::sglang(s) && s.cudaGraphBytes > 0 &&
                      halve(plan.inference.sglang.cudaGraphMaxBs, s.sglang.cudaGraphMaxBs);
           },
           "graphs", FieldPath("inference.sglang.cuda_graph_max_bs"), true},
    Change{"CUDA graphs of 16 sequences at most",
           "Larger batches run kernel by kernel: cudagraph_capture_sizes 1, 2, 4, 8 and 16.",
           Toll::Limits, fewerGraphs, "graphs"},
    Change{"Eager mode", "No CUDA graphs: small batches run more slowly.", Toll::Limits,
           [](Plan &plan, const Settings &s) {
               return applies::versionedEngine(s) &&
                      put(plan.inference.cudaGraphBytes, s.cudaGraphBytes, Bytes(0));
           },
           "graphs"},
    Change{"No videos", "Prompts hold images alone, so vLLM keeps no room to encode a video.",
           Toll::Limits,
           [](Plan &plan, const Settings &s) {
               if (!applies::encodesVideos(s) || !s.multimodal.profiled || s.multimodal.videos == 0)
                   return false;
               plan.inference.multimodal.videos = 0;
               return true;
           }},
    Change{"Images of {} pixels at most", "Larger images are scaled down.", Toll::Results,
           [](Plan &plan, const Settings &s) {
               return applies::scalesImages(s) && s.multimodal.profiled &&
                      s.multimodal.images > 0 &&
                      halve(plan.inference.multimodal.maxPixels, s.multimodal.maxPixels > 0
                                                                     ? s.multimodal.maxPixels
                                                                     : s.towers.front().maxPixels);
           },
           "", FieldPath("inference.multimodal.max_pixels"), true},
    Change{"Most sequences at once {}", "Fewer requests run at the same time.", Toll::Limits,
           [](Plan &plan, const Settings &s) {
               return applies::vllm(s) && halve(plan.inference.maxNumSeqs, s.maxNumSeqs);
           },
           "", FieldPath("inference.max_num_seqs"), true},
    Change{"Sequences {}", "Fewer requests run at the same time.", Toll::Limits,
           [](Plan &plan, const Settings &s) {
               return halve(plan.inference.concurrentSequences, s.concurrentSequences);
           },
           "", FieldPath("inference.concurrent_sequences"), true},
    Change{"Longest sequence {}", "Prompt and answer together are shorter.", Toll::Limits,
           [](Plan &plan, const Settings &s) {
               return applies::windowedEngine(s) &&
                      halve(plan.inference.maxModelLen, s.maxModelLen);
           },
           "", FieldPath("inference.max_model_len"), true},
    Change{"Mean length {}", "Prompt and answer together are shorter.", Toll::Limits,
           [](Plan &plan, const Settings &s) {
               return halve(plan.inference.meanSequenceLength, s.meanSequenceLength);
           },
           "", FieldPath("inference.mean_sequence_length"), true},
    Change{"Experts of all layers on the host",
           "Each token's experts are read in the host's memory.", Toll::Slow,
           [](Plan &plan, const Settings &s) {
               const std::int64_t layers = s.architecture.layers;
               if (!applies::llamaExperts(s) || s.hostExpertLayers >= layers)
                   return false;
               plan.inference.hostExpertLayers = layers;
               return true;
           }},
    Change{"Tensor parallel {}", "More GPUs.", Toll::None,
           [](Plan &plan, const Settings &s) { return raiseTensor(plan, s, 2); }, "",
           FieldPath("parallel.tensor")},
    Change{"Tensor parallel {}", "More GPUs.", Toll::None,
           [](Plan &plan, const Settings &s) { return raiseTensor(plan, s, 4); }, "",
           FieldPath("parallel.tensor")},
    Change{"Tensor parallel {}", "More GPUs.", Toll::None,
           [](Plan &plan, const Settings &s) { return raiseTensor(plan, s, 8); }, "",
           FieldPath("parallel.tensor")},
    Change{"Pipeline of {} stages", "More GPUs; each request passes all.", Toll::None,
           [](Plan &plan, const Settings &s) { return raisePipeline(plan, s, 2 * s.pipeline); }, "",
           FieldPath("parallel.pipeline")},
    Change{"Cache in 8 bits", "Keys and values are rounded to fp8.", Toll::Results,
           [](Plan &plan, const Settings &s) {
               if (s.kvBytesPerElement <= 1)
                   return false;
               plan.inference.kvBytesPerElement = 1;
               return true;
           }},
    Change{"Weights in fp8", "Weights are rounded to 8 bits.", Toll::Results,
           [](Plan &plan, const Settings &s) {
               return wideWeights(s) &&
                      put(plan.inference.weightFormat, s.weightFormat, WeightFormat::Fp8);
           },
           "weights"},
    Change{"Weights in 4 bits", "Weights are rounded to 4 bits (AWQ).", Toll::Results,
           [](Plan &plan, const Settings &s) {
               return (wideWeights(s) || s.weightFormat == WeightFormat::Fp8 ||
                       s.weightFormat == WeightFormat::Int8) &&
                      put(plan.inference.weightFormat, s.weightFormat, WeightFormat::AwqInt4);
           },
           "weights"},
    Change{"Weights in 8 bits", "Weights are rounded to 8 bits.", Toll::Results,
           [](Plan &plan, const Settings &s) {
               return s.engine == Engine::Mlx && wideWeights(s) &&
                      put(plan.inference.weightFormat, s.weightFormat, WeightFormat::Mlx8Bit);
           },
           "weights"},
    Change{"Weights in 4 bits", "Weights are rounded to 4 bits.", Toll::Results,
           [](Plan &plan, const Settings &s) {
               return s.engine == Engine::Mlx &&
                      (wideWeights(s) || s.weightFormat == WeightFormat::Mlx8Bit) &&
                      put(plan.inference.weightFormat, s.weightFormat, WeightFormat::Mlx4Bit);
           },
           "weights"},
    Change{"Weights in Q8_0", "Weights are rounded to 8 bits.", Toll::Results,
           [](Plan &plan, const Settings &s) { return shrinkMix(plan, s, WeightFormat::Q8_0); },
           "weights"},
    Change{"Weights in Q4_K_M", "A smaller mix: answers are a little less exact.", Toll::Results,
           [](Plan &plan, const Settings &s) { return shrinkMix(plan, s, WeightFormat::Q4_K_M); },
           "weights"},
    Change{"Weights in Q3_K_M", "A small mix: answers are less exact.", Toll::Results,
           [](Plan &plan, const Settings &s) { return shrinkMix(plan, s, WeightFormat::Q3_K_M); },
           "weights"},
    Change{"Weights in Q2_K", "The smallest mix: answers suffer.", Toll::Results,
           [](Plan &plan, const Settings &s) { return shrinkMix(plan, s, WeightFormat::Q2_K); },
           "weights"},
};

} // namespace

std::span<const Change> servingChanges()
{
    return kServingChanges;
}

} // namespace vramscope
