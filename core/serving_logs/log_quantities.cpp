// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_patterns.h"

#include <algorithm>

namespace vramscope {

/// A namespace of its own: the short names of the enumerators are for these tables alone.
namespace quantity_table {

using enum LogUnit;
using enum LogFold;

constexpr LogQuantity kQuantities[] = {
    // vLLM
    {"model_weights", GiB, Largest, "weights of a rank, with LoRA slots and a draft model"},
    {"consumed_memory", GiB, Largest,
     "weights, what lies outside PyTorch, and the estimate of CUDA graphs"},
    {"non_kv_memory", GiB, Largest, "all but the cache"},
    {"total_gpu_memory", GiB, Smallest, "memory of the GPU"},
    {"free_memory", GiB, Smallest, "free when the engine started"},
    {"requested_memory", GiB, Smallest, "what the engine may use: total × utilization"},
    {"gpu_memory_utilization", Ratio, Last, "share of the GPU that the engine may use"},
    {"utilization_without_graphs", Ratio, Last,
     "share that leaves the same cache without the estimate of CUDA graphs"},
    {"utilization_same_cache", Ratio, Last,
     "share that leaves the cache as large as without the estimate of CUDA graphs"},
    {"initial_memory_usage", GiB, Largest, "used on the GPU before the profile run"},
    {"peak_torch_memory", GiB, Largest,
     "peak of PyTorch's allocator in the profile run, weights included"},
    {"memory_post_profile", GiB, Largest, "used on the GPU after the profile run"},
    {"non_torch_memory", GiB, Largest, "outside PyTorch's allocator: NCCL, workspaces of kernels"},
    {"activation_peak", GiB, Largest, "peak of the profile run above the weights"},
    {"kv_cache_memory", GiB, Smallest, "budget of the key-value cache"},
    {"kv_cache_memory_stated", GiB, Smallest, "the cache as --kv-cache-memory-bytes states it"},
    {"kv_cache_tokens", Tokens, Smallest, "tokens that the cache holds"},
    {"kv_cache_capacity_tokens", Tokens, Smallest, "tokens that the cache holds"},
    {"gpu_blocks", Blocks, Smallest, "blocks of the cache"},
    {"cpu_blocks", Blocks, Smallest, "blocks of the swap space on the host"},
    {"sequences_wanted", Sequences, Last, "sequences at once that were asked for"},
    {"max_num_seqs", Sequences, Last, "sequences at once that were asked for"},
    {"mamba_blocks", Blocks, Smallest,
     "states of Mamba layers that the cache holds, one a sequence"},
    {"max_concurrency", Sequences, Smallest, "sequences of the longest length at once"},
    {"max_model_len", Tokens, Last, "longest sequence"},
    {"max_model_len_wanted", Tokens, Last, "longest sequence before it was fitted"},
    {"estimated_max_model_len", Tokens, Smallest, "longest sequence that would fit"},
    {"needed_kv", GiB, Largest, "cache of one sequence of the longest length"},
    {"cuda_graphs", GiB, Largest, "CUDA graphs as captured"},
    {"cuda_graphs_estimated", GiB, Largest, "CUDA graphs as estimated before"},
    {"kv_suggested_requested_bytes", Byte, Smallest,
     "cache that the engine suggests within the requested memory"},
    {"kv_suggested_full_bytes", Byte, Smallest, "cache that the engine suggests for the whole GPU"},
    {"encoder_cache_tokens", Tokens, Last, "budget of the encoder cache"},
    {"encoder_items", Items, Last, "largest images or videos that the profile run encodes"},
    {"attention_block_size", Tokens, Largest, "block size raised to that of a Mamba state"},
    {"mamba_padding_percent", Percent, Largest, "by which Mamba states are padded"},
    {"padding_layers", Layers, Largest, "layers that only fill up groups"},
    {"padding_waste_percent", Percent, Largest, "of the cache that these may waste"},
    {"sleep_freed", GiB, Smallest, "freed by sleep mode"},
    {"sleep_in_use", GiB, Largest, "still in use while asleep"},
    {"sleep_backed_up", GiB, Largest, "copied to the host by sleep mode"},
    {"sleep_discarded", GiB, Largest, "dropped by sleep mode"},
    {"hbm_limit", GiB, Smallest, "memory of all TPU chips"},
    {"hbm_limit_cap", GiB, Smallest, "what the engine may use of all TPU chips"},
    {"hbm_used", GiB, Largest, "used on all TPU chips"},
    {"hbm_avail", GiB, Smallest, "left on all TPU chips for the cache"},
    // PyTorch
    {"oom_requested", GiB, Largest, "the request that failed"},
    {"oom_allocated", GiB, Largest, "allocated by PyTorch when it failed"},
    {"oom_unallocated", GiB, Largest, "reserved by PyTorch but not allocated when it failed"},
    {"oom_free", GiB, Smallest, "free on the device when it failed"},
    {"oom_in_use", GiB, Largest, "in use by the process when it failed"},
    {"device_limit", GiB, Smallest, "memory of the device, or what the process may use of it"},
    {"device_free_mib", MiB, Smallest, "free on the device when it failed"},
    {"free_before_profile_bytes", Byte, Smallest, "free before the profile run"},
    {"free_after_profile_bytes", Byte, Largest, "free after the profile run"},
    {"model_max_len", Tokens, Smallest, "longest sequence that the model was trained for"},
    // XLA
    {"program_memory", GiB, Largest, "what the compiled program needs"},
    {"program_deficit", GiB, Largest, "what the compiled program needs beyond the memory"},
    // SGLang
    {"nccl_memory", GiB, Largest, "taken by the process groups"},
    {"avail_before_load", GiB, Smallest, "free before the weights are loaded"},
    {"avail_after_load", GiB, Smallest, "free after the weights are loaded"},
    {"weights", GiB, SumOfRank, "weights of a rank, with those of a draft"},
    {"mem_fraction_static", Ratio, Last, "share of the free memory for weights and cache"},
    {"kv_tokens", Tokens, Smallest, "tokens that a pool of the cache holds"},
    {"kv_bytes_per_token", Byte, Last, "the cache, of one token"},
    {"kv_pool_memory", GiB, SumOfRank, "the pools of the cache together"},
    {"group_free", GiB, Smallest, "free on the GPU of the group that has the least"},
    {"local_free", GiB, Largest, "free on a GPU of the group"},
    {"host_pool", GB, SumOfRank, "the cache's second tier, in the host's memory"},
    {"k_size", GiB, SumOfRank, "keys of the cache"},
    {"v_size", GiB, SumOfRank, "values of the cache"},
    {"kv_size", GiB, SumOfRank, "the cache, of latent attention"},
    {"full_layer_tokens", Tokens, Smallest, "tokens of layers that attend fully"},
    {"swa_layer_tokens", Tokens, Smallest, "tokens of layers with a sliding window"},
    {"mamba_cache_slots", Requests, Smallest, "sequences whose Mamba states are kept"},
    {"mamba_conv_state", GiB, Largest, "convolution states of Mamba layers"},
    {"mamba_ssm_state", GiB, Largest, "recurrent states of Mamba layers"},
    {"avail_after_pool", GiB, Smallest, "free after the cache is allocated"},
    {"avail_before_graph", GiB, Smallest, "free before CUDA graphs are captured"},
    {"avail_in_capture", GiB, Smallest, "free while CUDA graphs are captured"},
    {"avail_after_graph", GiB, Smallest, "free after CUDA graphs are captured"},
    {"max_total_num_tokens", Tokens, Smallest, "tokens that the cache holds"},
    {"chunked_prefill_size", Tokens, Last, "tokens of one chunk of a prompt"},
    {"max_prefill_tokens", Tokens, Last, "tokens of prompts in one batch"},
    {"max_running_requests", Requests, Smallest, "requests at once"},
    {"context_len", Tokens, Last, "longest sequence"},
    {"available_gpu_mem", GiB, Smallest, "left for activations when serving begins"},
    // llama.cpp and what is built on it
    {"device_free", MiB, Smallest, "free on the device before the model is loaded", true},
    {"file_size", GiB, Largest, "tensors of the file", true},
    {"offloaded_layers", Layers, Last, "layers on GPUs", true},
    {"layers_total", Layers, Last, "layers of the model and its output", true},
    {"model_buffer", MiB, SumOfLoad, "weights on a device"},
    {"n_ctx", Tokens, Largest, "context", true},
    {"kv_buffer", MiB, SumOfCache, "key-value cache on a device"},
    {"rs_buffer", MiB, SumOfCache, "recurrent states on a device"},
    {"kv_total", MiB, SumOfCache, "key-value cache on all devices"},
    {"kv_k", MiB, SumOfCache, "keys of the cache"},
    {"kv_v", MiB, SumOfCache, "values of the cache"},
    {"kv_cells_full", Cells, Largest, "cells of layers that attend fully", true},
    {"kv_cells_swa", Cells, Largest, "cells of layers with a sliding window", true},
    {"compute_buffer", MiB, SumOfModels, "activations on a device"},
    {"output_buffer", MiB, SumOfModels, "logits and embeddings"},
    {"mmproj_estimated", MiB, Largest, "weights and activations of the projector of images"},
    {"mtp_estimated", MiB, Largest, "context of the draft"},
    {"breakdown_total", MiB, Last, "memory of the device"},
    {"breakdown_free", MiB, Last, "free on the device"},
    {"breakdown_self", MiB, Last, "of the program: model, context and compute"},
    {"breakdown_model", MiB, Last, "weights"},
    {"breakdown_context", MiB, Last, "key-value cache and states"},
    {"breakdown_compute", MiB, Last, "activations"},
    {"breakdown_unaccounted", MiB, Last, "neither free nor of the program; negative in a dry run"},
    {"fit_projected_used", MiB, Last, "what the parameters would take"},
    {"fit_free", MiB, Last, "what is free on all devices"},
    {"fit_margin", MiB, Last, "what is to stay free"},
    {"fit_deficit", MiB, Last, "what is missing"},
    {"fit_left_after", MiB, Last, "free after loading"},
    {"fit_ctx_from", Tokens, Last, "context before it was fitted"},
    {"fit_ctx_to", Tokens, Last, "context that was fitted"},
    {"fit_dense_surplus", MiB, Last, "left for experts"},
    {"fit_total", MiB, Last, "memory of the device"},
    {"fit_used", MiB, Last, "what the parameters would take on the device"},
    {"fit_left", MiB, Last, "what is missing on the device"},
    {"fit_surplus", MiB, Last, "what would be left on the device"},
    // ollama
    {"host_total", GiB, Last, "memory of the host"},
    {"host_free", GiB, Last, "free memory of the host"},
    {"layers_model", Layers, Last, "layers of the model and its output"},
    {"layers_offload", Layers, Last, "layers on GPUs"},
    {"memory_required_full", GiB, Last, "estimate with all layers on GPUs"},
    {"memory_required_partial", GiB, Last, "estimate with the layers that fit"},
    {"memory_required_kv", GiB, Last, "estimate of the cache"},
    {"memory_weights_total", GiB, Last, "weights"},
    {"memory_graph_full", GiB, Last, "activations with all layers on GPUs"},
    {"memory_graph_partial", GiB, Last, "activations with the layers that fit"},
    {"projector_weights", MiB, Last, "weights of the projector of images"},
    {"projector_graph", GiB, Last, "activations of the projector"},
    {"total_memory", GiB, Last, "what the model takes on all devices"},
    // TensorRT-LLM
    {"engine_size", MiB, Largest, "the engine's weights"},
    {"execution_context", MiB, Largest, "activations"},
    {"runtime_buffers", MiB, Largest, "buffers of the runtime"},
    {"decoder_buffers", MiB, Largest, "buffers of the decoder"},
    {"kv_total_memory", GiB, Smallest, "memory of the GPU when the cache is sized"},
    {"kv_available_memory", GiB, Smallest, "free when the cache is sized"},
    {"kv_blocks", Blocks, Smallest, "blocks of the cache"},
    {"kv_secondary_blocks", Blocks, Smallest, "blocks of the cache's tier in the host's memory"},
    {"kv_block_size", Tokens, Last, "tokens of a block"},
    {"kv_allocated_bytes", Byte, Smallest, "the cache"},
    {"kv_allocated", GiB, Smallest, "the cache"},
    {"kv_paged_tokens", Tokens, Smallest, "tokens that the cache holds"},
    {"peak_memory", GiB, Largest, "peak of the profile run, inside and outside PyTorch"},
    {"cache_fraction", Ratio, Last, "share of the free memory for the cache"},
    {"component_free", GiB, Last, "free before the executor's component was created"},
    {"component_left", GiB, Last, "free after it"},
    // text-generation-inference, LMDeploy, MLC, ExLlama, LM Studio, MLX
    {"prefill_tokens", Tokens, Last, "tokens of the prompts in the batch that failed"},
    {"kv_block_memory", MiB, Last, "a block of the cache"},
    {"cache_ratio", Ratio, Last, "share of the free memory for the cache"},
    {"gpu_budget", MiB, Last, "what the engine may use of the GPU"},
    {"temporary_buffers", MiB, Last, "activations and workspaces"},
    {"needed_memory", GiB, Last, "what the model or the request needs"},
    {"memory_current", GB, Last, "in use by the process"},
    {"memory_soft", GB, Last, "from here on caches shrink"},
    {"memory_hard", GB, Last, "from here on requests are refused"},
    {"memory_ceiling", GB, Last, "what the process may use"},
    // programs that no row describes
    {"stated_free", GiB, Last, "free, by the last line that says so"},
    {"stated_used", GiB, Last, "in use, by the last line that says so"},
    {"stated_needed", GiB, Last, "needed, by the last line that says so"},
    {"stated_total", GiB, Last, "in total, by the last line that says so"},
    {"stated_weights", GiB, Last, "weights, by the last line that says so"},
    {"stated_cache", GiB, Last, "cache, by the last line that says so"},
    // verl and slime
    {"allocated", GiB, Largest, "allocated by PyTorch"},
    {"reserved", GiB, Largest, "reserved by PyTorch"},
    {"device_used", GiB, Largest, "used on the device"},
    {"device_total", GiB, Smallest, "memory of the device"},
    {"device_free_memory", GiB, Smallest, "free on the device"},
};

struct UnitRow
{
    LogUnit unit;
    std::string_view name;
    double bytes;
};

constexpr double kKi = 1024;
constexpr UnitRow kUnits[] = {
    {Byte, "B", 1},
    {KiB, "KiB", kKi},
    {MiB, "MiB", kKi *kKi},
    {GiB, "GiB", kKi *kKi *kKi},
    {TiB, "TiB", kKi *kKi *kKi *kKi},
    {KB, "KB", 1e3},
    {MB, "MB", 1e6},
    {GB, "GB", 1e9},
    {TB, "TB", 1e12},
    {Tokens, "tokens", 0},
    {Blocks, "blocks", 0},
    {Layers, "layers", 0},
    {Cells, "cells", 0},
    {Sequences, "sequences", 0},
    {Requests, "requests", 0},
    {Items, "items", 0},
    {Ratio, "ratio", 0},
    {Percent, "%", 0},
};

struct EngineRow
{
    LogEngine engine;
    std::string_view id;
    std::string_view name;
    Engine ofPlan = Engine::Plain;
};

constexpr EngineRow kEngines[] = {
    {LogEngine::Vllm, "vllm", "vLLM", Engine::Vllm},
    {LogEngine::Sglang, "sglang", "SGLang", Engine::Sglang},
    {LogEngine::LlamaCpp, "llama.cpp", "llama.cpp", Engine::LlamaCpp},
    {LogEngine::Ollama, "ollama", "ollama", Engine::LlamaCpp},
    {LogEngine::TensorRtLlm, "tensorrt-llm", "TensorRT-LLM", Engine::TrtLlm},
    {LogEngine::Tgi, "tgi", "text-generation-inference"},
    {LogEngine::Verl, "verl", "verl"},
    {LogEngine::Slime, "slime", "slime"},
    {LogEngine::Torch, "torch", "PyTorch"},
    {LogEngine::LmDeploy, "lmdeploy", "LMDeploy"},
    {LogEngine::Mlc, "mlc", "MLC LLM"},
    {LogEngine::ExLlama, "exllama", "ExLlama"},
    {LogEngine::LmStudio, "lm-studio", "LM Studio"},
    {LogEngine::Mlx, "mlx", "MLX"},
    {LogEngine::Omlx, "omlx", "oMLX"},
    {LogEngine::KTransformers, "ktransformers", "KTransformers"},
    {LogEngine::Unknown, "unknown", "An unknown engine"},
};

constexpr const EngineRow &rowOf(LogEngine engine)
{
    return *std::ranges::find(kEngines, engine, &EngineRow::engine);
}

} // namespace quantity_table

std::span<const LogQuantity> logQuantities()
{
    return quantity_table::kQuantities;
}

const LogQuantity *logQuantity(std::string_view key)
{
    key = key.substr(0, std::min(key.find(':'), key.size()));
    const auto *found = std::ranges::find(quantity_table::kQuantities, key, &LogQuantity::key);
    return found != std::end(quantity_table::kQuantities) ? found : nullptr;
}

std::string_view logUnitName(LogUnit unit)
{
    return std::ranges::find(quantity_table::kUnits, unit, &quantity_table::UnitRow::unit)->name;
}

double bytesOfUnit(LogUnit unit)
{
    return std::ranges::find(quantity_table::kUnits, unit, &quantity_table::UnitRow::unit)->bytes;
}

std::string_view logEngineId(LogEngine engine)
{
    return quantity_table::rowOf(engine).id;
}

std::string_view logEngineName(LogEngine engine)
{
    return quantity_table::rowOf(engine).name;
}

Engine engineOfPlan(LogEngine engine)
{
    return quantity_table::rowOf(engine).ofPlan;
}

} // namespace vramscope
