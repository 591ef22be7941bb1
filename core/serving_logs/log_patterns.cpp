// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_patterns.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace vramscope {

namespace {

constexpr LogEngine kVllm = LogEngine::Vllm;
constexpr LogEngine kSglang = LogEngine::Sglang;
constexpr LogEngine kLlama = LogEngine::LlamaCpp;
constexpr LogEngine kOllama = LogEngine::Ollama;
constexpr LogEngine kTrt = LogEngine::TensorRtLlm;
constexpr LogEngine kTgi = LogEngine::Tgi;
constexpr LogEngine kVerl = LogEngine::Verl;

constexpr LogPattern setting(LogEngine engine, std::string_view shape, bool isShared = false)
{
    return {engine, shape, "", "", LogPatternKind::Setting, LogRefusalKind::EngineFailed, isShared};
}

constexpr LogPattern marks(LogEngine engine, LogPatternKind kind, std::string_view shape)
{
    return {engine, shape, "", "", kind, LogRefusalKind::EngineFailed, false};
}

constexpr LogPattern refusal(LogEngine engine, LogRefusalKind kind, std::string_view shape,
                             bool isShared = false)
{
    return {engine, shape, "", "", LogPatternKind::Refusal, kind, isShared};
}

// What each engine writes of its memory. Shapes are short, so that a line that is cut still gives
// what stands before the cut. Where two fit the same number, the earlier row has it. Versions are
// those whose source writes the line.
constexpr LogPattern kPatterns[] = {
    // vLLM: how it was set up
    marks(kVllm, LogPatternKind::Start, "vLLM API server version"),
    marks(kVllm, LogPatternKind::Start, "non-default args: <*>'"),
    marks(kVllm, LogPatternKind::Options, "non-default args: "),
    marks(kVllm, LogPatternKind::Options, ") with config: "),
    marks(kVllm, LogPatternKind::Options, "args: Namespace("),
    setting(kVllm, "vLLM API server version <=version>"),
    setting(kVllm, "LLM engine (v<=version>) with config"),
    setting(kVllm, "█ version <=version>"),
    setting(kVllm, "█ model <=model>"),
    setting(kVllm, "Starting to load model <=model>..."),
    setting(kVllm, "<^>Using <=kernels> backend"),
    setting(kVllm, "Using '<=kernels>' Mxfp4 MoE backend"),
    setting(kVllm, "Resolved architecture: <=architecture>"),
    setting(kVllm, "Using max model len <=max_model_len>"),
    setting(kVllm,
            "hunked prefill is enabled with max_num_batched_tokens=<=max_num_batched_tokens>."),
    setting(kVllm, " in world size <=world_size> is assigned"),
    setting(kVllm, "Checkpoint size: <=checkpoint_size> GiB"),
    // vLLM: weights
    {kVllm, "Loading model weights took {model_weights} GB", "", "0.8.1"},
    {kVllm, "Model loading took {model_weights} GiB memory", "0.11.1", ""},
    {kVllm, "Model loading took {model_weights} G", "0.8.0", ""},
    // vLLM, V0: the profile run
    {kVllm, "Memory profiling results:<*>total_gpu_memory={total_gpu_memory}GiB", "0.6.4", "0.6.4"},
    {kVllm, "Memory profiling results:<*>gpu_memory_utilization={gpu_memory_utilization}", "0.6.4",
     "0.6.4"},
    {kVllm, "Memory profiling results:<*>initial_memory_usage={initial_memory_usage}GiB", "0.6.4",
     "0.6.4"},
    {kVllm, "Memory profiling results:<*>peak_torch_memory={peak_torch_memory}GiB", "0.6.4",
     "0.6.4"},
    {kVllm, "Memory profiling results:<*>memory_usage_post_profile={memory_post_profile}GiB",
     "0.6.4", "0.6.4"},
    {kVllm, "Memory profiling results:<*>non_torch_memory={non_torch_memory}GiB", "0.6.4", "0.6.4"},
    {kVllm, "Memory profiling results:<*>kv_cache_size={kv_cache_memory}GiB", "0.6.4", "0.6.4"},
    {kVllm, "<^>total_gpu_memory {total_gpu_memory}GiB", "0.6.5", "0.6.6"},
    {kVllm, "<^>gpu_memory_utilization {gpu_memory_utilization}", "0.6.5", "0.6.6"},
    {kVllm, "<^>non_torch_memory {non_torch_memory}GiB", "0.6.5", "0.6.6"},
    {kVllm, "<^>PyTorch activation peak memory {activation_peak}GiB", "0.6.5", "0.6.6"},
    {kVllm, "<^>available_kv_cache_memory {kv_cache_memory}GiB", "0.6.5", "0.6.6"},
    {kVllm, "current vLLM instance can use {requested_memory}GiB", "0.6.5", "0.6.6"},
    {kVllm,
     "instance can use total_gpu_memory ({total_gpu_memory}GiB) x gpu_memory_utilization "
     "({gpu_memory_utilization}) = {requested_memory}GiB",
     "0.6.6", "0.10.2"},
    {kVllm, "model weights take {model_weights}GiB", "0.6.5", "0.10.2"},
    {kVllm, "non_torch_memory takes {non_torch_memory}GiB", "0.6.6", "0.10.2"},
    {kVllm, "PyTorch activation peak memory takes {activation_peak}GiB", "0.6.6", "0.10.2"},
    {kVllm, "rest of the memory reserved for KV Cache is {kv_cache_memory}GiB", "0.6.6", "0.10.2"},
    // vLLM, V1: the budget
    {kVllm, "Available KV cache memory: {kv_cache_memory} GiB", "0.9.1", ""},
    {kVllm,
     "Initial free memory {free_memory} GiB, reserved {kv_cache_memory_stated} GiB memory for KV",
     "0.10.2", ""},
    {kVllm, "Free memory on device<*>({free_memory}/{total_gpu_memory} GiB) on startup", "0.9.1",
     ""},
    {kVllm, "desired GPU memory utilization ({gpu_memory_utilization}, {requested_memory} GiB)",
     "0.9.1", ""},
    {kVllm, "Desired GPU memory utilization is ({gpu_memory_utilization}, {requested_memory} GiB)",
     "0.10.2", ""},
    {kVllm, "Actual usage is {model_weights} GiB for weight", "0.10.2", ""},
    {kVllm, "Actual usage: {model_weights} GiB for weight", "0.10.2", ""},
    {kVllm, "Actual usage is {consumed_memory} GiB for consumed memory", "0.27", ""},
    {kVllm, "Actual usage<*>{activation_peak} GiB for peak activation", "0.10.2", ""},
    {kVllm, "Actual usage<*>{non_torch_memory} GiB for non-torch memory", "0.10.2", ""},
    {kVllm, "Actual usage<*>{cuda_graphs} GiB for CUDAGraph memory", "0.10.2", ""},
    {kVllm, "Actual usage<*>{cuda_graphs} GiB for NPU graph memory", "", ""},
    {kVllm, "--kv-cache-memory={kv_suggested_requested_bytes}<*> to fit into requested memory",
     "0.10.2", ""},
    {kVllm,
     "to fit into requested memory, or <*>--kv-cache-memory={kv_suggested_full_bytes}<*> to fully "
     "utilize",
     "0.10.2", ""},
    {kVllm, "Current kv cache memory in use is {kv_cache_memory} GiB", "0.10.2", ""},
    {kVllm, "Total non KV cache memory: {non_kv_memory}GiB", "0.10.2", ""},
    {kVllm, "torch peak memory increase: {activation_peak}GiB", "0.10.2", ""},
    {kVllm, "non-torch forward increase memory: {non_torch_memory}GiB", "0.10.2", ""},
    {kVllm, "non-torch forward increase memory: <*> weights memory: {model_weights}GiB", "0.10.2",
     ""},
    {kVllm,
     "increase --gpu-memory-utilization from {gpu_memory_utilization} to {utilization_same_cache} ",
     "0.17", "0.20"},
    {kVllm,
     "current --gpu-memory-utilization={gpu_memory_utilization} is equivalent to "
     "--gpu-memory-utilization={utilization_without_graphs} ",
     "0.21", ""},
    {kVllm,
     "maintain the same effective KV cache size as before, increase --gpu-memory-utilization to "
     "{utilization_same_cache}",
     "0.21", ""},
    // vLLM: the cache
    {kVllm, "GPU blocks: {gpu_blocks}", "", "0.10.2"},
    {kVllm, "# cuda blocks: {gpu_blocks}", "", "0.10.2"},
    {kVllm, "# CUDA blocks: {gpu_blocks}", "", "0.10.2"},
    {kVllm, "# rocm blocks: {gpu_blocks}", "", "0.10.2"},
    {kVllm, "# CPU blocks: {cpu_blocks}", "", "0.10.2"},
    {kVllm, "GPU KV cache size: {kv_cache_tokens} tokens", "0.8.0", ""},
    {kVllm, "Maximum concurrency for {max_model_len} tokens", "0.6.4", ""},
    {kVllm, "Maximum concurrency for {} tokens per request: {max_concurrency}x", "0.6.4", ""},
    {kVllm, "Auto-fit max_model_len: reduced from {max_model_len_wanted} to {max_model_len} to fit",
     "0.13", ""},
    {kVllm, "Auto-fit max_model_len: <*>({kv_cache_memory} GiB available for KV cache)", "0.13",
     ""},
    {kVllm, "Encoder cache will be initialized with a budget of {encoder_cache_tokens} tokens",
     "0.9.2", ""},
    {kVllm, "Encoder cache will be initialized <*> profiled with {encoder_items} ", "0.9.2", ""},
    {kVllm, "Setting attention block size to {attention_block_size} tokens", "0.10.2", ""},
    {kVllm, "Padding mamba page size by {mamba_padding_percent}%", "0.10.2", ""},
    {kVllm, "Add {padding_layers} padding layers, may waste at most {padding_waste_percent}%",
     "0.10", ""},
    // vLLM: graphs
    {kVllm, "Graph capturing finished in <*>, took {cuda_graphs} GiB", "0.5.4", ""},
    {kVllm, "Estimated CUDA graph memory: {cuda_graphs_estimated} GiB", "0.17", ""},
    {kVllm,
     "CUDA graph pool memory: {cuda_graphs} GiB (actual), {cuda_graphs_estimated} GiB (estimated)",
     "0.17", ""},
    // vLLM: refusals with figures
    {kVllm, "max seq len ({max_model_len}), ({needed_kv} GiB KV cache is needed", "0.8.0", ""},
    {kVllm, "larger than the available KV cache memory ({kv_cache_memory} GiB)", "0.8.0", ""},
    {kVllm, "the estimated maximum model length is {estimated_max_model_len}", "0.8.5", ""},
    {kVllm,
     "max seq len ({max_model_len}) is larger than the maximum number of tokens that can be "
     "stored in KV cache ({kv_cache_capacity_tokens})",
     "", "0.10.2"},
    // vLLM: sleep mode, TPU
    {kVllm, "Sleep mode freed {sleep_freed} GiB memory, {sleep_in_use} GiB memory is still in use",
     "0.7.0", ""},
    {kVllm,
     "sleep freed {sleep_freed} GiB memory in total, of which {sleep_backed_up} GiB is backed up "
     "in CPU and the rest {sleep_discarded} GiB",
     "0.7.0", ""},
    {kVllm, "Memory statistics <*>total_hbm_limit_gb={hbm_limit}GiB", "", ""},
    {kVllm, "Memory statistics <*>total_hbm_limit_cap_gb={hbm_limit_cap}GiB", "", ""},
    {kVllm, "Memory statistics <*>total_hbm_used_gb={hbm_used}GiB", "", ""},
    {kVllm, "Memory statistics <*>total_hbm_avail_gb={hbm_avail}GiB", "", ""},
    refusal(kVllm, LogRefusalKind::FreeBelowDesired,
            "Free memory on device<*>is less than desired GPU memory utilization"),
    refusal(kVllm, LogRefusalKind::OneSequenceTooLong, "To serve at least one request with "),
    refusal(kVllm, LogRefusalKind::OneSequenceTooLong,
            "max seq len ({}) is larger than the maximum number of tokens"),
    refusal(kVllm, LogRefusalKind::NoCacheLeft, "No available memory for the cache blocks"),
    {kVllm,
     "max_num_seqs ({sequences_wanted}) exceeds available Mamba cache blocks ({mamba_blocks})", "",
     ""},
    refusal(kVllm, LogRefusalKind::TooManySequences,
            "max_num_seqs ({}) exceeds available Mamba cache blocks"),
    refusal(kVllm, LogRefusalKind::EngineFailed, "EngineCore failed to start"),
    // PyTorch, whichever engine it is in
    {LogEngine::Torch, "out of memory. Tried to allocate {oom_requested?}", "", "",
     LogPatternKind::Figures, LogRefusalKind::OutOfMemory, true},
    {LogEngine::Torch, "has a total capacity of {device_limit?} of which {oom_free?} is free", "",
     "", LogPatternKind::Figures, LogRefusalKind::OutOfMemory, true},
    {LogEngine::Torch, "this process has {oom_in_use?} memory in use", "", "",
     LogPatternKind::Figures, LogRefusalKind::OutOfMemory, true},
    {LogEngine::Torch, "Of the allocated memory {oom_allocated?} is allocated by PyTorch", "", "",
     LogPatternKind::Figures, LogRefusalKind::OutOfMemory, true},
    {LogEngine::Torch, "and {oom_unallocated?} is reserved by PyTorch but unallocated", "", "",
     LogPatternKind::Figures, LogRefusalKind::OutOfMemory, true},
    refusal(LogEngine::Torch, LogRefusalKind::OutOfMemory, "out of memory. Tried to allocate",
            true),
    // SGLang
    marks(kSglang, LogPatternKind::Start, "server_args=ServerArgs("),
    marks(kSglang, LogPatternKind::Options, "server_args=ServerArgs("),
    {kSglang, "Init torch distributed ends.<*>mem usage={nccl_memory} GB", "", ""},
    {kSglang, "Load weight begin. avail mem={avail_before_load} GB", "", ""},
    {kSglang, "Load weight end.<*>avail mem={avail_after_load} GB", "", ""},
    {kSglang, "Load weight end.<*>avail mem={} GB, mem usage={weights} GB", "", ""},
    {kSglang, "KV Cache is allocated.<*>#tokens: {kv_tokens},", "", ""},
    {kSglang, "KV Cache is allocated.<*>KV size: {kv_size} GB", "", ""},
    {kSglang, "KV Cache is allocated.<*>K size: {k_size} GB", "", ""},
    {kSglang, "KV Cache is allocated.<*>V size: {v_size} GB", "", ""},
    {kSglang, "Use sliding window memory pool. full_layer_tokens={full_layer_tokens}, ", "", ""},
    {kSglang, "Use sliding window memory pool.<*>swa_layer_tokens={swa_layer_tokens}", "", ""},
    {kSglang, "Mamba Cache is allocated.<*>max_mamba_cache_size: {mamba_cache_slots}", "", ""},
    {kSglang, "Mamba Cache is allocated.<*>conv_state size: {mamba_conv_state}GB", "", ""},
    {kSglang, "Mamba Cache is allocated.<*>ssm_state size: {mamba_ssm_state}GB", "", ""},
    {kSglang, "Memory pool end. avail mem={avail_after_pool} GB", "", ""},
    {kSglang, "Capture cuda graph begin.<*>avail mem={avail_before_graph} GB", "", ""},
    {kSglang, "Capture cuda graph end.<*>mem usage={cuda_graphs} GB", "", ""},
    {kSglang, "Capture cuda graph end.<*>avail mem={avail_after_graph} GB", "", ""},
    {kSglang, "Capturing batches (avail_mem={avail_in_capture} GB)", "", ""},
    {kSglang, "Capturing batches (bs={} avail_mem={avail_in_capture} GB)", "", ""},
    {kSglang, "Automatically reduce --mem-fraction-static to {mem_fraction_static} ", "", ""},
    {kSglang, "max_total_num_tokens={max_total_num_tokens}, ", "", ""},
    {kSglang, "max_total_num_tokens=<*>chunked_prefill_size={chunked_prefill_size}, ", "", ""},
    {kSglang, "max_total_num_tokens=<*>max_prefill_tokens={max_prefill_tokens}, ", "", ""},
    {kSglang, "max_total_num_tokens=<*>max_running_requests={max_running_requests}, ", "", ""},
    {kSglang, "max_total_num_tokens=<*>context_len={context_len}", "", ""},
    {kSglang, "max_total_num_tokens=<*>available_gpu_mem={available_gpu_mem} GB", "", ""},
    {kSglang,
     "Please try to increase --mem-fraction-static. Current value: "
     "mem_fraction_static={mem_fraction_static}",
     "", ""},
    refusal(kSglang, LogRefusalKind::StaticShareTooSmall,
            "Not enough memory. Please try to increase --mem-fraction-static"),
    refusal(kSglang, LogRefusalKind::StaticShareTooSmall, "Loaded weights leave no GPU memory"),
    // llama.cpp, and ollama, koboldcpp and llamafile, which are built on it
    marks(kLlama, LogPatternKind::Load, "loading model tensors, this can take"),
    marks(kLlama, LogPatternKind::Load, "llm_load_tensors: ggml ctx size"),
    marks(kLlama, LogPatternKind::Context, "constructing llama_context"),
    marks(kLlama, LogPatternKind::Context, "llama_new_context_with_model: n_ctx = "),
    marks(kLlama, LogPatternKind::Context, "llama_init_from_model: n_ctx = "),
    setting(kLlama, "build: <=version> ("),
    setting(kLlama, "main: build = <=version> ("),
    setting(kLlama, "Welcome to KoboldCpp - Version <=version>"),
    setting(kLlama, "llama_model_loader: loaded meta data with <*> from <=model> (version GGUF"),
    setting(kLlama, "loading draft model '<=draft_model>'"),
    setting(kLlama, ": n_batch = <=n_batch>"),
    setting(kLlama, ": n_ubatch = <=n_ubatch>"),
    setting(kLlama, ": n_seq_max = <=n_seq_max>"),
    setting(kLlama, "Device {}: <=gpu>, compute capability"),
    {kLlama, "using device <@> (<*>- {device_free@} MiB free", "", ""},
    {kLlama, "print_info: file size = {file_size?}", "", ""},
    {kLlama, "llm_load_print_meta: model size = {file_size?}", "", ""},
    {kLlama, "offloaded {offloaded_layers}/{layers_total} layers to GPU", "", "",
     LogPatternKind::Figures, LogRefusalKind::EngineFailed, true},
    {kLlama, "<@> model buffer size = {model_buffer@} MiB", "", ""},
    {kLlama, "llm_load_tensors: <@> buffer size = {model_buffer@} MiB", "", ""},
    {kLlama, ": n_ctx = {n_ctx}", "", ""},
    {kLlama, "<@> KV buffer size = {kv_buffer@} MiB", "", ""},
    {kLlama, "<@> RS buffer size = {rs_buffer@} MiB", "", ""},
    {kLlama, "KV self size = {kv_total} MiB, K (<*>): {kv_k} MiB, V (<*>): {kv_v} MiB", "", ""},
    {kLlama,
     "llama_kv_cache<*>: size = {kv_total} MiB (<*> cells, <*> layers, <*>K (<*>): {kv_k} MiB, V "
     "(<*>): {kv_v} MiB",
     "", ""},
    {kLlama, "creating non-SWA KV cache, size = {kv_cells_full} cells", "", ""},
    {kLlama, "creating SWA KV cache, size = {kv_cells_swa} cells", "", ""},
    {kLlama, "<@> compute buffer size = {compute_buffer@} MiB", "", ""},
    {kLlama, "<@> output buffer size = {output_buffer@} MiB", "", ""},
    {kLlama, "memory usage of mmproj is {mmproj_estimated} MiB", "", ""},
    {kLlama, "[spec] estimated<*>memory usage of <*> is {mtp_estimated} MiB", "", ""},
    {kLlama,
     "<! + (>- <@> (<*>)<|>{breakdown_total@} = {breakdown_free@} + (<|>{breakdown_self@} = "
     "{breakdown_model@} + {breakdown_context@} + {breakdown_compute@}) + "
     "{breakdown_unaccounted@}",
     "", ""},
    {kLlama,
     "<!- CPU (>- CPU (<*>)<|>{} {breakdown_self:Host} = {breakdown_model:Host} + "
     "{breakdown_context:Host} "
     "+ {breakdown_compute:Host}",
     "", ""},
    {kLlama,
     "- Host<|>{breakdown_self:Host} = {breakdown_model:Host} + {breakdown_context:Host} + "
     "{breakdown_compute:Host}",
     "", ""},
    {kLlama, "- <@> (<*>)<|>{fit_total@} total, {fit_used@} used, {fit_left@} deficit", "", ""},
    {kLlama, "- <@> (<*>)<|>{fit_total@} total, {fit_used@} used, {fit_surplus@} surplus", "", ""},
    {kLlama, "projected to use {fit_projected_used} MiB of device memory", "", ""},
    {kLlama, "projected to use <*>device memory vs. {fit_free} MiB of free device memory", "", ""},
    {kLlama, "projected to use <*>device memory vs. a total of {fit_free} MiB", "", ""},
    {kLlama,
     "cannot meet free memory target of {fit_margin} MiB, need to reduce device memory by "
     "{fit_deficit} MiB",
     "", ""},
    {kLlama,
     "cannot fulfill margin of {fit_margin} MiB on all devices, need to use {fit_deficit} MiB less",
     "", ""},
    {kLlama, "will leave {fit_left_after} >= {fit_margin} MiB of free device memory", "", ""},
    {kLlama, "context size reduced from {fit_ctx_from} to {fit_ctx_to} ", "", ""},
    {kLlama, "there is a total surplus of {fit_dense_surplus} MiB", "", ""},
    {kLlama, "allocating {oom_requested?} on device <*>: cudaMalloc failed: out of memory", "", ""},
    marks(kLlama, LogPatternKind::Retry, "allocation failed, retrying "),
    refusal(kLlama, LogRefusalKind::OutOfMemory, "cudaMalloc failed: out of memory"),
    refusal(kLlama, LogRefusalKind::OutOfMemory, "failed to allocate buffer of size"),
    // ollama
    marks(kOllama, LogPatternKind::Start, "msg=\"Listening on "),
    setting(kOllama, "msg=\"Listening on <*>(version <=version>)"),
    {kOllama, "msg=\"system memory\" total=\"{host_total?}\" free=\"{host_free?}\"", "", ""},
    {kOllama, "layers.model={layers_model} ", "", ""},
    {kOllama, "layers.offload={layers_offload} ", "", ""},
    {kOllama, "memory.required.full=\"{memory_required_full?}\"", "", ""},
    {kOllama, "memory.required.partial=\"{memory_required_partial?}\"", "", ""},
    {kOllama, "memory.required.kv=\"{memory_required_kv?}\"", "", ""},
    {kOllama, "memory.weights.total=\"{memory_weights_total?}\"", "", ""},
    {kOllama, "memory.graph.full=\"{memory_graph_full?}\"", "", ""},
    {kOllama, "memory.graph.partial=\"{memory_graph_partial?}\"", "", ""},
    {kOllama, "projector.weights=\"{projector_weights?}\"", "", ""},
    {kOllama, "projector.graph=\"{projector_graph?}\"", "", ""},
    {kOllama, "msg=\"model weights\" buffer=<@> size=\"{model_buffer@?}\"", "", ""},
    {kOllama, "msg=\"model weights\" device=<@> size=\"{model_buffer@?}\"", "", ""},
    {kOllama, "msg=\"kv cache\" device=<@> size=\"{kv_buffer@?}\"", "", ""},
    {kOllama, "msg=\"compute graph\" backend=<@> buffer_type=<*> size=\"{compute_buffer@?}\"", "",
     ""},
    {kOllama, "msg=\"compute graph\" device=<@> size=\"{compute_buffer@?}\"", "", ""},
    {kOllama, "msg=\"total memory\" size=\"{total_memory?}\"", "", ""},
    // TensorRT-LLM
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
    {kTrt, "Number of tokens per block: {kv_block_size}", "", ""},
    {kTrt, "Allocate {kv_allocated_bytes} bytes for k/v cache", "", ""},
    {kTrt, "Allocated {kv_allocated} GiB for max tokens in paged KV cache", "", ""},
    {kTrt, "Using {kv_paged_tokens} tokens in paged KV cache", "", ""},
    {kTrt, "uses {model_weights} GB for model weights", "", ""},
    // text-generation-inference
    setting(kTgi, "model_id: \"<=model>\""),
    {kTgi, "KV-cache blocks: {kv_blocks}, size: {kv_block_size}", "", ""},
    {kTgi, "Currently allocated : {oom_allocated?}", "", ""},
    {kTgi, "Currently allocated <*> Requested : {oom_requested?}", "", ""},
    {kTgi, "Device limit : {device_limit?}", "", ""},
    {kTgi, "Free (according to CUDA): {device_free_mib?}", "", ""},
    refusal(kTgi, LogRefusalKind::OutOfMemory, "would exceed allowed memory. (out of memory)"),
    refusal(kTgi, LogRefusalKind::OutOfMemory, "Not enough memory to handle {} prefill tokens"),
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
};

constexpr LogOption kOptions[] = {
    {"model", "model"},
    {"model_tag", "model"},
    {"model_path", "model"},
    {"dtype", "dtype"},
    {"quantization", "quantization"},
    {"kv_cache_dtype", "kv_cache_dtype"},
    {"max_model_len", "max_model_len"},
    {"max_seq_len", "max_model_len"},
    {"context_length", "max_model_len"},
    {"tensor_parallel_size", "tensor_parallel_size"},
    {"tp_size", "tensor_parallel_size"},
    {"pipeline_parallel_size", "pipeline_parallel_size"},
    {"pp_size", "pipeline_parallel_size"},
    {"data_parallel_size", "data_parallel_size"},
    {"dp_size", "data_parallel_size"},
    {"enable_expert_parallel", "enable_expert_parallel"},
    {"gpu_memory_utilization", "gpu_memory_utilization"},
    {"mem_fraction_static", "mem_fraction_static"},
    {"max_num_seqs", "max_num_seqs"},
    {"max_num_batched_tokens", "max_num_batched_tokens"},
    {"max_running_requests", "max_num_seqs"},
    {"chunked_prefill_size", "chunked_prefill_size"},
    {"max_total_tokens", "max_total_tokens"},
    {"page_size", "page_size"},
    {"swa_full_tokens_ratio", "swa_full_tokens_ratio"},
    {"mamba_full_memory_ratio", "mamba_full_memory_ratio"},
    {"cuda_graph_max_bs", "cuda_graph_max_bs"},
    {"disable_cuda_graph", "enforce_eager"},
    {"enforce_eager", "enforce_eager"},
    {"block_size", "block_size"},
    {"kv_cache_memory_bytes", "kv_cache_memory_bytes"},
    {"enable_lora", "enable_lora"},
    {"language_model_only", "language_model_only"},
};

} // namespace

std::span<const LogPattern> logPatterns()
{
    return kPatterns;
}

std::span<const LogOption> logOptions()
{
    return kOptions;
}

std::size_t LogPatterns::slot(const char *bytes)
{
    std::uint32_t word = 0;
    static_assert(sizeof word == kAnchorBytes);
    std::memcpy(&word, bytes, kAnchorBytes);
    return (word * 2654435761U) >> 20U; // Knuth's multiplicative hash, 12 bits
}

LogPatterns::LogPatterns()
    : m_slots(kSlots)
{
    for (const LogPattern &pattern : kPatterns) {
        const std::size_t index = m_shapes.size();
        m_shapes.emplace_back(pattern.shape);
        assert(m_shapes.back().anchor().size() >= kAnchorBytes);
        const std::size_t at = slot(m_shapes.back().anchor().data());
        m_slots[at].push_back(static_cast<std::uint16_t>(index));
        m_used.set(at);
    }
}

void LogPatterns::candidates(std::string_view line, std::vector<std::uint16_t> &found) const
{
    found.clear();
    if (line.size() < kAnchorBytes)
        return;
    for (std::size_t at = 0; at + kAnchorBytes <= line.size(); ++at) {
        const std::size_t here = slot(line.data() + at);
        if (!m_used[here])
            continue;
        for (const std::uint16_t pattern : m_slots[here])
            if (line.substr(at).starts_with(m_shapes[pattern].anchor()) &&
                std::ranges::find(found, pattern) == found.end())
                found.push_back(pattern);
    }
    std::ranges::sort(found);
}

const LogPatterns &LogPatterns::all()
{
    static const LogPatterns patterns;
    return patterns;
}

} // namespace vramscope
