// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_stages.h"

#include <algorithm>

namespace vramscope {

/// A namespace of its own: the short names of the enumerators are for these tables alone.
namespace stage_table {

using enum LogStage;
constexpr LogEngine Vllm = LogEngine::Vllm;
constexpr LogEngine Sglang = LogEngine::Sglang;
constexpr LogEngine LlamaCpp = LogEngine::LlamaCpp;
constexpr LogEngine Ollama = LogEngine::Ollama;
constexpr LogEngine TensorRtLlm = LogEngine::TensorRtLlm;
constexpr LogEngine Tgi = LogEngine::Tgi;
constexpr LogEngine LmDeploy = LogEngine::LmDeploy;
constexpr LogEngine ExLlama = LogEngine::ExLlama;
constexpr LogEngine Mlc = LogEngine::Mlc;

struct StageRow
{
    LogStage stage;
    std::string_view id;
    std::string_view name;
    std::string_view phrase;
};

constexpr StageRow kStages[] = {
    {LogStage::Unknown, "unknown", "Unknown", ""},
    {Fit, "fit", "Fit", "while it measured what fits"},
    {Begin, "begin", "Start", "before it loaded anything"},
    {LoadWeights, "load_weights", "Load weights", "while it loaded the weights"},
    {Compile, "compile", "Compile", "while it compiled its programs"},
    {Profile, "profile", "Profile run", "in the profile run"},
    {Cache, "cache", "Cache", "while it made the cache"},
    {ProgramLoad, "program_load", "Load programs", "while it loaded a compiled program"},
    {ComputeBuffers, "compute_buffers", "Compute buffers", "while it made the compute buffers"},
    {Graphs, "graphs", "CUDA graphs", "while it captured CUDA graphs"},
    {WarmUp, "warm_up", "Warm-up", "while it warmed up"},
    {Serving, "ready", "Ready", "while it served requests"},
};

// What the engines write when a stage begins or ends, and the functions in their tracebacks.
constexpr LogStageMark kMarks[] = {
    {Vllm, "Starting to load model ", LoadWeights},
    {Vllm, "Loading safetensors checkpoint shards", LoadWeights, false, true},
    {Vllm, "Loading weights took {seconds} seconds", LoadWeights, false, true},
    {Vllm, "Model loading took {} GiB memory and {seconds} seconds", LoadWeights},
    {Vllm, "Model loading took {} GiB and {seconds} seconds", LoadWeights},
    {Vllm, "Model loading took {} GB and {seconds} seconds", LoadWeights},
    {Vllm, "Dynamo bytecode transform time: {} s", Profile},
    {Vllm, "torch.compile takes {seconds} s in total", Profile},
    {Vllm, "torch.compile took {seconds} s in total", Profile},
    {Vllm, "Encoder cache will be initialized", Profile},
    {Vllm, "Memory profiling takes {seconds} seconds", Profile},
    {Vllm, "Initial profiling/warmup run took {seconds} s", Profile},
    {Vllm, "Capturing CUDA graph", Graphs},
    {Vllm, "Capturing the model for CUDA graphs", Graphs},
    {Vllm, "Graph capturing finished in {seconds} sec", Graphs},
    {Vllm, "init engine (profile, create kv cache, warmup model) took {} s", WarmUp},
    {Vllm, "Starting vLLM API server", Serving},
    {Vllm, "Application startup complete", Serving, false, true},
    {Vllm, "Uvicorn running on ", Serving, false, true},
    {Vllm, "Traceback (most recent call last)", LogStage::Unknown, true, true},
    {Vllm, ", in init_device", Begin, true, true},
    {Vllm, ", in load_model", LoadWeights, true, true},
    {Vllm, ", in load_weights", LoadWeights, true, true},
    {Vllm, ", in process_weights_after_loading", LoadWeights, true, true},
    {Vllm, ", in profile_run", Profile, true, true},
    {Vllm, ", in determine_available_memory", Profile, true},
    {Vllm, ", in determine_num_available_blocks", Profile, true},
    {Vllm, ", in initialize_kv_cache", Cache, true},
    {Vllm, ", in _allocate_kv_cache", Cache, true, true},
    {Vllm, ", in capture_model", Graphs, true},
    {Vllm, ", in compile_or_warm_up_model", WarmUp, true},
    {Vllm, ", in _dummy_sampler_run", WarmUp, true},
    {Vllm, ", in execute_model", Serving, true},
    {Vllm, "Init model | hbm=", LoadWeights},
    {Vllm, "Precompile ", Compile, false, true},
    {Sglang, "Init torch distributed begin", Begin},
    {Sglang, "Load weight begin", LoadWeights},
    {Sglang, "Load weight end. elapsed={seconds} s", LoadWeights},
    {Sglang, "Memory pool end", Cache},
    {Sglang, "apture cuda graph begin", Graphs},
    {Sglang, "CUDA graph begin", Graphs},
    {Sglang, "apture cuda graph end. Time elapsed: {seconds} s", Graphs},
    {Sglang, "CUDA graph end. elapsed={seconds} s", Graphs},
    {Sglang, "fired up and ready to roll", Serving},
    {Sglang, ", in init_memory_pool", Cache, true},
    {Sglang, ", in init_cuda_graphs", Graphs, true},
    {Sglang, ", in init_device_graphs", Graphs, true},
    {Sglang, ", in event_loop_", Serving, true, true},
    {LlamaCpp, "fitting params to device memory", Fit},
    {LlamaCpp, "trying to fit one extra layer", Fit},
    {LlamaCpp, "successfully fit params", LoadWeights},
    {LlamaCpp, "failed to fit params to free device memory", LoadWeights},
    {LlamaCpp, "loading model tensors, this can take", LoadWeights},
    {LlamaCpp, "llm_load_tensors: ggml ctx size", LoadWeights},
    {LlamaCpp, "constructing llama_context", Cache},
    {LlamaCpp, "llama_new_context_with_model: n_ctx = ", Cache},
    {LlamaCpp, "llama_init_from_model: n_ctx = ", Cache},
    {LlamaCpp, "graph_reserve: ", ComputeBuffers},
    {LlamaCpp, "sched_reserve: ", ComputeBuffers},
    {LlamaCpp, "warming up the model with an empty run", WarmUp},
    {LlamaCpp, "model loaded", Serving, false, true},
    {LlamaCpp, "server is listening on ", Serving, false, true},
    {LlamaCpp, "all slots are idle", Serving},
    {Ollama, "runner started in {} seconds", Serving},
    {TensorRtLlm, "Engine loaded and ready to serve", Serving},
    {TensorRtLlm, "Loading weights", LoadWeights, false, true},
    {TensorRtLlm, "Loaded engine size", LoadWeights},
    {TensorRtLlm, ", in _create_kv_cache_manager", Cache, true, true},
    {TensorRtLlm, ", in _run_cuda_graph_warmup", Graphs, true},
    {TensorRtLlm, ", in _run_autotuner_warmup", WarmUp, true},
    {TensorRtLlm, ", in configure_kv_cache_capacity", Profile, true},
    {TensorRtLlm, "Error executing load_single_module", LoadWeights},
    {Tgi, "Starting shard", LoadWeights},
    {Tgi, "Shard ready in {seconds}s", LoadWeights},
    {Tgi, "Warming up model", WarmUp, false, true},
    {Tgi, "<^>Connected", Serving, false, true},
    {Tgi, "text_generation_router<*>: Connected", Serving},
    {LmDeploy, ", in _create_weight", LoadWeights, true, true},
    {LmDeploy, "[BlockManager]", Cache},
    {LmDeploy, "Object cache budget", Cache},
    {ExLlama, "Loading model: ", LoadWeights, false, true},
    {ExLlama, "Model successfully loaded", Serving, false, true},
    {Mlc, "Estimated total single GPU memory usage", Cache},
};

struct KeyStage
{
    std::string_view key;
    LogStage stage;
};

constexpr KeyStage kKeyStages[] = {
    {"fit_projected_used", Fit},
    {"fit_used", Fit},
    {"fit_deficit", Fit},
    {"free_memory", Begin},
    {"nccl_memory", Begin},
    {"device_free", Begin},
    {"group_free", Begin},
    {"model_weights", LoadWeights},
    {"weights", LoadWeights},
    {"avail_before_load", LoadWeights},
    {"avail_after_load", LoadWeights},
    {"model_buffer", LoadWeights},
    {"engine_size", LoadWeights},
    {"activation_peak", Profile},
    {"peak_torch_memory", Profile},
    {"peak_memory", Profile},
    {"free_before_profile_bytes", Profile},
    {"kv_cache_memory", Cache},
    {"kv_cache_tokens", Cache},
    {"max_concurrency", Cache},
    {"gpu_blocks", Cache},
    {"kv_blocks", Cache},
    {"kv_tokens", Cache},
    {"k_size", Cache},
    {"kv_size", Cache},
    {"kv_available_memory", Cache},
    {"kv_buffer", Cache},
    {"kv_total", Cache},
    {"kv_cells_full", Cache},
    {"avail_after_pool", Cache},
    {"needed_kv", Cache},
    {"compute_buffer", ComputeBuffers},
    {"execution_context", ComputeBuffers},
    {"avail_before_graph", Graphs},
    {"avail_in_capture", Graphs},
    {"avail_after_graph", Graphs},
    {"cuda_graphs", Graphs},
    {"cuda_graphs_estimated", Profile},
    {"sleep_freed", Serving},
    {"memory_current", Serving},
};

const StageRow &rowOf(LogStage stage)
{
    return *std::ranges::find(kStages, stage, &StageRow::stage);
}

} // namespace stage_table

std::string_view logStageId(LogStage stage)
{
    return stage_table::rowOf(stage).id;
}

std::string_view logStageName(LogStage stage)
{
    return stage_table::rowOf(stage).name;
}

std::string_view logStagePhrase(LogStage stage)
{
    return stage_table::rowOf(stage).phrase;
}

std::span<const LogStageMark> logStageMarks()
{
    return stage_table::kMarks;
}

LogStage stageOfKey(std::string_view key)
{
    key = key.substr(0, std::min(key.find(':'), key.size()));
    const auto *const found =
        std::ranges::find(stage_table::kKeyStages, key, &stage_table::KeyStage::key);
    return found != std::end(stage_table::kKeyStages) ? found->stage : LogStage::Unknown;
}

LogStageSpan &LogStages::span(LogStage stage, const Place &at)
{
    constexpr std::size_t kMost = 500;
    const auto isIt = [&](const LogStageSpan &one) {
        return one.stage == stage && one.attempt == m_attempt && one.model == at.model;
    };
    const auto found = std::ranges::find_if(m_spans, isIt);
    if (found != m_spans.end() || m_spans.size() >= kMost) {
        LogStageSpan &known = found != m_spans.end() ? *found : m_spans.back();
        known.last = at.line;
        return known;
    }
    // A summary after the start has figures of stages before it.
    const auto isLater = [&](const LogStageSpan &one) {
        return stage < m_now && one.stage > stage && one.attempt == m_attempt &&
               one.model == at.model;
    };
    return *m_spans.insert(std::ranges::find_if(m_spans, isLater),
                           LogStageSpan{.stage = stage,
                                        .attempt = m_attempt,
                                        .model = at.model,
                                        .line = at.line,
                                        .last = at.line});
}

void LogStages::startAgain()
{
    m_attempt += m_spans.empty() ? 0 : 1;
    m_now = m_frame = m_refused = LogStage::Unknown;
    m_isRefused = false;
    m_ranks.clear();
}

bool LogStages::isNext(LogStage stage, std::string_view rank) const
{
    if (!m_isRefused || stage >= m_refused)
        return false;
    const auto known = m_ranks.find(rank);
    return known == m_ranks.end() || known->second > stage;
}

void LogStages::remember(LogStage stage, std::string_view rank)
{
    constexpr std::size_t kMostRanks = 4096;
    const auto known = m_ranks.find(rank);
    if (known != m_ranks.end())
        known->second = std::max(known->second, stage);
    else if (m_ranks.size() < kMostRanks)
        m_ranks.emplace(rank, stage);
}

void LogStages::enter(LogStage stage, const Place &at, std::optional<double> seconds)
{
    if (isNext(stage, at.rank))
        startAgain();
    remember(stage, at.rank);
    m_now = stage;
    m_frame = LogStage::Unknown;
    LogStageSpan &mine = span(stage, at);
    if (seconds)
        mine.seconds = std::max(mine.seconds.value_or(0), *seconds);
}

void LogStages::pass(LogStage stage, const Place &at)
{
    if (stage == LogStage::Unknown)
        return;
    if (stage > m_now || isNext(stage, at.rank))
        return enter(stage, at);
    remember(stage, at.rank);
    (void)span(stage, at);
}

void LogStages::enterFrame(LogStage stage)
{
    // V0 of vLLM runs its profile through the function that serves.
    if (stage != LogStage::Serving || m_frame == LogStage::Unknown)
        m_frame = stage;
}

LogStage LogStages::refuse(LogStage stage, const Place &at, bool isReason)
{
    // Only a line that knows its stage can be of the next attempt.
    if (isReason && stage != LogStage::Unknown && isNext(stage, at.rank))
        startAgain();
    if (stage == LogStage::Unknown)
        stage = std::max(m_frame != LogStage::Unknown ? m_frame : m_now, m_refused);
    if (!isReason)
        return stage;
    m_isRefused = true;
    m_refused = stage;
    if (stage != LogStage::Unknown) {
        remember(stage, at.rank);
        span(stage, at).failed = true;
    }
    return stage;
}

} // namespace vramscope
