// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/labelled_scores.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <map>
#include <set>

namespace vramscope::test {

namespace {

using enum Category;

constexpr Bytes kSmall = 16 * kKiB; // smaller blocks are less than 1 %
constexpr double kSure = 0.695;
constexpr std::size_t kLeastSteps = 3;

// The categories that are right for blocks of a role. What the program keeps for itself may be
// unknown.
const std::map<std::string, std::set<Category>> kRight{
    {"parameter", {Parameters}},
    {"buffer", {Parameters}},
    {"state", {OptimizerStates}},
    {"gradient", {Gradients}},
    {"ema", {Parameters, OptimizerStates}},
    {"kv", {KeyValueCache}},
    {"comm", {Communication}},
    {"workspace", {Framework}},
    {"input", {Inputs}},
    {"input_saved", {Inputs}},
    {"loss", {LossAndLogits}},
    {"loss_saved", {LossAndLogits}},
    {"loss_grad", {LossAndLogits, Gradients, TemporaryBuffers}},
    {"activation", {Activations}},
    {"kept", {Unknown, Inputs, Activations, LossAndLogits}},
    {"kept_saved", {Activations, Inputs, Unknown}},
    {"temporary_forward", {TemporaryBuffers, Activations}},
    {"temporary_backward", {TemporaryBuffers, Gradients}},
    {"temporary_optimizer", {TemporaryBuffers}},
    {"temporary_inference", {TemporaryBuffers, Activations, LossAndLogits}},
    {"temporary_evaluation", {TemporaryBuffers, Activations, LossAndLogits}},
    {"temporary_rollout", {TemporaryBuffers, Activations, Inputs}},
    {"temporary_other", {TemporaryBuffers, Activations, Inputs}}};

LabelledMoment momentOf(const nlohmann::json &json)
{
    LabelledMoment moment{json.at("event").get<EventIndex>(), {}};
    for (const nlohmann::json &block : json.at("blocks"))
        moment.blocks.push_back({std::stoull(block.at(0).get<std::string>(), nullptr, 16),
                                 block.at(1).get<Bytes>(), block.at(2).get<std::string>()});
    return moment;
}

} // namespace

std::optional<Labels> readLabels(const std::filesystem::path &file)
{
    std::ifstream stream(file);
    const nlohmann::json json = nlohmann::json::parse(stream, nullptr, false);
    if (!json.is_object())
        return {};
    Labels labels;
    labels.peak = momentOf(json.at("peak"));
    labels.end = momentOf(json.at("end"));
    labels.events = json.at("events").get<EventIndex>();
    labels.isServer = json.at("unit") == "request";
    for (const nlohmann::json &step : json.at("steps"))
        labels.starts.push_back(step.at(0).get<EventIndex>());
    if (const nlohmann::json &leak = json.at("leak"); leak.is_object()) {
        const nlohmann::json &bytes = leak.at("bytes_per_step");
        labels.leaked = (bytes.is_null() ? json.at("growth_per_step") : bytes).get<double>();
        labels.leakSite = leak.at("site").get<std::string>();
        labels.leaksGraph = leak.value("how", "") == "graph";
    }
    if (const auto failure = json.find("oom"); failure != json.end() && failure->is_object())
        labels.causes = failure->at("cause").get<std::vector<std::string>>();
    return labels;
}

bool isHeldBack(std::string_view name)
{
    std::uint32_t hash = 2166136261U; // FNV-1a
    for (const char byte : name)
        hash = (hash ^ static_cast<std::uint8_t>(byte)) * 16777619U;
    return hash % 3 == 0;
}

// Each block is found by its address among those that live then.
CategoryScore scoreOf(const LabelledMoment &moment, const Allocations &allocations,
                      const Categories &categories)
{
    std::map<std::uint64_t, AllocationIndex> live;
    for (const AllocationIndex index : allocations.liveAfter(moment.event))
        live[allocations.address[static_cast<std::size_t>(index)]] = index;
    const auto isJudged = [&](const LabelledMoment::Block &block) {
        return block.bytes >= kSmall && live.contains(block.address);
    };
    double all = 0;
    for (const LabelledMoment::Block &block : moment.blocks)
        all += isJudged(block) ? static_cast<double>(block.bytes) : 0;
    CategoryScore score;
    for (const LabelledMoment::Block &block : moment.blocks) {
        if (!isJudged(block))
            continue;
        const CategoryJudgement &judgement = categories.of(live[block.address]);
        const double share = static_cast<double>(block.bytes) / all;
        const std::set<Category> &right = kRight.at(block.role);
        const bool isRight = right.contains(judgement.category);
        const bool isUnknown = judgement.category == Unknown;
        score.right += isRight ? share : 0;
        score.unknown += !isRight && isUnknown ? share : 0;
        score.wrong += !isRight && !isUnknown ? share : 0;
        if (!isRight && !isUnknown && double(judgement.confidence) >= kSure)
            score.surelyWrong += share;
        if (right.contains(Unknown))
            continue;
        CategoryScore::Part &part = score.byConfidence[std::min(
            static_cast<std::size_t>(judgement.confidence * 10), std::size_t(9))];
        part.all += share;
        part.right += right.contains(judgement.guess) ? share : 0;
    }
    return score;
}

bool hasSteps(const Labels &labels)
{
    return labels.starts.size() >= kLeastSteps;
}

bool areRight(const Steps &steps, const Labels &labels)
{
    std::ptrdiff_t hits = 0;
    for (std::size_t at = 0; at < labels.starts.size(); ++at) {
        const EventIndex end =
            at + 1 < labels.starts.size() ? labels.starts[at + 1] : labels.events;
        hits += std::ranges::count_if(steps.steps, [&](const Step &step) {
                    return step.first >= labels.starts[at] && step.first < end;
                }) == 1;
    }
    return std::abs(std::ssize(steps.steps) - std::ssize(labels.starts)) <= 1 &&
           hits >= std::ssize(labels.starts) - 2;
}

bool areFalse(const Steps &steps, const Labels &labels)
{
    return !hasSteps(labels) && steps.steps.size() > labels.starts.size() + 1;
}

double leakedBytes(const Leaks &leaks)
{
    double leaked = 0;
    for (const Growth &leak : leaks.leaks)
        leaked += leak.bytesPerSample;
    return leaked;
}

bool areRight(const Leaks &leaks, const Labels &labels)
{
    return std::abs(leakedBytes(leaks) - labels.leaked) <= 0.06 * labels.leaked;
}

bool isTrue(const Growth &leak, const Trace &trace, const Labels &labels)
{
    return leak.stack != StackId::None && !labels.leakSite.empty() &&
           (labels.leaksGraph || std::ranges::any_of(trace.stack(leak.stack), [&](FrameId frame) {
                return trace.text(trace.frame(frame).name) == labels.leakSite;
            }));
}

} // namespace vramscope::test
