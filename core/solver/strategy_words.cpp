// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/strategy_words.h"

#include "core/base/counted.h"
#include "core/base/exact.h"
#include "core/base/format.h"
#include "core/base/sentence.h"
#include "core/settings/field_conditions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, 9> kKinds = {"One GPU",
                                                    "Plain data parallelism",
                                                    "Sharded data parallelism",
                                                    "Hybrid sharding",
                                                    "Tensor parallelism",
                                                    "Pipeline parallelism",
                                                    "Context parallelism",
                                                    "Expert parallelism",
                                                    "Mixed parallelism"};

/// The cost of a kind, in words that fit after "as".
constexpr std::array<std::string_view, 9> kPrices = {
    "nothing is divided",
    "each GPU holds the whole model and its states",
    "every GPU gathers each layer's parameters from all others",
    "each group holds the whole model once",
    "layers wait for sums of their activations",
    "stages wait for each other",
    "attention waits for the other GPUs' keys and values",
    "tokens travel to their experts and back",
    "each of them waits for something else"};

std::string_view shardingWords(Sharding sharding)
{
    constexpr std::array<std::string_view, 4> kWords = {
        "full sharding", "gradients and states sharded", "no sharding", "hybrid sharding"};
    return kWords[static_cast<std::size_t>(sharding)];
}

std::string strategyName(const Settings &s)
{
    switch (s.strategy) {
    case Strategy::None:
        return s.gpus > 1 ? "no data parallelism" : "one GPU";
    case Strategy::Ddp:
        return "DDP";
    case Strategy::Zero1:
        return "ZeRO-1";
    case Strategy::Zero2:
        return "ZeRO-2";
    case Strategy::Zero3:
        return "ZeRO-3";
    case Strategy::Fsdp1:
    case Strategy::Fsdp2:
        return (s.strategy == Strategy::Fsdp1 ? "FSDP1, " : "FSDP2, ") +
               std::string(shardingWords(s.sharding));
    case Strategy::Megatron:
        return "Megatron-LM";
    case Strategy::MegatronDistributedOptimizer:
        return "Megatron-LM's distributed optimizer";
    }
    return {};
}

double tokensPerSecond(const StrategyOption &option)
{
    return option.time.tokensPerSecond().likely;
}

std::string rounded(double tokens)
{
    return formatCount(std::llround(tokens));
}

/// "41,200 tokens/s" rounded to three digits.
std::string speedText(double tokens)
{
    const double scale = std::pow(10, std::max(std::floor(std::log10(tokens)) - 2, 0.0));
    return rounded(std::round(tokens / scale) * scale) + " tokens/s";
}

std::string percentText(double share)
{
    return formatNumber(100 * share, share < 0.1 ? 1 : 2) + " %";
}

/// An option's longest wait, except for the slowest GPU, which all options share.
const TimeTerm *largestWait(const StrategyOption &option)
{
    const TimeTerm *largest = nullptr;
    for (const TimeTerm &term : option.time.terms) {
        if (term.name == "Arithmetic" || term.name == "Kernels between the products" ||
            term.name == "Optimizer step" || term.name == "Waiting for the slowest GPU")
            continue;
        if (!largest || term.seconds > largest->seconds)
            largest = &term;
    }
    return largest;
}

std::string waitText(const StrategyOption &option)
{
    const TimeTerm *wait = largestWait(option);
    if (!wait || wait->seconds < 0.005 * option.time.seconds.likely)
        return {};
    return percentText(wait->seconds / option.time.seconds.likely) + " of its step is " +
           withinSentence(wait->name);
}

std::string againText(const StrategyOption &option)
{
    const Estimate it = estimate(option.plan);
    return it.recomputeShare < 0.005
               ? std::string()
               : percentText(it.recomputeShare) + " of its arithmetic is done twice";
}

/// "8 % of its step is pipeline bubble, and 25 % of its arithmetic is done twice", or nothing.
std::string priceText(const StrategyOption &option)
{
    const std::string wait = waitText(option);
    const std::string again = againText(option);
    return wait + (wait.empty() || again.empty() ? "" : ", and ") + again;
}

const StrategyOption *firstOf(const StrategyGuide &guide, StrategyKind kind)
{
    const auto place = std::ranges::find(guide.options, kind, &StrategyOption::kind);
    return place == guide.options.end() ? nullptr : &*place;
}

std::string againstFirst(const StrategyOption &first, const StrategyOption &other)
{
    const double slower = 1 - tokensPerSecond(other) / tokensPerSecond(first);
    const std::string price = priceText(other);
    const std::string memory = formatBytes(other.standing.device);
    std::string text(kindTitle(other.kind));
    text += slower < 0.005 ? " is as fast" : " is " + percentText(slower) + " slower";
    text += " at " + memory + " (" + other.title + ")";
    if (!price.empty())
        text += ": " + price;
    return text + '.';
}

/// The strategy without micro-batch and checkpointing: the subject of a choice of strategies.
std::string divisionOf(const StrategyOption &option)
{
    const std::string &title = option.title;
    return title.substr(0, title.find(", micro-batch"));
}

} // namespace

std::string_view kindTitle(StrategyKind kind)
{
    return kKinds[static_cast<std::size_t>(kind)];
}

std::string strategyTitle(const Settings &s)
{
    std::string text = strategyName(s);
    const auto degree = [&](std::string_view name, std::int64_t value) {
        if (value > 1)
            text += ", " + std::string(name) + ' ' + formatCount(value);
    };
    degree("tensor", s.tensor);
    degree("pipeline", s.pipeline);
    degree("context", s.context);
    degree("experts over", s.expert);
    if (applies::hybrid(s))
        degree("groups of", s.shardGroup);
    text += ", micro-batch " + formatCount(s.microBatch);
    if (s.checkpointing != Checkpointing::None)
        text += ", checkpointing " + std::string(choiceText(s.checkpointing));
    return text;
}

std::string strategiesHeld(const Settings &s, const StrategyGuide &guide)
{
    const std::int64_t sequences = (Exact(s.microBatch) * s.accumulationSteps * s.data).value();
    return "Varied: the data parallelism of the plan's framework, tensor, pipeline, context and "
           "expert parallelism where they divide the model and the GPUs, checkpointing, and the "
           "micro-batch up to 64. Held as the plan has it: all else, " +
           counted(s.gpus, "GPU") + ", " + counted(sequences, "sequence") + " a step of " +
           counted(s.sequenceLength, "token") + " among it. Of " +
           counted(guide.weighed, "layout") + " " + formatCount(guide.fitting) +
           (guide.fitting == 1 ? " fits" : " fit") +
           ". How a small micro-batch slows the arithmetic is not modelled.";
}

std::vector<std::string> strategyReasons(const Settings &s, const StrategyGuide &guide)
{
    std::vector<std::string> reasons;
    if (guide.options.empty()) {
        reasons.emplace_back("No layout fits these GPUs.");
    } else {
        const StrategyOption &first = guide.options.front();
        const std::string price = priceText(first);
        reasons.push_back(capitalized(first.title) +
                          " is first: " + speedText(tokensPerSecond(first)) + " at " +
                          formatPartOf(first.standing.device, s.capacity) + " a GPU" +
                          (price.empty() ? std::string() : "; " + price) + '.');
        for (std::size_t kind = 0; kind < kKinds.size(); ++kind)
            if (const StrategyOption *other = firstOf(guide, static_cast<StrategyKind>(kind));
                other && other != &first)
                reasons.push_back(againstFirst(first, *other));
    }
    for (const StrategyOption &option : guide.tooLarge)
        reasons.push_back(
            std::string(kindTitle(option.kind)) + " does not fit: at the least it needs " +
            formatPartOf(option.standing.device, s.capacity) + " (" + option.title + "), as " +
            std::string(kPrices[static_cast<std::size_t>(option.kind)]) + "; the largest part is " +
            withinSentence(option.standing.binding.component) + ", " +
            formatBytes(option.standing.binding.bytes) + '.');
    return reasons;
}

std::vector<std::string> strategyChanges(const Plan &plan, const StrategyGuide &guide,
                                         const SpeedCalibration *calibration)
{
    std::vector<std::string> changes;
    if (guide.options.empty())
        return changes;
    const StrategyOption &first = guide.options.front();
    const Settings s = resolve(plan).settings;
    const auto told = [&](const std::string &condition, const StrategyOption &after) {
        changes.push_back(condition + ", " + after.title +
                          " would be first: " + speedText(tokensPerSecond(after)) + " at " +
                          formatBytes(after.standing.device) + '.');
    };
    /// The first of the plan with a change, where that is another division.
    const auto firstWith = [&](const auto &change) -> std::optional<StrategyOption> {
        Plan other = plan;
        change(other);
        std::optional<StrategyOption> after = fastestStrategy(other, calibration);
        return after && divisionOf(*after) != divisionOf(first) ? after : std::nullopt;
    };
    std::string unchanged;
    if (s.gpus > s.gpusPerNode) {
        constexpr std::array<std::int64_t, 5> kSlower = {200, 100, 50, 25, 10};
        const bool changed = std::ranges::any_of(kSlower, [&](std::int64_t gigabits) {
            if (gigabits >= s.networkGigabits)
                return false;
            const auto after =
                firstWith([&](Plan &other) { other.hardware.networkGigabits = gigabits; });
            if (after)
                told("With a network of " + formatCount(gigabits) + " Gb/s a GPU instead of " +
                         formatCount(s.networkGigabits),
                     *after);
            return after.has_value();
        });
        if (!changed)
            unchanged += "a network of 10 Gb/s a GPU";
    }
    constexpr std::array<std::int64_t, 4> kMore = {2, 4, 8, 16};
    const bool changed = std::ranges::any_of(kMore, [&](std::int64_t factor) {
        const auto after = firstWith([&](Plan &other) {
            other.batch.accumulationSteps = (Exact(factor) * s.accumulationSteps).value();
        });
        if (after)
            told("With " + counted(factor, "time") + " the sequences a step", *after);
        return after.has_value();
    });
    if (!changed)
        unchanged +=
            std::string(unchanged.empty() ? "" : " and ") + "16 times the sequences a step";
    Plan smaller = plan;
    smaller.hardware.capacity = first.standing.device;
    if (const auto after = fastestStrategy(smaller, calibration))
        told("On a card of " + formatBytes(first.standing.device), *after);
    if (!unchanged.empty())
        changes.push_back(capitalized(unchanged) + " would not change the choice.");
    return changes;
}

} // namespace vramscope
