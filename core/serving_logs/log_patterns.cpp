// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_patterns.h"

#include "core/serving_logs/log_refusals.h"
#include "core/serving_logs/log_stages.h"
#include "core/serving_logs/pattern_rows.h"

#include <algorithm>
#include <cassert>
#include <cstring>

namespace vramscope {

namespace {

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

std::vector<LogPattern> joinedPatterns()
{
    std::vector<LogPattern> all;
    for (const auto rows : {vllmAndSglangPatterns(), llamaPatterns(), otherPatterns()})
        all.insert(all.end(), rows.begin(), rows.end());
    for (const LogStageMark &mark : logStageMarks())
        all.push_back({.engine = mark.engine,
                       .shape = mark.shape,
                       .kind = LogPatternKind::Stage,
                       .isShared = mark.isShared,
                       .mark = &mark});
    for (const LogRefusalRule &rule : logRefusalRules())
        all.push_back({.engine = rule.engine,
                       .shape = rule.shape,
                       .from = rule.from,
                       .to = rule.to,
                       .kind = LogPatternKind::Refusal,
                       .isShared = rule.isShared,
                       .rule = &rule});
    return all;
}

} // namespace

std::span<const LogPattern> logPatterns()
{
    static const std::vector<LogPattern> kAll = joinedPatterns();
    return kAll;
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
    return (word * 2654435761U) >> 16U; // Knuth's multiplicative hash, 16 bits
}

LogPatterns::LogPatterns()
    : m_slots(kSlots)
{
    for (const LogPattern &pattern : logPatterns()) {
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
