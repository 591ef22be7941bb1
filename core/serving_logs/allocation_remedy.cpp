// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_remedies.h"

#include "core/base/text.h"
#include "core/serving_logs/log_stages.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace vramscope {

namespace {

using enum LogLever;

struct StageLevers
{
    LogStage stage;
    std::array<LogLever, 6> levers; ///< in the order in which they help; each engine has some
};

// What takes memory in each stage, and so what gives it back. Where weights are loaded the share of
// the GPU is no cure: no cache has been made yet.
constexpr StageLevers kLeversOfStages[] = {
    {LogStage::Fit, {GpuLayers, Length, HostExperts, Gpus, Bits, Bits}},
    {LogStage::Begin, {Gpus, Gpus, Gpus, Gpus, Gpus, Gpus}},
    {LogStage::LoadWeights, {GpuLayers, HostExperts, Gpus, Bits, HostWeights, HostWeights}},
    {LogStage::Compile, {BatchTokens, Length, Gpus, Gpus, Gpus, Gpus}},
    {LogStage::Profile, {BatchTokens, Sequences, Gpus, Gpus, Gpus, Gpus}},
    {LogStage::Cache, {Share, CacheTokens, Length, CacheBits, BatchTokens, GpuLayers}},
    {LogStage::ProgramLoad, {Share, Sequences, Sequences, Sequences, Sequences, Sequences}},
    {LogStage::ComputeBuffers, {SmallBatch, BatchTokens, Length, GpuLayers, GpuLayers, GpuLayers}},
    {LogStage::Graphs, {Share, Graphs, NoGraphs, Sequences, Sequences, Sequences}},
    {LogStage::WarmUp, {BatchTokens, Share, Sequences, SmallBatch, Length, GpuLayers}},
    {LogStage::Serving, {Share, BatchTokens, Sequences, SmallBatch, FitMargin, Length}},
    {LogStage::Unknown, {GpuLayers, Share, BatchTokens, Gpus, Length, HostExperts}},
};

std::string wholeText(double number)
{
    return std::to_string(static_cast<std::int64_t>(number));
}

/// Half of a number, in whole steps; nothing below one step.
std::string halfOf(std::optional<double> number, double step)
{
    if (!number || *number < 2 * step)
        return {};
    return wholeText(std::floor(*number / 2 / step) * step);
}

std::optional<double> firstNumber(const LogCase &it, std::initializer_list<std::string_view> names)
{
    for (const std::string_view name : names) {
        if (const auto figure = logQuantity(name) ? it.value(name) : std::nullopt)
            return figure;
        if (const auto setting = it.setting(name))
            return setting;
    }
    return {};
}

/// llama.cpp: as many layers as the free memory holds, less the margin that --fit would keep.
std::string fittingLayers(const LogCase &it)
{
    const auto layers = it.value("layers_total");
    const auto wanted = it.bytes("oom_requested");
    std::optional<Bytes> free;
    for (const BestFigure &figure : it.log.best)
        if (figure.key.starts_with("device_free:") &&
            figure.bytes() < free.value_or(figure.bytes() + 1))
            free = figure.bytes();
    constexpr Bytes kMargin = Bytes(1) << 30;
    if (!layers || !wanted || !free || *wanted <= 0 || *free <= kMargin)
        return {};
    const double fits =
        std::floor(*layers * static_cast<double>(*free - kMargin) / static_cast<double>(*wanted));
    return fits >= 1 && fits < *layers ? wholeText(fits) : std::string();
}

bool hasFewBits(const LogCase &it)
{
    if (!it.log.setting("quantization").empty())
        return true;
    const std::string model = lowered(it.log.setting("model"));
    constexpr std::array<std::string_view, 9> kSigns = {"fp8",   "awq",   "gptq", "int4", "w4a16",
                                                        "nvfp4", "mxfp4", "4bit", "int8"};
    return std::ranges::any_of(
        kSigns, [&](std::string_view sign) { return model.find(sign) != model.npos; });
}

void addBits(const LogCase &it, RemedyBuilder &builder)
{
    if (!hasLever(it.log.engine, Bits) || hasFewBits(it))
        builder.say("a checkpoint of fewer bits");
    else
        builder.set(Bits, {}, "or a checkpoint of fewer bits");
}

/// Tokens of a step where the log does not tell: vllm/engine/arg_utils.py,
/// sglang/srt/server_args.py, tensorrt_llm/llmapi/llm_args.py, lmdeploy/messages.py.
std::optional<double> usualBatchTokens(const LogCase &it)
{
    constexpr Bytes kGiB = Bytes(1) << 30;
    const auto total =
        it.bytes("total_gpu_memory") ? it.bytes("total_gpu_memory") : it.bytes("device_limit");
    switch (it.log.engine) {
    case LogEngine::Vllm:
        return total ? std::optional(*total >= 70 * kGiB ? 8192.0 : 2048.0) : std::nullopt;
    case LogEngine::Sglang:
        return total ? std::optional(*total < 35 * kGiB   ? 2048.0
                                     : *total < 60 * kGiB ? 4096.0
                                                          : 8192.0)
                     : std::nullopt;
    case LogEngine::TensorRtLlm:
    case LogEngine::LmDeploy:
        return 8192;
    default:
        return {};
    }
}

void addLever(LogLever lever, const LogCase &it, RemedyBuilder &builder)
{
    const std::initializer_list<std::string_view> kBatchTokens = {
        "max_num_batched_tokens", "chunked_prefill_size", "prefill_tokens"};
    const auto half = [&](std::initializer_list<std::string_view> names, double step) {
        const std::string value = halfOf(firstNumber(it, names), step);
        if (value.empty())
            builder.turn("lower", lever);
        else
            builder.set(lever, value);
    };
    switch (lever) {
    case Share:
        builder.lowerShare("it leaves more free");
        return;
    case Bits:
        return addBits(it, builder);
    case Gpus:
        builder.moreGpus();
        return;
    case Length:
        return half({"max_model_len", "context_len", "n_ctx"}, 256);
    case Sequences:
        return half({"max_num_seqs", "max_running_requests", "n_seq_max"}, 1);
    case BatchTokens:
        if (firstNumber(it, kBatchTokens) || !usualBatchTokens(it))
            return half(kBatchTokens, 256);
        builder.set(lever, halfOf(usualBatchTokens(it), 256), "half of the default");
        return;
    case SmallBatch:
        return half({"n_ubatch"}, 64);
    case CacheTokens:
        return half({"kv_tokens", "max_total_num_tokens"}, 256);
    case Graphs:
        return half({"cuda_graph_max_bs"}, 1);
    case GpuLayers:
        if (const std::string layers = fittingLayers(it); !layers.empty())
            builder.set(lever, layers, "as many layers as the free memory holds");
        else
            builder.turn("lower", lever, "fewer layers on the GPU");
        return;
    case HostExperts:
        builder.turn(it.log.engine == LogEngine::KTransformers ? "lower" : "raise", lever,
                     "experts in the host's memory");
        return;
    case FitMargin:
        builder.set(lever, it.log.engine == LogEngine::Ollama ? "1073741824" : "2048",
                    "more of the GPU stays free");
        return;
    default:
        builder.turn("use", lever);
        return;
    }
}

/// What other processes had on the device, as the allocator tells.
std::optional<Bytes> othersOnDevice(const LogCase &it)
{
    const auto total = it.bytes("device_limit");
    const auto free = it.bytes("oom_free");
    const auto mine = it.bytes("oom_in_use");
    constexpr Bytes kContext = Bytes(1) << 30;
    if (!total || !free || !mine)
        return {};
    const Bytes others = *total - *free - *mine;
    return others > std::max(kContext, *total / 20) ? std::optional(others) : std::nullopt;
}

std::string allocationCause(const LogCase &it)
{
    const auto wanted = it.bytes("oom_requested");
    const auto free = it.bytes("oom_free");
    const auto total = it.total();
    if (const auto deficit = it.bytes("program_deficit"))
        return "a program needs " + it.text(it.bytes("program_memory").value_or(0)) + ", " +
               it.text(*deficit) + " more than the device has";
    if (!wanted)
        return "an allocation failed";
    std::string text = "a request of " + it.text(*wanted) + " failed";
    if (free)
        text += " with " + it.text(*free) + " free" + (total ? " of " + it.text(*total) : "");
    if (const auto missing = it.missing())
        text += ": " + it.text(*missing) + " were missing";
    return text;
}

/// llama.cpp gave up fitting because the user had set what it would change.
void addFitAborted(const LogCase &it, RemedyBuilder &builder)
{
    struct Reason
    {
        std::string_view sign;
        std::string_view change;
    };
    constexpr std::array<Reason, 4> kReasons = {{
        {"n_gpu_layers already set by user to ", "leave out -ngl"},
        {"tensor_split already set by user", "leave out --tensor-split"},
        {"tensor_buft_overrides already set by user", "leave out -ot, --cpu-moe and --n-cpu-moe"},
        {"LLAMA_SPLIT_MODE_ROW", "leave out --split-mode row"},
    }};
    const std::string_view why = it.log.setting("fit_aborted");
    for (const Reason &reason : kReasons) {
        const std::size_t at = why.find(reason.sign);
        if (at == why.npos)
            continue;
        const std::string value(why.substr(at + reason.sign.size()));
        const bool isCount = !value.empty() && std::ranges::all_of(value, isDigit);
        builder.say(std::string(reason.change) + (isCount ? " " + value : std::string()),
                    "--fit needs its freedom");
    }
}

} // namespace

LogRemedy remedyOfAllocation(const LogCase &it)
{
    RemedyBuilder builder(it);
    builder.cause(allocationCause(it)).missing(it.missing());
    if (!it.missing())
        builder.missing(it.bytes("program_deficit"));
    if (const auto others = othersOnDevice(it)) {
        builder.cause(allocationCause(it) + "; other processes had " + it.text(*others));
        builder.say("end the other processes on this GPU", "they hold " + it.text(*others));
    }
    if (it.refusal.stage == LogStage::Begin)
        builder.say("end the other processes on this GPU", "nothing was loaded yet");
    addFitAborted(it, builder);
    const auto *const row =
        std::ranges::find(kLeversOfStages, it.refusal.stage, &StageLevers::stage);
    if (row != std::end(kLeversOfStages))
        for (const LogLever lever : row->levers)
            if (hasLever(it.log.engine, lever) ||
                (lever == Bits && it.log.engine != LogEngine::Torch &&
                 it.log.engine != LogEngine::Unknown))
                addLever(lever, it, builder);
    return std::move(builder).remedy();
}

/// The executor names the component that it could not create; before the cache is sized, tokens of
/// a step decide, and then the share.
LogRemedy remedyOfExecutor(const LogCase &it)
{
    RemedyBuilder builder(it);
    std::string cause = allocationCause(it);
    const auto before = it.bytes("component_free");
    const auto after = it.bytes("component_left");
    if (before && after)
        cause += "; the cache made for the profile run took " + it.text(*before - *after) + " of " +
                 it.text(*before);
    builder.cause(std::move(cause)).missing(it.missing());
    for (const LogLever lever : {BatchTokens, Share, Length})
        addLever(lever, it, builder);
    return std::move(builder).remedy();
}

} // namespace vramscope
