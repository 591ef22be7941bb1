// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/plan/choices.h"
#include "core/plan/declared_field.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope {

// The fields of a plan from "overheads" on, in the order of the document.

template<template<class> class Holder>
struct OverheadFields
{
    static constexpr std::string_view kPrefix = "overheads.";
    Holder<Bytes> contextBytes = field<Holder>("context_bytes", 0);
    Holder<Bytes> ncclBytes = field<Holder>("nccl_bytes", 0);
    Holder<Bytes> cublasWorkspaceBytes = field<Holder>("cublas_workspace_bytes", 0);
    Holder<Bytes> engineWorkspaceBytes = field<Holder>("engine_workspace_bytes", 0);
    Holder<std::string> allocConf = field<Holder, std::string>(
        "alloc_conf"); ///< PYTORCH_CUDA_ALLOC_CONF; empty: PyTorch's own settings
    Holder<double> reservedFactor = field<Holder>("reserved_factor", 1);
    Holder<Bytes> residentBytes = field<Holder>("resident_bytes", 0);
    StatedAlone<Holder, TextList> calibrated =
        field<Holder>("calibrated"); ///< marks, calibration_marks.h
    bool operator==(const OverheadFields &) const = default;
};

/// SGLang's own words (server_args.py).
template<template<class> class Holder>
struct SglangFields
{
    Holder<std::int64_t> chunkedPrefillSize = field<Holder>("sglang.chunked_prefill_size", 0);
    Holder<std::int64_t> cudaGraphMaxBs = field<Holder>("sglang.cuda_graph_max_bs", 0);
    Holder<double> memFractionStatic = field<Holder>("sglang.mem_fraction_static", 0);
    Holder<std::int64_t> maxTotalTokens =
        field<Holder>("sglang.max_total_tokens", 0); ///< 0: as many as fit
    Holder<std::int64_t> maxRunningRequests = field<Holder>("sglang.max_running_requests", 0);
    Holder<std::int64_t> pageSize = field<Holder>("sglang.page_size", 1);
    Holder<double> swaFullTokensRatio = field<Holder>("sglang.swa_full_tokens_ratio", 0.8);
    Holder<double> mambaFullMemoryRatio = field<Holder>("sglang.mamba_full_memory_ratio", 0.9);
    bool operator==(const SglangFields &) const = default;
};

/// TensorRT-LLM's KvCacheConfig.
template<template<class> class Holder>
struct TrtLlmFields
{
    Holder<double> freeGpuMemoryFraction = field<Holder>("trtllm.free_gpu_memory_fraction", 0.9);
    bool operator==(const TrtLlmFields &) const = default;
};

/// The images and videos of a prompt, by vLLM's own names; 999 is its own limit.
template<template<class> class Holder>
struct MultimodalFields
{
    Holder<std::int64_t> images = field<Holder>("multimodal.images", 999);
    Holder<std::int64_t> videos = field<Holder>("multimodal.videos", 999);
    Holder<std::int64_t> maxPixels =
        field<Holder>("multimodal.max_pixels", 0); ///< of an image; 0: as the model has it
    Holder<bool> profiled = field<Holder>("multimodal.profiled", true);
    bool operator==(const MultimodalFields &) const = default;
};

template<template<class> class Holder>
struct SpeculationFields
{
    Holder<SpeculativeMethod> method = field<Holder>("speculative.method", SpeculativeMethod::None);
    Holder<std::int64_t> tokens = field<Holder>("speculative.num_speculative_tokens", 1);
    StatedAlone<Holder, std::string> model =
        field<Holder>("speculative.model"); ///< of the catalogue
    StatedAlone<Holder, std::string> config =
        field<Holder>("speculative.config"); ///< config.json of the draft: the object as JSON text
    Holder<WeightFormat> weightFormat =
        field<Holder>("speculative.weight_format", WeightFormat::Bf16);
    bool operator==(const SpeculationFields &) const = default;
};

template<template<class> class Holder>
struct InferenceFields
{
    static constexpr std::string_view kPrefix = "inference.";
    Holder<Engine> engine = field<Holder>("engine", Engine::Plain);
    Holder<std::string> engineVersion = field<Holder, std::string>(
        "engine_version"); ///< "0.21.0"; empty: of engines whose releases are alike
    Holder<WeightFormat> weightFormat = field<Holder>("weight_format", WeightFormat::Bf16);
    Holder<MoeBackend> moeBackend = field<Holder>("moe_backend", MoeBackend::Marlin);
    Holder<double> kvBytesPerElement = field<Holder>("kv_bytes_per_element", 2);
    Holder<std::int64_t> blockSize = field<Holder>("block_size", 16);
    Holder<double> gpuMemoryUtilization = field<Holder>("gpu_memory_utilization", 0.9);
    Holder<std::int64_t> maxModelLen = field<Holder>("max_model_len", 0);
    Holder<std::int64_t> maxNumSeqs = field<Holder>("max_num_seqs", 256);
    Holder<std::int64_t> maxNumBatchedTokens = field<Holder>("max_num_batched_tokens", 8192);
    Holder<std::int64_t> concurrentSequences = field<Holder>("concurrent_sequences", 1);
    Holder<std::int64_t> meanSequenceLength = field<Holder>("mean_sequence_length", 0);
    SglangFields<Holder> sglang;
    TrtLlmFields<Holder> trtLlm;
    Holder<Bytes> cudaGraphBytes = field<Holder>("cuda_graph_bytes", 0);
    Holder<bool> embeddingParallel = field<Holder>("embedding_parallel", true);
    Holder<bool> prefixCaching = field<Holder>("prefix_caching", true);
    Holder<std::int64_t> hostExpertLayers =
        field<Holder>("host_expert_layers", 0); ///< from the first on, under llama.cpp
    Holder<std::int64_t> groupSize = field<Holder>("group_size", 128);
    Holder<TextList> notConverted = field<Holder, TextList>("modules_to_not_convert");
    Holder<bool> quantizeAtLoad = field<Holder>("quantize_at_load", false);
    Holder<Bytes> nonTorchBytes =
        field<Holder>("non_torch_bytes", -1); ///< -1: computed, as the two below
    Holder<Bytes> activationPeakBytes = field<Holder>("activation_peak_bytes", -1);
    Holder<Bytes> kvCacheMemoryBytes = field<Holder>("kv_cache_memory_bytes", -1);
    Holder<std::int64_t> maxLoras = field<Holder>("max_loras", 0);
    Holder<std::int64_t> maxLoraRank = field<Holder>("max_lora_rank", 16);
    Holder<TextList> loraTargets = field<Holder, TextList>("lora_targets");
    Holder<bool> fullyShardedLoras = field<Holder>("fully_sharded_loras", false);
    MultimodalFields<Holder> multimodal;
    SpeculationFields<Holder> speculative;
    bool operator==(const InferenceFields &) const = default;
};

/// What a diffusion pipeline makes, and how diffusers runs it.
template<template<class> class Holder>
struct DiffusionFields
{
    static constexpr std::string_view kPrefix = "diffusion.";
    Holder<std::int64_t> width = field<Holder>("width", 0); ///< 0: no pipeline
    Holder<std::int64_t> height = field<Holder>("height", 0);
    Holder<std::int64_t> frames = field<Holder>("frames", 0);
    Holder<std::int64_t> images = field<Holder>("images", 1);
    Holder<bool> guidance = field<Holder>("guidance", true);
    Holder<std::int64_t> promptTokens = field<Holder>("prompt_tokens", 0);
    Holder<DiffusionFormat> transformerFormat =
        field<Holder>("transformer_format", DiffusionFormat::Bf16);
    Holder<DiffusionFormat> textEncoderFormat =
        field<Holder>("text_encoder_format", DiffusionFormat::Bf16);
    Holder<AutoencoderFormat> vaeFormat = field<Holder>("vae_format", AutoencoderFormat::Bf16);
    Holder<DiffusionOffload> offload = field<Holder>("offload", DiffusionOffload::None);
    Holder<bool> vaeTiling = field<Holder>("vae_tiling", false);
    Holder<bool> vaeSlicing = field<Holder>("vae_slicing", false);
    bool operator==(const DiffusionFields &) const = default;
};

/// How trainer and engine of reinforcement learning share their GPUs.
template<template<class> class Holder>
struct RlFields
{
    static constexpr std::string_view kPrefix = "rl.";
    Holder<std::int64_t> tensor = field<Holder>("tensor", 1);
    Holder<std::int64_t> sleepLevel = field<Holder>("sleep_level", 1);
    Holder<bool> sharedProcess = field<Holder>("shared_process", false);
    Holder<bool> paramOffload = field<Holder>("param_offload", false);
    Holder<bool> optimizerOffload = field<Holder>("optimizer_offload", false);
    Holder<bool> reference = field<Holder>("reference", false);
    Holder<bool> referenceOffload = field<Holder>("reference_offload", false);
    Holder<bool> critic = field<Holder>("critic", false);
    Holder<std::int64_t> logProbMicroBatch = field<Holder>("log_prob_micro_batch", 1);
    Holder<Bytes> syncBucketBytes = field<Holder>("sync_bucket_bytes", 0);
    bool operator==(const RlFields &) const = default;
};

/// What time and money are projected for.
template<template<class> class Holder>
struct RunFields
{
    static constexpr std::string_view kPrefix = "run.";
    Holder<std::int64_t> tokens = field<Holder>("tokens", 0); ///< 0: not stated
    Holder<double> gpuHourPrice =
        field<Holder>("gpu_hour_price", 0); ///< in the user's own currency; 0: not stated
    bool operator==(const RunFields &) const = default;
};

} // namespace vramscope
