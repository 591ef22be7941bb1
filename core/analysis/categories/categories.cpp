// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"

#include "core/analysis/costs/stack_rules.h"
#include "core/analysis/replayed/address_map.h"

#include <algorithm>
#include <unordered_map>

namespace vramscope {

namespace {

using enum MemoryCategory;

constexpr EventIndex kFewEvents = 24; // shorter lives are always temporary

// The vocabulary of torch.profiler's memory timeline.
constexpr std::array<std::pair<std::string_view, MemoryCategory>, 7> kRecorded{{
    {"parameter", Parameters},
    {"optimizer_state", OptimizerStates},
    {"input", Inputs},
    {"temporary", Temporary},
    {"activation", Activations},
    {"gradient", Gradients},
    {"autograd_detail", Temporary},
}};

// The facts about an allocation's lifetime that decide its category.
struct Life
{
    Phase phase = Phase::Unknown;
    Phase freedIn = Phase::Unknown;
    bool zeroed = false;         ///< freed by zero_grad
    bool stays = false;          ///< alive at the end
    bool early = false;          ///< born before the recording or the first step
    bool brief = false;          ///< freed within few events
    bool untilBackward = false;  ///< lived during a backward pass, or was freed in one
    bool untilOptimizer = false; ///< the same for the optimizer
    bool acrossSteps = false;    ///< alive after the step of its birth
    bool cutOff = true;          ///< its step is not known to be complete
    bool hasSteps = false;
};

struct Reasoned
{
    MemoryCategory category;
    float confidence;
    const char *reason;
};

Reasoned judgeEarly(const Life &life)
{
    if (life.freedIn == Phase::Backward)
        return {Activations, 0.6F, "made before the recording, freed in backward"};
    if (life.zeroed)
        return {Gradients, 0.7F, "made before the recording, freed by zero_grad"};
    if (life.freedIn == Phase::Optimizer)
        return {OptimizerStates, 0.5F, "made before the recording, replaced by the optimizer"};
    if (life.stays && life.phase == Phase::Init)
        return {Parameters, 0.9F, "made while the model was built, never freed"};
    if (life.stays && life.phase == Phase::Optimizer)
        return {OptimizerStates, 0.9F, "made by the optimizer, never freed"};
    if (life.stays && life.phase == Phase::Backward)
        return {Gradients, 0.6F, "made in backward, never freed"};
    if (life.stays && life.phase == Phase::Forward)
        return {Unknown, 0.3F, "made in an earlier forward pass, never freed"};
    if (life.stays)
        return {Parameters, life.hasSteps ? 0.6F : 0.4F,
                "there from before the first step to the end: parameters, or states made earlier"};
    return {Unknown, 0.0F, "made before the recording, freed in it"};
}

Reasoned judgeForward(const Life &life)
{
    if (life.untilBackward && !life.stays)
        return {Activations, 0.9F, "made in forward, freed in backward"};
    if (life.brief)
        return {Temporary, 0.9F, "made in forward, freed within few events"};
    if (life.stays && !life.acrossSteps && (life.cutOff || !life.untilBackward))
        return {Activations, 0.7F, "made in forward, alive where the recording ends"};
    if (life.stays || life.acrossSteps)
        return {Unknown, 0.4F, "made in forward and kept for later steps"};
    return {Temporary, 0.7F, "made in forward, freed before any backward"};
}

Reasoned judgeBackward(const Life &life)
{
    if (life.freedIn == Phase::Optimizer || life.untilOptimizer)
        return {Gradients, 0.9F, "made in backward, alive until the optimizer"};
    if (life.acrossSteps)
        return {Gradients, 0.8F, "made in backward, kept for the next step"};
    if (life.stays)
        return {Gradients, 0.6F, "made in backward, alive where the recording ends"};
    return {Temporary, 0.8F, "made in backward, freed in it"};
}

Reasoned judge(const Life &life)
{
    if (life.early)
        return judgeEarly(life);
    switch (life.phase) {
    case Phase::Forward:
        return judgeForward(life);
    case Phase::Backward:
        return judgeBackward(life);
    case Phase::Optimizer:
        if (life.acrossSteps || (life.stays && !life.hasSteps))
            return {OptimizerStates, 0.9F, "made in the optimizer's step, kept"};
        if (life.stays)
            return {OptimizerStates, 0.7F, "made in the optimizer's step, never freed"};
        return {Temporary, 0.9F, "made in the optimizer's step, freed soon"};
    case Phase::Init:
        if (life.stays)
            return {Parameters, 0.85F, "made while the model was built, never freed"};
        return {Temporary, 0.6F, "made while the model was built, freed"};
    case Phase::Unknown:
        break;
    }
    if (life.brief)
        return {Temporary, 0.7F, "freed within few events"};
    if (life.untilBackward && !life.stays)
        return {Activations, 0.4F, "freed in backward"};
    return {Unknown, 0.0F, "neither its stack nor its lifetime tells"};
}

// Counts the allocations of a phase: prefix sums by allocation.
class PhaseCounter
{
public:
    PhaseCounter(const Allocations &allocations, StackRules &rules, Phase phase)
    {
        m_before.reserve(static_cast<std::size_t>(allocations.count()) + 1);
        m_before.push_back(0);
        for (const StackId stack : allocations.stack)
            m_before.push_back(m_before.back() + (rules.phaseOf(stack) == phase ? 1 : 0));
    }
    /// Whether the phase made one while `index` lived.
    [[nodiscard]] bool any(AllocationIndex index, AllocationIndex bornByDeath) const
    {
        return m_before[static_cast<std::size_t>(bornByDeath)] >
               m_before[static_cast<std::size_t>(index) + 1];
    }

private:
    std::vector<std::int32_t> m_before;
};

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

// Gives the lifetimes of allocations, requested in order of birth.
class Lives
{
public:
    Lives(const DeviceTrace &device, const Allocations &allocations, const Steps &steps,
          StackRules &rules)
        : m_device(device)
        , m_events(endOf(device))
        , m_allocations(allocations)
        , m_steps(steps.steps)
        , m_rules(rules)
        , m_backward(allocations, rules, Phase::Backward)
        , m_optimizer(allocations, rules, Phase::Optimizer)
    {
    }

    Life of(AllocationIndex index)
    {
        const auto at = static_cast<std::size_t>(index);
        const EventIndex birth = m_allocations.birth[at];
        const EventIndex death = m_allocations.death[at];
        Life life;
        life.phase = m_rules.phaseOf(m_allocations.stack[at]);
        life.stays = death >= m_events;
        life.hasSteps = !m_steps.empty();
        life.early = birth < 0 || (life.hasSteps && birth < m_steps.front().first &&
                                   life.phase != Phase::Optimizer && death > m_steps.front().first);
        life.brief = !life.stays && death - birth <= kFewEvents;
        // A free without a stack of its own has that of the allocation.
        const StackId freeStack = m_allocations.freeStack(m_device, index);
        if (!life.stays && (freeStack != m_allocations.stack[at] || birth < 0)) {
            life.freedIn = m_rules.phaseOf(freeStack);
            life.zeroed = m_rules.isZeroGrad(freeStack);
        }
        const AllocationIndex bornByDeath = m_allocations.firstBornAfter(death, index);
        life.untilBackward = life.freedIn == Phase::Backward || m_backward.any(index, bornByDeath);
        life.untilOptimizer =
            life.freedIn == Phase::Optimizer || m_optimizer.any(index, bornByDeath);
        while (m_step < m_steps.size() && m_steps[m_step].last < birth)
            ++m_step;
        life.acrossSteps = m_step < m_steps.size() && death > m_steps[m_step].last &&
                           m_steps[m_step].last + 1 < m_events;
        life.cutOff = m_step >= m_steps.size() || !m_steps[m_step].complete;
        return life;
    }

private:
    // A failed allocation ends the program's work: frees during the unwinding after it say nothing
    // about what the memory was.
    static EventIndex endOf(const DeviceTrace &device)
    {
        return device.outOfMemory.empty() ? device.events.count()
                                          : device.outOfMemory.front().event;
    }

    const DeviceTrace &m_device;
    EventIndex m_events; // up to which lifetimes are meaningful
    const Allocations &m_allocations;
    const std::vector<Step> &m_steps;
    StackRules &m_rules;
    PhaseCounter m_backward;
    PhaseCounter m_optimizer;
    std::size_t m_step = 0;
};

// A category by rule describes what the stack makes; an allocation that does not live like one is
// temporary.
bool contradicts(MemoryCategory category, const Life &life)
{
    return (category == Parameters || category == OptimizerStates) && !life.stays && life.brief;
}

} // namespace

Categories categorize(const Trace &trace, const DeviceTrace &device, const Allocations &allocations,
                      const Steps &steps, const std::vector<CategoryRule> &rules,
                      const Progress &progress)
{
    Categories result;
    Reasons reasons(result.m_reasons);
    StackRules stackRules(trace, rules);
    const Recorded recorded(trace, device, allocations);
    Lives lives(device, allocations, steps, stackRules);
    std::vector<std::uint16_t> ruleReasons;
    ruleReasons.reserve(rules.size());
    for (const CategoryRule &rule : rules)
        ruleReasons.push_back(reasons.of(rule.reason));
    const std::uint16_t recordedReason = reasons.of("the file says so");

    const auto judgeOne = [&](AllocationIndex index) -> CategoryJudgement {
        const auto at = static_cast<std::size_t>(index);
        const auto known = std::ranges::find(kRecorded, recorded.category(at),
                                             [](const auto &row) { return row.first; });
        if (known != kRecorded.end())
            return {known->second, 1.0F, recordedReason};
        const Life life = lives.of(index);
        const std::int32_t number = stackRules.of(allocations.stack[at]).categoryRule;
        if (number >= 0) {
            const auto place = static_cast<std::size_t>(number);
            const CategoryRule &rule = rules[place];
            if (!contradicts(*rule.category, life))
                return {*rule.category, static_cast<float>(rule.confidence), ruleReasons[place]};
        }
        const Reasoned reasoned = judge(life);
        return {reasoned.category, reasoned.confidence, reasons.of(reasoned.reason)};
    };
    result.m_of.reserve(static_cast<std::size_t>(allocations.count()));
    for (AllocationIndex index = 0; index < allocations.count(); ++index) {
        if (!goesOn(progress, index, allocations.count()))
            return {};
        result.m_of.push_back(judgeOne(index));
    }
    return result;
}

} // namespace vramscope
