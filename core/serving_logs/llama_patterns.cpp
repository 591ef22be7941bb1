// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/pattern_rows.h"

namespace vramscope {

namespace {

using namespace pattern_rows;

constexpr LogPattern kLlamaPatterns[] = {
    // llama.cpp, and ollama, koboldcpp and llamafile, which are built on it
    marks(kLlama, LogPatternKind::Load, "loading model tensors, this can take"),
    marks(kLlama, LogPatternKind::Load, "llm_load_tensors: ggml ctx size"),
    marks(kLlama, LogPatternKind::Context, "constructing llama_context"),
    marks(kLlama, LogPatternKind::Context, "llama_new_context_with_model: n_ctx = "),
    marks(kLlama, LogPatternKind::Context, "llama_init_from_model: n_ctx = "),
    marks(kLlama, LogPatternKind::Command, "llama-server -"),
    marks(kLlama, LogPatternKind::Command, "llama-cli -"),
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
     LogPatternKind::Figures, true},
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
    {kLlama,
     "breakdown_print:<|>- <@><|>{breakdown_self@} = {breakdown_model@} + {breakdown_context@} + "
     "{breakdown_compute@}",
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
    {kLlama, "failed to allocate <@> buffer of size {oom_requested=B}", "", ""},
    {kLlama, "failed to allocate buffer, size = {oom_requested} MiB", "", ""},
    {kLlama, "Device memory allocation of size {oom_requested=B} failed", "", ""},
    {kLlama, "can't allocate {oom_requested=B} Bytes of memory on device", "", ""},
    {kLlama, "recommendedMaxWorkingSetSize = {device_limit} MB", "", ""},
    setting(kLlama, "failed to fit params to free device memory: <=fit_aborted>, abort"),
    marks(kLlama, LogPatternKind::Retry, "allocation failed, retrying "),
    // ollama
    marks(kOllama, LogPatternKind::Sign, "[GIN] 20"),
    marks(kOllama, LogPatternKind::Sign, "msg=\"starting llama server\""),
    marks(kOllama, LogPatternKind::Sign, "msg=\"inference compute\""),
    marks(kOllama, LogPatternKind::Sign, "ollama runner"),
    {kOllama, "system memory ({needed_memory?}) than is available ({host_free?})", "", ""},
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
};

} // namespace

std::span<const LogPattern> llamaPatterns()
{
    return kLlamaPatterns;
}

} // namespace vramscope
