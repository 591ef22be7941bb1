// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_remedies.h"

#include "core/base/counted.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

using enum LogLever;

constexpr double kHundred = 100;
constexpr double kBinaryLoss = 1e-6; ///< what a share in hundredths may lose in binary

std::string tokensText(double tokens)
{
    return formatCount(std::llround(tokens));
}

std::string plainText(double number)
{
    return std::to_string(std::llround(number));
}

/// The largest share of the GPU that is free, in hundredths and less what rounding may have added.
std::optional<double> freeShare(const LogCase &it)
{
    const auto total = it.bytes("total_gpu_memory");
    const auto free = it.bytes("free_memory");
    constexpr double kRounded = 0.005 * (1 << 30);
    if (!total || !free || *total <= 0)
        return {};
    const double share = std::floor((static_cast<double>(*free) - kRounded) /
                                    static_cast<double>(*total) * kHundred) /
                         kHundred;
    return share > 0 ? std::optional(share) : std::nullopt;
}

/// Whether weights and the cache that one sequence needs stay within a smaller budget, by what an
/// earlier attempt measured; true where the log does not tell.
bool leavesCache(const LogCase &it, Bytes budget)
{
    if (const auto weights = it.bytes("model_weights");
        weights && budget <= *weights + *weights / 20)
        return false;
    std::optional<Bytes> cache;
    for (const LogFigure &figure : it.log.figures)
        if (figure.key == "kv_cache_memory" && figure.attempt < it.refusal.attempt)
            cache = figure.bytes();
    const auto requested = it.bytes("requested_memory");
    if (!cache || !requested)
        return true;
    return *cache - (*requested - budget) > it.bytes("needed_kv").value_or(0);
}

} // namespace

LogRemedy remedyOfFreeMemory(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto total = it.bytes("total_gpu_memory");
    const auto free = it.bytes("free_memory");
    const auto requested = it.bytes("requested_memory");
    if (!total || !free)
        return std::move(
                   builder.cause("less is free than the share of the GPU that the engine may use")
                       .turn("lower", Share)
                       .say("end the other processes on this GPU"))
            .remedy();
    const Bytes others = *total - *free;
    builder.cause("other processes hold " + it.text(others) + " of " + it.text(*total) +
                  (requested ? ", and the engine wants " + it.text(*requested) : std::string()));
    if (requested)
        builder.missing(*requested - *free);
    const auto share = freeShare(it);
    const Bytes budget = share ? std::llround(*share * static_cast<double>(*total)) : 0;
    const bool fits = share && leavesCache(it, budget);
    if (fits)
        builder.set(Share, shareText(*share), it.text(*free) + " are free");
    builder.say("end the other processes on this GPU",
                fits || !share ? std::string()
                               : leverOption(it.log.engine, Share, shareText(*share)) +
                                     ", all that is free, would leave too little for the cache");
    return std::move(builder).remedy();
}

LogRemedy remedyOfUnevenGpus(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto least = it.bytes("group_free");
    const auto most = it.bytes("local_free");
    builder.cause(least && most ? "one GPU of the group has " + it.text(*least) +
                                      " free and another " + it.text(*most)
                                : "one GPU of the group has less free than the others");
    if (least && most)
        builder.missing(*most - *least);
    return std::move(builder.say("end the other processes on the fuller GPU")
                         .say("leave that GPU out with CUDA_VISIBLE_DEVICES"))
        .remedy();
}

LogRemedy remedyOfLongSequence(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto length = it.value("max_model_len");
    const auto needed = it.bytes("needed_kv");
    const auto cache = it.bytes("kv_cache_memory");
    const auto holds = it.value("kv_cache_capacity_tokens");
    auto fits = it.value("estimated_max_model_len");
    if (!fits)
        fits = holds;
    constexpr double kBlock = 16;
    if (!fits && length && needed && cache && *needed > 0)
        fits = std::floor(*length * static_cast<double>(*cache) / static_cast<double>(*needed) /
                          kBlock) *
               kBlock;
    if (length && needed && cache)
        builder.cause("one sequence of " + tokensText(*length) + " tokens needs " +
                      it.text(*needed) + " of cache, and there are " + it.text(*cache));
    else if (length && holds)
        builder.cause("one sequence of " + tokensText(*length) +
                      " tokens does not fit a cache of " + tokensText(*holds));
    else
        builder.cause("one sequence of the longest length does not fit the cache");
    const auto missing =
        needed && cache && *needed > *cache ? std::optional(*needed - *cache) : std::nullopt;
    builder.missing(missing);
    if (fits && *fits >= 1)
        builder.set(Length, plainText(*fits), "the longest that fits");
    else
        builder.turn("lower", Length);
    const bool isStated = it.bytes("kv_cache_memory_stated").has_value();
    if (isStated && needed) // rounded up to whole MiB, and what two decimals may hide
        builder.set(CacheBytes,
                    plainText(std::ceil(static_cast<double>(*needed) / (1 << 20) + 6) * (1 << 20)),
                    "the share of the GPU does not bound a stated cache");
    if (const auto share = missing && !isStated ? raisedShare(it, *missing) : std::nullopt)
        builder.set(Share, shareText(*share), "it makes the cache large enough");
    else if (!isStated && !it.total())
        builder.turn("raise", Share, "if as much is free");
    const std::string_view dtype = it.log.setting("kv_cache_dtype");
    if ((dtype.empty() || dtype == "auto" || dtype == "bfloat16" || dtype == "float16") &&
        (!needed || !cache || *cache > *needed / 2))
        builder.set(CacheBits, {}, "it halves the cache of a token");
    return std::move(builder).remedy();
}

LogRemedy remedyOfModelLength(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto wanted = it.value("max_model_len");
    const auto most = it.value("model_max_len");
    builder.cause(wanted && most ? tokensText(*wanted) +
                                       " tokens are asked for, and the model was "
                                       "trained for " +
                                       tokensText(*most)
                                 : "the longest sequence exceeds that of the model");
    return std::move(most ? builder.set(Length, plainText(*most)) : builder.turn("lower", Length))
        .remedy();
}

LogRemedy remedyOfEmptyCache(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto cache = it.bytes("kv_cache_memory");
    const auto weights = it.bytes("model_weights");
    const auto total = it.total();
    const bool isNegative = cache && *cache <= 0;
    builder.cause(isNegative ? "weights and activations exceed the budget by " + it.text(-*cache)
                             : "weights and activations leave nothing of the budget for the cache");
    if (isNegative)
        builder.missing(-*cache);
    const auto needed = it.bytes("needed_kv").value_or(0);
    const Bytes spare = total ? *total / 50 : 0;
    const auto share = isNegative ? raisedShare(it, -*cache + needed + spare) : std::nullopt;
    if (share)
        builder.set(Share, shareText(*share));
    const bool mostlyWeights = weights && total && *weights > *total / 10 * 8;
    if (!share && !mostlyWeights)
        builder.turn("raise", Share, "as far as memory is free");
    if (mostlyWeights)
        builder.moreGpus();
    constexpr Bytes kMuch = Bytes(2) << 30;
    if (it.bytes("activation_peak").value_or(kMuch) >= kMuch) {
        const auto tokens = it.setting("max_num_batched_tokens");
        if (tokens && *tokens >= 512)
            builder.set(BatchTokens, plainText(std::floor(*tokens / 2)));
        else
            builder.turn("lower", BatchTokens);
    }
    builder.moreGpus().say("a checkpoint of fewer bits");
    return std::move(builder).remedy();
}

LogRemedy remedyOfStaticShare(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto before = it.bytes("avail_before_load");
    const auto after = it.bytes("avail_after_load");
    const auto share = it.share();
    constexpr double kRoomForCache = 0.02;
    constexpr double kMost = 0.97;
    if (before && after && *before > 0) {
        const double weights = 1 - static_cast<double>(*after) / static_cast<double>(*before);
        builder.cause("weights take " + it.text(*before - *after) + " of the " + it.text(*before) +
                      " that were free" +
                      (share ? ", and the share for weights and cache is " + formatNumber(*share)
                             : std::string()));
        if (share)
            builder.missing(std::max<Bytes>(
                0, std::llround((weights - *share) * static_cast<double>(*before))));
        const double least = std::ceil(weights * kHundred - kBinaryLoss) / kHundred + kRoomForCache;
        if (least <= kMost)
            builder.set(Share, shareText(least), "weights and the first of the cache");
    } else {
        builder.cause("the share for weights and cache" +
                      (share ? ", " + formatNumber(*share) + "," : std::string()) +
                      " leaves nothing for the cache");
        constexpr double kNext = 0.1;
        if (share && *share + kNext <= kMost)
            builder.set(Share, shareText(*share + kNext), "one tenth more, as a first try");
        else
            builder.turn("raise", Share);
    }
    builder.moreGpus().say("a checkpoint of fewer bits");
    return std::move(builder).remedy();
}

LogRemedy remedyOfSequences(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto wanted = it.value("max_num_seqs");
    const auto states = it.value("mamba_blocks");
    if (wanted && states)
        builder
            .cause(tokensText(*wanted) +
                   " sequences at once are asked for, and the cache holds "
                   "the states of " +
                   tokensText(*states))
            .set(Sequences, plainText(*states), "one state for each sequence");
    else if (wanted && *wanted >= 2)
        builder.cause("the sampler ran out of memory with " + tokensText(*wanted) + " sequences")
            .set(Sequences, plainText(std::floor(*wanted / 2)));
    else
        builder.cause("there are too many sequences at once").turn("lower", Sequences);
    builder.missing(it.missing());
    if (states)
        builder.turn("raise", Share, "more states fit a larger cache");
    else
        builder.lowerShare("it leaves more free");
    return std::move(builder).remedy();
}

LogRemedy remedyOfProfileRace(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto before = it.bytes("free_before_profile_bytes");
    const auto after = it.bytes("free_after_profile_bytes");
    builder.cause((before && after && *after > *before
                       ? "another process gave " + it.text(*after - *before) + " back"
                       : std::string("another process gave memory back")) +
                  " while the engine measured; no setting of this server is wrong");
    return std::move(builder.say("start it again", "once the other process has ended")).remedy();
}

LogRemedy remedyOfHostMemory(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto needed = it.bytes("needed_memory");
    const auto free = it.bytes("host_free");
    if (needed && free) {
        builder.cause("the model needs " + it.text(*needed) + " of the host's memory, and " +
                      it.text(*free) + " are available");
        builder.missing(*needed > *free ? std::optional(*needed - *free) : std::nullopt);
    } else {
        builder.cause("the host's memory ran out: the kernel or the container ended the process");
    }
    builder.say("give the host or its container more memory", "or swap");
    if (it.log.engine == LogEngine::Ollama)
        builder.turn("lower", Length).say("a model of fewer bits");
    return std::move(builder).remedy();
}

LogRemedy remedyOfHostCache(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto needed = it.bytes("needed_memory");
    const auto free = it.bytes("host_free");
    if (!needed || !free)
        return std::move(builder.cause("the cache's tier in the host's memory does not fit")
                             .turn("lower", HostCache))
            .remedy();
    builder.cause("the cache's tier in the host's memory needs " + it.text(*needed) +
                  " on each rank, and " + it.text(*free) + " are available");
    builder.missing(*needed > *free ? std::optional(*needed - *free) : std::nullopt);
    constexpr Bytes kOption = 1'000'000'000; // the option is in GB, of each rank
    const int ranks = std::max(it.tensorRanks().value_or(1), 1);
    if (const Bytes size = *free / kOption / ranks; size > 0)
        builder.set(HostCache, plainText(static_cast<double>(size)),
                    ranks > 1 ? "GB on each of " + std::to_string(ranks) + " ranks" : "GB");
    else
        builder.turn("lower", HostCache);
    builder.say("leave out --enable-hierarchical-cache").say("give the host more memory");
    return std::move(builder).remedy();
}

LogRemedy remedyOfPrefill(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto tokens = it.value("prefill_tokens");
    builder.cause(tokens ? "a batch of " + tokensText(*tokens) + " prompt tokens does not fit"
                         : "the largest batch of prompts does not fit");
    builder.missing(it.missing());
    if (tokens && *tokens >= 2)
        builder.set(BatchTokens, plainText(std::floor(*tokens / 2)), "half of them");
    else
        builder.turn("lower", BatchTokens);
    builder.moreGpus();
    builder.set(Bits, {}, "or a checkpoint of fewer bits");
    return std::move(builder).remedy();
}

LogRemedy remedyOfBudget(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto budget = it.bytes("gpu_budget");
    const auto weights = it.bytes("model_weights");
    const auto buffers = it.bytes("temporary_buffers");
    if (!budget || !weights || !buffers)
        return std::move(builder.cause("weights and buffers exceed what the engine may use")
                             .turn("raise", Share)
                             .moreGpus())
            .remedy();
    const Bytes needed = *weights + *buffers;
    builder.cause("weights of " + it.text(*weights) + " and buffers of " + it.text(*buffers) +
                  " exceed the " + it.text(*budget) + " that the engine may use");
    builder.missing(needed - *budget);
    const double usual = it.share().value_or(0.85); // mlc-llm cpp/serve/config.cc
    const double share =
        std::ceil(static_cast<double>(needed) / static_cast<double>(*budget) * usual * kHundred -
                  kBinaryLoss) /
            kHundred +
        0.02;
    if (share <= 0.97)
        builder.set(Share, shareText(share), "and some of the cache");
    builder.moreGpus();
    builder.set(BatchTokens, "1024", "smaller buffers");
    return std::move(builder).remedy();
}

LogRemedy remedyOfCeiling(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto current = it.bytes("memory_current");
    const auto needed = it.bytes("needed_memory");
    const auto hard = it.bytes("memory_hard");
    const auto ceiling = it.bytes("memory_ceiling");
    const auto wanted = needed ? needed : current;
    const auto limit = needed ? ceiling : hard;
    if (wanted && limit) {
        builder.cause((needed ? "a prompt needs " : "the process uses ") + it.text(*wanted) +
                      ", and the limit is " + it.text(*limit) +
                      (ceiling && !needed ? " of " + it.text(*ceiling) : std::string()) +
                      "; the server started, and its guard refuses or shortens requests");
        builder.missing(*wanted > *limit ? std::optional(*wanted - *limit) : std::nullopt);
    } else {
        builder.cause("the guard of the process refuses requests");
    }
    builder.turn("lower", HostCache, "the hot cache shares the memory with the model");
    builder.say("a shorter prompt")
        .say("raise iogpu.wired_limit_mb with sysctl", "if macOS can spare it");
    return std::move(builder).remedy();
}

LogRemedy remedyOfGuardrail(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto needed = it.bytes("needed_memory");
    builder.cause("the guardrail stopped a model that would take " +
                  (needed ? it.text(*needed) : std::string("more than there is")));
    builder.turn("lower", Length, "a smaller cache");
    builder.turn("lower", GpuLayers, "fewer layers on the GPU");
    return std::move(builder.say("a model of fewer bits")
                         .say("relax the model loading guardrails", "if the estimate is wrong"))
        .remedy();
}

LogRemedy remedyOfBufferLimit(const LogCase &it)
{
    RemedyBuilder builder(it);
    const auto wanted = it.bytes("oom_requested");
    const auto most = it.bytes("device_limit");
    builder.cause("one buffer" + (wanted ? " of " + it.text(*wanted) : std::string()) +
                  " exceeds the largest that Metal allows" +
                  (most ? ", " + it.text(*most) : std::string()));
    builder.missing(wanted && most && *wanted > *most ? std::optional(*wanted - *most)
                                                      : std::nullopt);
    return std::move(builder.say("a shorter prompt", "one buffer grows with it")).remedy();
}

LogRemedy remedyOfFailure(const LogCase &it)
{
    // vLLM says only that it failed after it printed a negative cache.
    const auto cache = it.bytes("kv_cache_memory");
    if (it.log.engine == LogEngine::Vllm && cache && *cache <= 0)
        return remedyOfEmptyCache(it);
    return std::move(RemedyBuilder(it).cause("the lines that are here do not say why")).remedy();
}

} // namespace vramscope
