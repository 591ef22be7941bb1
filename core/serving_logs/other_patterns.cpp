// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/pattern_rows.h"

namespace vramscope {

namespace {

using namespace pattern_rows;

constexpr LogPattern stated(std::string_view shape)
{
    return {LogEngine::Unknown, shape, "", "", LogPatternKind::Figures, true};
}

constexpr LogPattern kOtherPatterns[] = {
    // TensorRT-LLM
    marks(kTrt, LogPatternKind::Command, "trtllm-serve "),
    setting(kTrt, "TensorRT-LLM version: <=version>"),
    setting(kTrt, "TRTGptModel maxNumTokens: <=max_num_batched_tokens>"),
    setting(kTrt, "TRTGptModel maxNumSequences: <=max_num_seqs>"),
    {kTrt, "Loaded engine size: {engine_size} MiB", "", ""},
    {kTrt, "Allocated {execution_context} MiB for execution context memory", "", ""},
    {kTrt, "Allocated {runtime_buffers} MB GPU memory for runtime buf", "", ""},
    {kTrt, "Allocated {decoder_buffers} MB GPU memory for decoder", "", ""},
    {kTrt, "calculating max tokens in paged kv cache: total: {kv_total_memory} GiB", "", ""},
    {kTrt, "calculating max tokens in paged kv cache: <*>available: {kv_available_memory} GiB", "",
     ""},
    {kTrt, "Number of blocks in KV cache primary pool: {kv_blocks}", "", ""},
    {kTrt, "Number of blocks in KV cache secondary pool: {kv_secondary_blocks}", "", ""},
    {kTrt, "Number of tokens per block: {kv_block_size}", "", ""},
    {kTrt, "Allocate {kv_allocated_bytes} bytes for k/v cache", "", ""},
    {kTrt, "Allocated {kv_allocated} GiB for max tokens in paged KV cache", "", ""},
    {kTrt, "for max tokens in paged KV cache ({kv_paged_tokens})", "0.17", ""},
    {kTrt, "Peak memory during memory usage profiling<*>: {peak_memory} GiB", "1.0", ""},
    {kTrt, "available KV cache memory when calculating max tokens: {kv_available_memory} GiB",
     "1.0", ""},
    {kTrt, "when calculating max tokens: <*>fraction is set {cache_fraction}, ", "1.0", ""},
    {kTrt, "fraction is set <*>kv size is {kv_bytes_per_token}", "1.0", ""},
    {kTrt, ". device total memory {total_gpu_memory} GiB", "1.0", ""},
    {kTrt, "Memory used after loading model weights<*>: {model_weights} GiB", "1.0", ""},
    {kTrt, "Memory used outside torch<*>: {non_torch_memory} GiB", "1.0", ""},
    {kTrt, "Memory dynamically allocated during inference<*>: {activation_peak} GiB", "1.0", ""},
    {kTrt, "Total GPU memory (GiB): {total_gpu_memory}", "1.0", ""},
    {kTrt, "before component creation attempt (GiB): {component_free}", "1.0", ""},
    {kTrt, "init_kv_cache: {component_free} / {component_left}", "1.0", ""},
    {kTrt, "size estimation): {component_free} / {component_left}", "1.0", ""},
    {kTrt, "Requested size was {oom_requested=B} bytes", "", ""},
    {kTrt, "Requested amount of GPU memory ({oom_requested=B} bytes) could not", "", ""},
    setting(kTrt, ", max_num_tokens=<=max_num_batched_tokens>"),
    setting(kTrt, "max_num_requests=<=max_num_seqs>"),
    marks(kTrt, LogPatternKind::Sign, "[TRT-LLM]"),
    marks(kTrt, LogPatternKind::Sign, "[TensorRT-LLM]"),
    {kTrt, "Using {kv_paged_tokens} tokens in paged KV cache", "", ""},
    {kTrt, "uses {model_weights} GB for model weights", "", ""},
    // text-generation-inference
    setting(kTgi, "model_id: \"<=model>\""),
    {kTgi, "KV-cache blocks: {kv_blocks}, size: {kv_block_size}", "", ""},
    {kTgi, "Currently allocated : {oom_allocated?}", "", ""},
    {kTgi, "Currently allocated <*> Requested : {oom_requested?}", "", ""},
    {kTgi, "Device limit : {device_limit?}", "", ""},
    {kTgi, "Free (according to CUDA): {device_free_mib?}", "", ""},
    {kTgi, "Setting max batch total tokens to {kv_tokens}", "", ""},
    {kTgi, "memory to handle {prefill_tokens} prefill tokens", "", ""},
    setting(kTgi, "Default `max_batch_prefill_tokens` to <=max_num_batched_tokens>"),
    marks(kTgi, LogPatternKind::Sign, "text_generation_launcher"),
    marks(kTgi, LogPatternKind::Sign, "text_generation_router"),
    marks(kTgi, LogPatternKind::Command, "text-generation-launcher -"),
    // LMDeploy
    marks(LogEngine::LmDeploy, LogPatternKind::Command, "lmdeploy serve "),
    {LogEngine::LmDeploy, "[BlockManager] block_size = {kv_block_memory} MB", "", "0.14"},
    {LogEngine::LmDeploy, "[BlockManager] max_block_count = {kv_blocks}", "", "0.14"},
    {LogEngine::LmDeploy, "Object cache budget: {kv_cache_memory=MiB} MB", "0.15", ""},
    {LogEngine::LmDeploy, "Object cache budget: <*>from free {free_memory=MiB} MB", "0.15", ""},
    {LogEngine::LmDeploy, "Object cache budget: <*>and ratio {cache_ratio}", "0.15", ""},
    {LogEngine::LmDeploy, "num_gpu_blocks={kv_blocks}", "", "", LogPatternKind::Figures, true},
    marks(LogEngine::LmDeploy, LogPatternKind::Sign, "[TM]["),
    marks(LogEngine::LmDeploy, LogPatternKind::Sign, " lmdeploy - "),
    // MLC: what it calls MB are MiB
    {LogEngine::Mlc, "total single GPU memory usage: {total_memory=MiB} MB", "", ""},
    {LogEngine::Mlc, "(Parameters: {model_weights=MiB} MB", "", ""},
    {LogEngine::Mlc, "KVCache: {kv_cache_memory=MiB} MB", "", ""},
    {LogEngine::Mlc, "Temporary buffer: {temporary_buffers} MB", "", ""},
    {LogEngine::Mlc, "max KV cache token capacity is {kv_tokens}", "", ""},
    {LogEngine::Mlc, "available single GPU memory is {gpu_budget} MB", "", ""},
    {LogEngine::Mlc, "sum of model weight size ({model_weights=MiB} MB)", "", ""},
    {LogEngine::Mlc, "and temporary buffer size ({temporary_buffers} MB)", "", ""},
    // ExLlama under TabbyAPI
    {LogEngine::ExLlama, "Using configured max_seq_len: {max_model_len} tokens", "", ""},
    {LogEngine::ExLlama, "Using configured cache_size: {kv_tokens} tokens", "", ""},
    marks(LogEngine::ExLlama, LogPatternKind::Sign, "exllamav"),
    marks(LogEngine::ExLlama, LogPatternKind::Sign, "ExllamaV"),
    marks(LogEngine::ExLlama, LogPatternKind::Sign, "TabbyAPI"),
    // LM Studio
    {LogEngine::LmStudio, "model requires approximately {needed_memory?} of memory", "", ""},
    marks(LogEngine::LmStudio, LogPatternKind::Sign, "LM STUDIO"),
    marks(LogEngine::LmStudio, LogPatternKind::Sign, "[lmstudio"),
    // oMLX and MLX
    {LogEngine::Omlx, "Memory pressure level: <*>(current={memory_current?}", "", ""},
    {LogEngine::Omlx, "Memory pressure level: <*>, soft={memory_soft?}", "", ""},
    {LogEngine::Omlx, "Memory pressure level: <*>, hard={memory_hard?}", "", ""},
    {LogEngine::Omlx, "Memory pressure level: <*>, ceiling={memory_ceiling?}", "", ""},
    {LogEngine::Omlx, "Prefill would require ~{needed_memory?} peak", "", ""},
    {LogEngine::Omlx, "Prefill would require <*>(current {memory_current?} ", "", ""},
    {LogEngine::Omlx, "Prefill would require <*> ceiling is {memory_ceiling?}", "", ""},
    marks(LogEngine::Omlx, LogPatternKind::Sign, " - omlx."),
    {LogEngine::Mlx,
     "[metal::malloc] Attempting to allocate {oom_requested?} which is greater than the maximum "
     "allowed buffer size",
     "", ""},
    {LogEngine::Mlx, "maximum allowed buffer size of {device_limit?}", "", ""},
    {LogEngine::Mlx, "model that requires {needed_memory=MiB} MB which is close to", "", ""},
    {LogEngine::Mlx, "maximum recommended size of {device_limit=MiB} MB", "", ""},
    // ktransformers
    marks(LogEngine::KTransformers, LogPatternKind::Sign, "kt_method="),
    marks(LogEngine::KTransformers, LogPatternKind::Sign, "kt-kernel"),
    marks(LogEngine::KTransformers, LogPatternKind::Sign, "kt_num_gpu_experts"),
    // verl and slime
    {kVerl, "memory allocated (GB): {allocated}", "", ""},
    {kVerl, "memory allocated (GB): <*>memory reserved (GB): {reserved}", "", ""},
    {kVerl, "device memory used/total (GB): {device_used}/{device_total}", "", ""},
    {kVerl, "init cache memory allocated: {allocated?}, reserved: {reserved?}", "", ""},
    {LogEngine::Slime, "Memory-Usage <*>'total_GB': {device_total}", "", ""},
    {LogEngine::Slime, "Memory-Usage <*>'free_GB': {device_free_memory}", "", ""},
    {LogEngine::Slime, "Memory-Usage <*>'used_GB': {device_used}", "", ""},
    {LogEngine::Slime, "Memory-Usage <*>'allocated_GB': {allocated}", "", ""},
    {LogEngine::Slime, "Memory-Usage <*>'reserved_GB': {reserved}", "", ""},
    // programs that no row describes, by sums and units; read only where no engine is known
    stated("{stated_free?} free"),
    stated("ree: {stated_free?}"),
    stated("{stated_free?} available"),
    stated("vailable: {stated_free?}"),
    stated("{stated_used?} allocated"),
    stated("llocated: {stated_used?}"),
    stated("llocated {stated_used?}"),
    stated("<! in use>{stated_used?} in use"),
    stated("used: {stated_used?}"),
    stated("needs {stated_needed?}"),
    stated("requires {stated_needed?}"),
    stated("equired: {stated_needed?}"),
    stated("otal: {stated_total?}"),
    stated("{stated_total?} total"),
    stated("weights: {stated_weights?}"),
    stated("Weights: {stated_weights?}"),
    stated("cache: {stated_cache?}"),
    stated("Cache: {stated_cache?}"),
};

} // namespace

std::span<const LogPattern> otherPatterns()
{
    return kOtherPatterns;
}

} // namespace vramscope
