// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"

#include "core/analysis/categories/known_sizes.h"
#include "core/analysis/categories/life.h"
#include "core/analysis/costs/stack_rules.h"
#include "core/analysis/replayed/address_map.h"

#include <algorithm>
#include <unordered_map>

namespace vramscope {

namespace {

using enum Category;

// The vocabulary of torch.profiler's memory timeline.
constexpr std::array<std::pair<std::string_view, Category>, 7> kRecorded{{
    {"parameter", Parameters},
    {"optimizer_state", OptimizerStates},
    {"input", Inputs},
    {"temporary", TemporaryBuffers},
    {"activation", Activations},
    {"gradient", Gradients},
    {"autograd_detail", TemporaryBuffers},
}};

struct Reasoned
{
    Category category;
    float confidence;
    const char *reason;
};

Reasoned judgeFreedEarlier(const Life &life)
{
    if (life.zeroed)
        return {Gradients, 0.9F, "made before the recording, freed by zero_grad"};
    if (life.gradients > 0 && life.freedIn == Phase::Optimizer)
        return {Gradients, 0.85F, "of a gradient's size, freed by the optimizer"};
    if (life.freedIn == Phase::Backward)
        return {Activations, 0.75F, "made before the recording, freed in backward"};
    if (life.freedIn == Phase::Optimizer)
        return {OptimizerStates, 0.5F, "made before the recording, replaced by the optimizer"};
    if (life.pastOptimizer)
        return {Parameters, 0.6F, "made before the recording, lived through its steps"};
    return {Unknown, 0.0F, "made before the recording, freed in it"};
}

Reasoned judgeStaying(const Life &life)
{
    switch (life.phase) {
    case Phase::Init:
        return {Parameters, 0.9F, "made while the model was built, never freed"};
    case Phase::Optimizer:
        return {OptimizerStates, 0.9F, "made by the optimizer, never freed"};
    case Phase::Backward:
        return {Gradients, 0.6F, "made in backward, never freed"};
    case Phase::Forward:
        return {Activations, 0.4F, "made in an earlier forward pass, never freed"};
    case Phase::Unknown:
        break;
    }
    if (life.trains)
        return {Parameters, 0.65F, "there from before the recording to its end"};
    return {Parameters, 0.6F,
            "there from before the recording to its end: weights, or a cache made earlier"};
}

// States may lie in gaps that a conversion of the model left between its parameters: which of the
// copies is which is likely at most.
Reasoned judgeEarlier(const Life &life, KnownSizes::Copy copy)
{
    switch (copy) {
    case KnownSizes::Copy::State:
        return {OptimizerStates, 0.68F,
                "of a gradient's size, and by its address made after the parameters of that size"};
    case KnownSizes::Copy::Parameter:
        return {Parameters, 0.68F, "of a gradient's size, there before the recording"};
    case KnownSizes::Copy::None:
        break;
    }
    return life.stays ? judgeStaying(life) : judgeFreedEarlier(life);
}

Reasoned judgeForward(const Life &life)
{
    if (life.pastOptimizer)
        return {Activations, 0.65F, "made in forward and kept beyond its step"};
    if (life.untilBackward)
        return {Activations, 0.93F, "made in forward, alive in backward"};
    if (life.brief)
        return {TemporaryBuffers, 0.9F, "made in forward, freed within few events"};
    if (!life.stays)
        return {TemporaryBuffers, 0.85F, "made in forward, freed before any backward"};
    if (life.trains || life.keepsPasses)
        return {Activations, 0.75F, "made in forward, alive where the recording ends"};
    return {TemporaryBuffers, 0.5F, "made in forward, alive where the recording ends"};
}

Reasoned judgeBackward(const Life &life)
{
    // What the engine frees was saved for backward, however short it lived.
    if (life.recomputed)
        return life.freedRecomputing || (life.brief && !life.isFreeKnown)
                   ? Reasoned{TemporaryBuffers, 0.8F, "made and freed in recomputation"}
                   : Reasoned{Activations, 0.85F, "recomputed in backward, freed later in it"};
    if (life.outlivesBackward)
        return {Gradients, 0.93F, "made in backward, alive after it"};
    if (life.stays && life.gradients > 0)
        return {Gradients, 0.85F, "made in backward, of a gradient's size, never freed"};
    if (life.stays)
        return {Gradients, 0.65F, "made in backward, alive where the recording ends"};
    return {TemporaryBuffers, 0.88F, "made in backward, freed in it"};
}

Reasoned judgeOptimizer(const Life &life)
{
    if (life.pastOptimizer || (life.stays && life.gradients > 0) ||
        (!life.brief && life.after != Phase::Optimizer && life.after != Phase::Unknown &&
         life.freedIn != Phase::Optimizer))
        return {OptimizerStates, 0.92F, "made in the optimizer's step, kept"};
    if (life.stays)
        return {OptimizerStates, 0.8F, "made in the optimizer's step, never freed"};
    return {TemporaryBuffers, 0.92F, "made in the optimizer's step, freed soon"};
}

Reasoned judgeFlat(FlatBuffers::Role role)
{
    switch (role) {
    case FlatBuffers::Role::Parameters:
        return {Parameters, 0.85F,
                "as large as all parameters, which were freed after it was made"};
    case FlatBuffers::Role::Gradients:
        return {Gradients, 0.8F,
                "as large as all parameters, made before training: no gradient "
                "is made in backward"};
    case FlatBuffers::Role::States:
    case FlatBuffers::Role::None:
        break;
    }
    return {OptimizerStates, 0.7F, "a power of two times as large as all parameters, kept"};
}

// Made by code of the program itself, in no pass, while it trains.
Reasoned judgeTraining(const Life &life)
{
    if (life.flat != FlatBuffers::Role::None)
        return judgeFlat(life.flat);
    if (life.brief)
        return {TemporaryBuffers, 0.75F, "freed within few events"};
    if ((life.pastOptimizer && life.keptLong) || (life.stays && life.beforeForward)) {
        if (life.gradients >= life.alike && life.gradients > 0)
            return life.beforeForward
                       ? Reasoned{Parameters, 0.7F, "of a gradient's size, made before training"}
                       : Reasoned{OptimizerStates, 0.65F,
                                  "of a gradient's size, made after the first step and kept"};
        if (life.beforeForward && life.halfGradients > 0 && life.keepsMasters)
            return {OptimizerStates, 0.75F, "twice a gradient's size: in 32 bits, kept"};
        if (life.beforeForward)
            return {Inputs, 0.6F, "made by the program before training, kept: data"};
        return {Inputs, 0.3F, "kept by the program beyond its step"};
    }
    if (life.after == Phase::Forward && life.before == Phase::Forward &&
        life.freedIn == Phase::Backward)
        return {Activations, 0.75F, "made by the program in its forward pass, freed in backward"};
    if (life.after == Phase::Forward && life.before == Phase::Backward && life.gradients > 0)
        return {OptimizerStates, 0.62F, "of a gradient's size, made between backward and forward"};
    if (life.after == Phase::Forward && (life.untilBackward || !life.stays))
        return {Inputs, 0.68F, "made by the program before a forward pass"};
    if (life.untilBackward)
        return {Activations, 0.8F, "made by the program, alive in backward"};
    if (life.stays)
        return {Inputs, 0.4F, "made by the program, alive where the recording ends"};
    return {TemporaryBuffers, 0.7F, "made by the program, freed before any backward"};
}

Reasoned judgeServing(const Life &life, std::int64_t leastLayers)
{
    if (life.brief)
        return {TemporaryBuffers, 0.75F, "freed within few events"};
    if (life.stays && life.beforeForward && life.alike >= leastLayers)
        return {KeyValueCache, 0.65F, "blocks of one size, made before the first pass and kept"};
    if (life.stays)
        return {Unknown, 0.0F, "made by the program, never freed"};
    if (life.after == Phase::Forward)
        return {Inputs, 0.6F, "made by the program before a forward pass"};
    return {TemporaryBuffers, 0.65F, "made by the program, freed"};
}

Reasoned judge(const Life &life, KnownSizes::Copy copy, std::int64_t leastLayers)
{
    if (life.workspace && (life.stays || life.keptLong))
        return {Framework, 0.9F, "as large as a workspace of cuBLAS, kept"};
    if (life.logits && !life.fromBefore)
        return {LossAndLogits, 0.9F, "the loss makes another of its size right after it"};
    if (life.fromBefore)
        return judgeEarlier(life, copy);
    switch (life.phase) {
    case Phase::Forward:
        return judgeForward(life);
    case Phase::Backward:
        return judgeBackward(life);
    case Phase::Optimizer:
        return judgeOptimizer(life);
    case Phase::Init:
        if (life.stays || life.pastOptimizer)
            return {Parameters, 0.9F, "made while the model was built, kept"};
        return {TemporaryBuffers, 0.7F, "made while the model was built, freed"};
    case Phase::Unknown:
        break;
    }
    return life.trains ? judgeTraining(life) : judgeServing(life, leastLayers);
}

// The contexts of allocations: of their events, or of the final block.
class Recorded
{
public:
    Recorded(const Trace &trace, const DeviceTrace &device, const Allocations &allocations)
        : m_trace(trace)
        , m_device(device)
        , m_allocations(allocations)
    {
        m_hasAny = std::ranges::any_of(trace.contexts(), [](const EventContext &context) {
            return context.category != StringId::Empty;
        });
        if (!m_hasAny)
            return;
        for (const FinalBlock &block : device.blocks)
            m_blocks.exchange(block.address, static_cast<std::int32_t>(block.context));
    }
    [[nodiscard]] std::string_view category(std::size_t at) const
    {
        if (!m_hasAny)
            return {};
        const EventColumns &events = m_device.events;
        const EventIndex birth = m_allocations.birth[at];
        const EventIndex death = m_allocations.death[at];
        ContextId context = ContextId::None;
        if (birth >= 0) {
            context = events.context[static_cast<std::size_t>(birth)];
        } else if (death < events.count()) {
            context = events.context[static_cast<std::size_t>(death)];
        } else if (const std::int32_t block = m_blocks.find(m_allocations.address[at]);
                   block != AddressMap::kNone) {
            context = static_cast<ContextId>(block);
        }
        return m_trace.text(m_trace.contexts()[static_cast<std::size_t>(context)].category);
    }

private:
    const Trace &m_trace;
    const DeviceTrace &m_device;
    const Allocations &m_allocations;
    bool m_hasAny = false;
    AddressMap m_blocks;
};

// Texts of reasons, each once.
class Reasons
{
public:
    explicit Reasons(std::vector<std::string> &texts)
        : m_texts(texts)
    {
    }
    /// The number of a text that lives as long as the program: found by its address.
    std::uint16_t of(const char *text)
    {
        const auto [place, isNew] = m_literals.try_emplace(text, std::uint16_t(0));
        if (isNew)
            place->second = of(std::string(text));
        return place->second;
    }
    std::uint16_t of(const std::string &text)
    {
        const auto [place, isNew] =
            m_ids.try_emplace(text, static_cast<std::uint16_t>(m_texts.size()));
        if (isNew)
            m_texts.push_back(text);
        return place->second;
    }

private:
    std::vector<std::string> &m_texts;
    std::unordered_map<std::string, std::uint16_t> m_ids;
    std::unordered_map<const char *, std::uint16_t> m_literals;
};

// Whether an allocation does not live like what its stack makes by rule.
bool contradicts(const CategoryRule &rule, const Life &life, const KnownSizes &sizes, Bytes size)
{
    switch (*rule.category) {
    case Parameters:
    case OptimizerStates:
        return life.brief;
    case KeyValueCache: // while training, keys and values are saved for backward
        return life.brief || (life.trains && life.untilBackward && !life.pastOptimizer);
    case Communication: // what a reduce-scatter leaves for the optimizer
        return life.outlivesBackward && life.untilOptimizer;
    case LossAndLogits:
        return life.phase == Phase::Backward && !sizes.isOfLogits(size);
    default:
        return false;
    }
}

// What is known of others with the same stack and size, or the same size and stack of the free.
class Kin
{
public:
    explicit Kin(float enough)
        : m_enough(enough)
    {
    }
    void add(Bytes size, StackId stack, const CategoryJudgement &judgement)
    {
        if (stack != StackId::None && judgement.confidence >= m_enough)
            m_known.try_emplace(keyOfAlike(size, stack), judgement);
    }
    [[nodiscard]] const CategoryJudgement *find(Bytes size, StackId stack) const
    {
        const auto found = m_known.find(keyOfAlike(size, stack));
        return stack == StackId::None || found == m_known.end() ? nullptr : &found->second;
    }

private:
    float m_enough;
    std::unordered_map<std::uint64_t, CategoryJudgement> m_known;
};

} // namespace

Categories categorize(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
                      const std::vector<CategoryRule> &rules, const Progress &progress,
                      const CategoryThresholds &thresholds)
{
    Categories result;
    Reasons reasons(result.m_reasons);
    StackRules stackRules(trace, rules);
    const Recorded recorded(trace, device, allocations);
    const Phases phases(trace, device, allocations, stackRules);
    const KnownSizes sizes(trace, device, allocations, phases, stackRules, thresholds);
    const Lives lives(device, allocations, phases, sizes, stackRules, thresholds);
    std::vector<std::uint16_t> ruleReasons;
    ruleReasons.reserve(rules.size());
    for (const CategoryRule &rule : rules)
        ruleReasons.push_back(reasons.of(rule.reason));
    const std::uint16_t recordedReason = reasons.of("the file says so");
    const std::uint16_t bucketReason =
        reasons.of("kept for communication, while backward makes no gradients: they are in it");
    const std::uint16_t kinReason = reasons.of("others of its size with the same stack are");
    Kin byStack(thresholds.leastOfKin);
    Kin byFree(thresholds.leastOfKin);
    std::vector<AllocationIndex> open; // cut off by an end of the recording

    const auto judgeOne = [&](AllocationIndex index) -> CategoryJudgement {
        const auto at = static_cast<std::size_t>(index);
        const auto known = std::ranges::find(kRecorded, recorded.category(at),
                                             [](const auto &row) { return row.first; });
        if (known != kRecorded.end())
            return {known->second, known->second, 1.0F, recordedReason};
        const Life life = lives.of(index);
        const std::int32_t number = stackRules.of(allocations.stack[at]).categoryRule;
        if (number >= 0 && !(life.fromBefore && !life.stays)) {
            const auto place = static_cast<std::size_t>(number);
            const CategoryRule &rule = rules[place];
            const bool isCertain = rule.confidence >= 1; // a user states it
            if (!isCertain && *rule.category == Communication && life.pastOptimizer &&
                sizes.bytesOfGradients() < static_cast<double>(allocations.requested[at]))
                return {Gradients, Gradients, 0.8F, bucketReason};
            if (isCertain || !contradicts(rule, life, sizes, allocations.requested[at]))
                return {*rule.category, *rule.category, static_cast<float>(rule.confidence),
                        ruleReasons[place]};
        }
        const Reasoned reasoned = judge(life, sizes.copyOf(index), thresholds.leastLayers);
        const CategoryJudgement judgement{reasoned.category, reasoned.category, reasoned.confidence,
                                          reasons.of(reasoned.reason)};
        if (life.fromBefore ? !life.stays && sizes.copyOf(index) == KnownSizes::Copy::None
                            : life.stays && life.phase != Phase::Init && !life.pastOptimizer)
            open.push_back(index); // what outlived its step is not what its equals were
        else if (!life.fromBefore && !life.stays) {
            byStack.add(allocations.requested[at], allocations.stack[at], judgement);
            byFree.add(allocations.requested[at], allocations.freeStack(device, index), judgement);
        }
        return judgement;
    };
    result.m_trains = phases.trains();
    result.m_phases = phases.made();
    result.m_of.reserve(static_cast<std::size_t>(allocations.count()));
    for (AllocationIndex index = 0; index < allocations.count(); ++index) {
        if (!goesOn(progress, index, allocations.count()))
            return {};
        result.m_of.push_back(judgeOne(index));
    }
    for (const AllocationIndex index : open) {
        const auto at = static_cast<std::size_t>(index);
        const bool fromBefore = allocations.birth[at] < 0;
        const StackId stack =
            fromBefore ? allocations.freeStack(device, index) : allocations.stack[at];
        CategoryJudgement &judgement = result.m_of[at];
        if (const CategoryJudgement *kin =
                (fromBefore ? byFree : byStack).find(allocations.requested[at], stack);
            kin && kin->confidence > judgement.confidence)
            judgement = {kin->category, kin->category, 0.9F * kin->confidence, kinReason};
    }
    // Whoever wrote a rule decides, however sure it is.
    for (CategoryJudgement &judgement : result.m_of) {
        if (judgement.confidence < thresholds.leastConfidence &&
            std::ranges::find(ruleReasons, judgement.reason) == ruleReasons.end())
            judgement.category = Unknown;
    }
    return result;
}

} // namespace vramscope
