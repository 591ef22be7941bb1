// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_levers.h"

#include <algorithm>

namespace vramscope {

/// A namespace of its own: the short names of the enumerators are for this table alone.
namespace lever_table {

using enum LogLever;
using enum LogEngine;

struct LeverRow
{
    LogEngine engine;
    LogLever lever;
    std::string_view option; ///< with % in place of the value
};

// vllm/engine/arg_utils.py; sglang/srt/server_args.py; llama.cpp common/arg.cpp; ollama envconfig;
// tensorrt_llm/commands/serve.py; text-generation-inference launcher; lmdeploy/cli/utils.py;
// mlc_llm serve --overrides; tabbyAPI config_models.py; lms load; omlx serve.
constexpr LeverRow kLevers[] = {
    {Vllm, Share, "--gpu-memory-utilization %"},
    {Vllm, Length, "--max-model-len %"},
    {Vllm, Sequences, "--max-num-seqs %"},
    {Vllm, BatchTokens, "--max-num-batched-tokens %"},
    {Vllm, Gpus, "--tensor-parallel-size %"},
    {Vllm, Bits, "--quantization fp8"},
    {Vllm, HostWeights, "--cpu-offload-gb %"},
    {Vllm, NoGraphs, "--enforce-eager"},
    {Vllm, CacheBits, "--kv-cache-dtype fp8"},
    {Vllm, CacheBytes, "--kv-cache-memory-bytes %"},
    {Sglang, Share, "--mem-fraction-static %"},
    {Sglang, Length, "--context-length %"},
    {Sglang, Sequences, "--max-running-requests %"},
    {Sglang, BatchTokens, "--chunked-prefill-size %"},
    {Sglang, Gpus, "--tp-size %"},
    {Sglang, Bits, "--quantization fp8"},
    {Sglang, HostWeights, "--cpu-offload-gb %"},
    {Sglang, Graphs, "--cuda-graph-max-bs %"},
    {Sglang, NoGraphs, "--disable-cuda-graph"},
    {Sglang, CacheBits, "--kv-cache-dtype fp8_e4m3"},
    {Sglang, CacheTokens, "--max-total-tokens %"},
    {Sglang, HostCache, "--hicache-size %"},
    {KTransformers, HostExperts, "--kt-num-gpu-experts %"},
    {KTransformers, Share, "--mem-fraction-static %"},
    {KTransformers, Length, "--context-length %"},
    {KTransformers, Sequences, "--max-running-requests %"},
    {KTransformers, BatchTokens, "--chunked-prefill-size %"},
    {KTransformers, Gpus, "--tp-size %"},
    {KTransformers, NoGraphs, "--disable-cuda-graph"},
    {LlamaCpp, Length, "-c %"},
    {LlamaCpp, Sequences, "-np %"},
    {LlamaCpp, SmallBatch, "-ub %"},
    {LlamaCpp, HostExperts, "--n-cpu-moe %"},
    {LlamaCpp, GpuLayers, "-ngl %"},
    {LlamaCpp, CacheBits, "-ctk q8_0 -ctv q8_0"},
    {LlamaCpp, FitMargin, "--fit-target %"},
    {Ollama, Length, "OLLAMA_CONTEXT_LENGTH=%"},
    {Ollama, Sequences, "OLLAMA_NUM_PARALLEL=%"},
    {Ollama, GpuLayers, "PARAMETER num_gpu %"},
    {Ollama, CacheBits, "OLLAMA_FLASH_ATTENTION=1 OLLAMA_KV_CACHE_TYPE=q8_0"},
    {Ollama, FitMargin, "OLLAMA_GPU_OVERHEAD=%"},
    {LmStudio, Length, "--context-length %"},
    {LmStudio, GpuLayers, "--gpu %"},
    {TensorRtLlm, Share, "--free_gpu_memory_fraction %"},
    {TensorRtLlm, Length, "--max_seq_len %"},
    {TensorRtLlm, Sequences, "--max_batch_size %"},
    {TensorRtLlm, BatchTokens, "--max_num_tokens %"},
    {TensorRtLlm, Gpus, "--tp_size %"},
    {Tgi, Share, "--cuda-memory-fraction %"},
    {Tgi, Length, "--max-total-tokens %"},
    {Tgi, BatchTokens, "--max-batch-prefill-tokens %"},
    {Tgi, Gpus, "--num-shard %"},
    {Tgi, Bits, "--quantize fp8"},
    {LmDeploy, Share, "--cache-max-entry-count %"},
    {LmDeploy, Length, "--session-len %"},
    {LmDeploy, Sequences, "--max-batch-size %"},
    {LmDeploy, BatchTokens, "--max-prefill-token-num %"},
    {LmDeploy, Gpus, "--tp %"},
    {LmDeploy, CacheBits, "--quant-policy 8"},
    {Mlc, Share, "--overrides \"gpu_memory_utilization=%\""},
    {Mlc, Length, "--overrides \"context_window_size=%\""},
    {Mlc, Sequences, "--overrides \"max_num_sequence=%\""},
    {Mlc, BatchTokens, "--overrides \"prefill_chunk_size=%\""},
    {Mlc, Gpus, "--overrides \"tensor_parallel_shards=%\""},
    {Mlc, CacheTokens, "--overrides \"max_total_seq_length=%\""},
    {ExLlama, CacheTokens, "--cache-size %"},
    {ExLlama, Length, "--max-seq-len %"},
    {ExLlama, BatchTokens, "--chunk-size %"},
    {ExLlama, CacheBits, "--cache-mode Q8"},
    {Omlx, HostCache, "--hot-cache-max-size %"},
    {Omlx, Sequences, "--max-concurrent-requests %"},
};

} // namespace lever_table

std::string leverOption(LogEngine engine, LogLever lever, std::string_view value)
{
    for (const lever_table::LeverRow &row : lever_table::kLevers) {
        if (row.engine != engine || row.lever != lever)
            continue;
        std::string option(row.option);
        const std::size_t place = option.find('%');
        if (place == std::string::npos)
            return option;
        if (!value.empty())
            return option.replace(place, 1, value);
        const bool isQuoted = option.back() == '"';
        option.resize(option.find_last_not_of(" =", place - 1) + 1);
        return isQuoted ? option + '"' : option;
    }
    return {};
}

bool hasLever(LogEngine engine, LogLever lever)
{
    return std::ranges::any_of(lever_table::kLevers, [&](const lever_table::LeverRow &row) {
        return row.engine == engine && row.lever == lever;
    });
}

} // namespace vramscope
