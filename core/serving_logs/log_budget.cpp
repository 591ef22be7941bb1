// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_budget.h"

#include <array>
#include <cmath>
#include <initializer_list>
#include <string_view>
#include <utility>

namespace vramscope {

LogAge vllmAge(const ServingLog &log, const EngineVersion &change)
{
    if (const auto stated = engineVersion(log.version))
        return change.isNewerThan(*stated) ? LogAge::Before : LogAge::AtLeast;
    const auto from = engineVersion(log.versionFrom);
    if (from && !change.isNewerThan(*from))
        return LogAge::AtLeast;
    const auto to = engineVersion(log.versionTo);
    return to && change.isNewerThan(*to) ? LogAge::Before : LogAge::Unknown;
}

namespace {

std::optional<Bytes> bytesOf(const ServingLog &log, std::string_view key)
{
    const BestFigure *figure = log.find(key);
    return figure ? std::optional(figure->bytes()) : std::nullopt;
}

/// Of all devices; nothing where there are none.
std::optional<Bytes> sumOf(const ServingLog &log, std::string_view key)
{
    std::optional<Bytes> sum;
    for (const BestFigure &figure : log.best)
        if (figure.key.starts_with(key) && figure.key.substr(key.size()).starts_with(':'))
            sum = sum.value_or(0) + figure.bytes();
    return sum;
}

std::optional<Bytes> firstOf(const ServingLog &log, std::initializer_list<std::string_view> keys)
{
    for (const std::string_view key : keys)
        if (const auto bytes = bytesOf(log, key))
            return bytes;
    return {};
}

/// A number of tokens that any cache may have.
std::optional<std::int64_t> countOf(double value)
{
    constexpr double kMost = 1e12;
    return value >= 1 && value <= kMost ? std::optional<std::int64_t>(std::llround(value))
                                        : std::nullopt;
}

/// The cache's tier in the host's memory: as stated, or blocks of the same size as those on the
/// GPU.
std::optional<Bytes> hostCacheOf(const ServingLog &log, std::optional<Bytes> cache)
{
    if (const auto pool = bytesOf(log, "host_pool"))
        return pool;
    constexpr std::array<std::pair<std::string_view, std::string_view>, 2> kBlocks = {
        {{"cpu_blocks", "gpu_blocks"}, {"kv_secondary_blocks", "kv_blocks"}}};
    for (const auto &[onHost, onGpu] : kBlocks) {
        const BestFigure *host = log.find(onHost);
        const BestFigure *gpu = log.find(onGpu);
        if (cache && host && gpu && host->value >= 1 && gpu->value >= 1)
            return std::llround(static_cast<double>(*cache) / gpu->value * host->value);
    }
    return {};
}

} // namespace

LogBudget budgetOf(const ServingLog &log)
{
    LogBudget budget;
    budget.total = firstOf(log, {"total_gpu_memory", "kv_total_memory"});
    budget.requested = bytesOf(log, "requested_memory");
    const BestFigure *share = log.find("gpu_memory_utilization");
    if (!budget.requested && budget.total && share)
        budget.requested = std::llround(static_cast<double>(*budget.total) * share->value);
    budget.weights = firstOf(log, {"model_weights", "weights", "engine_size", "file_size"});
    if (!budget.weights)
        budget.weights = sumOf(log, "model_buffer");
    budget.nonTorch = bytesOf(log, "non_torch_memory");
    budget.consumed = bytesOf(log, "consumed_memory");
    budget.activations = firstOf(log, {"activation_peak", "execution_context"});
    const auto peak = bytesOf(log, "peak_torch_memory");
    if (!budget.activations && peak && budget.weights)
        budget.activations = *peak - *budget.weights;
    if (!budget.activations)
        budget.activations = sumOf(log, "compute_buffer");
    budget.graphs = bytesOf(log, "cuda_graphs");
    budget.graphsInside =
        log.engine == LogEngine::Vllm && vllmAge(log, {0, 21, 0}) == LogAge::AtLeast;
    budget.cache = firstOf(log, {"kv_cache_memory", "kv_cache_memory_stated", "kv_total", "kv_size",
                                 "kv_allocated_bytes", "kv_allocated"});
    const auto keys = bytesOf(log, "k_size");
    const auto values = bytesOf(log, "v_size");
    if (!budget.cache && keys && values)
        budget.cache = *keys + *values;
    if (!budget.cache || *budget.cache == 0)
        if (const auto buffers = sumOf(log, "kv_buffer"))
            budget.cache = buffers;
    budget.hostCache = hostCacheOf(log, budget.cache);
    budget.freeAtStart = bytesOf(log, "avail_before_load");
    const auto afterLoad = bytesOf(log, "avail_after_load");
    if (!budget.freeAtStart && afterLoad && budget.weights)
        budget.freeAtStart = *afterLoad + *budget.weights;
    budget.freeAfterPool = bytesOf(log, "avail_after_pool");
    return budget;
}

std::optional<std::int64_t> pooledTokens(const ServingLog &log)
{
    // A pool of windows holds fewer tokens than what the engine calls its tokens.
    for (const std::string_view key :
         {"max_total_num_tokens", "full_layer_tokens", "kv_tokens", "kv_paged_tokens"})
        if (const BestFigure *tokens = log.find(key))
            return countOf(tokens->value);
    const BestFigure *blocks = log.find("kv_blocks");
    const BestFigure *size = log.find("kv_block_size");
    return blocks && size ? countOf(blocks->value * size->value) : std::nullopt;
}

} // namespace vramscope
