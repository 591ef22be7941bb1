// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/recorded_step.h"

#include "core/analysis/categories/categories.h"
#include "core/analysis/costs/stack_rules.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/steps.h"
#include "core/base/format.h"
#include "core/settings/schedules/schedule.h"

#include <algorithm>
#include <optional>
#include <set>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, kStepMomentCount> kNames = {
    "forward", "loss", "backward", "end of backward", "optimizer step", "at rest"};

// What a stack says of the moment; nothing where it could belong to any.
std::optional<StepMoment> momentOf(Phase phase)
{
    switch (phase) {
    case Phase::Forward:
        return StepMoment::Forward;
    case Phase::Backward:
        return StepMoment::Backward;
    case Phase::Optimizer:
        return StepMoment::Optimizer;
    case Phase::Init:
    case Phase::Unknown:
        break;
    }
    return std::nullopt;
}

// Where the moments of one step stand, from the phases of what is allocated in it.
class MomentFinder
{
public:
    MomentFinder(const Study &recorded, const std::function<bool(AllocationIndex)> &isLoss,
                 RecordedStep &step)
        : m_recorded(recorded)
        , m_isLoss(isLoss)
        , m_step(step)
        , m_rules(recorded.trace(), defaultCategoryRules())
        , m_hasStacks(recorded.trace().stackCount() > 0)
    {
    }

    void find()
    {
        const Allocations &allocations = m_recorded.allocations();
        m_from = m_step.first;
        for (AllocationIndex index = allocations.firstBornAfter(m_step.first - 1);
             index < allocations.count() && allocations.birth[index] <= m_step.last; ++index)
            go(next(index), allocations.birth[index]);
        if (m_step.failure >= 0)
            goToFailure();
        take(m_step.last);
        endAtStep();
        if (m_step.whole)
            put(StepMoment::Rest, m_step.last, "after the step's last event");
        sayWhatIsMissing();
    }

private:
    // The moment that goes on or begins with an allocation.
    std::optional<StepMoment> next(AllocationIndex index)
    {
        const StackId stack = m_recorded.allocations().stack[index];
        if (m_recorded.categories().of(index).category == Category::LossAndLogits)
            return StepMoment::Loss;
        // A gradient may be as large as the logits.
        const Phase phase = m_rules.phaseOf(stack);
        if (phase != Phase::Backward && phase != Phase::Optimizer && m_isLoss(index))
            return StepMoment::Loss;
        return next(stack);
    }

    std::optional<StepMoment> next(StackId stack)
    {
        const std::optional<StepMoment> found = momentOf(m_rules.phaseOf(stack));
        // What a model does in its forward pass after the loss belongs to it.
        if (found == StepMoment::Forward && m_now == StepMoment::Loss)
            return m_now;
        if (found)
            return found;
        // The threads of autograd have no frames of Python: what comes after the loss is theirs.
        if (stack == StackId::None && m_now == StepMoment::Loss && m_hasStacks)
            return StepMoment::Backward;
        return m_now;
    }

    void go(std::optional<StepMoment> moment, EventIndex event)
    {
        if (moment == m_now)
            return;
        take(event - 1);
        if (m_now == StepMoment::Backward && moment == StepMoment::Optimizer)
            put(StepMoment::EndOfBackward, event - 1, "before the optimizer's first allocation");
        m_from = event;
        m_now = moment;
    }

    void goToFailure()
    {
        const StackId stack =
            m_recorded.device().events.stack[static_cast<std::size_t>(m_step.last)];
        const std::int32_t rule = m_rules.of(stack).categoryRule;
        const bool isLoss =
            rule >= 0 && defaultCategoryRules()[static_cast<std::size_t>(rule)].category ==
                             Category::LossAndLogits;
        go(isLoss ? StepMoment::Loss : next(stack), m_step.last);
    }

    // The events from m_from on were of the present moment.
    void take(EventIndex last)
    {
        if (!m_now || last < m_from)
            return;
        constexpr std::array<std::string_view, kStepMomentCount> kWhile = {
            "highest while the forward pass ran", "highest while the loss was computed",
            "highest while backward ran",         {},
            "highest while the optimizer ran",    {}};
        put(*m_now, m_recorded.curve().highestActive(m_from, last),
            kWhile[static_cast<std::size_t>(*m_now)]);
    }

    void put(StepMoment moment, EventIndex event, std::string_view how)
    {
        FoundMoment &found = m_step.moments[static_cast<std::size_t>(moment)];
        const UsageCurve &curve = m_recorded.curve();
        if (found.found() && curve.active(found.event) >= curve.active(event))
            return;
        found.event = event;
        found.how = how;
    }

    // The recording ends in the middle of a moment, which may have gone on to need more.
    void endAtStep()
    {
        const bool ends = m_step.failure >= 0 || m_step.last + 1 == m_recorded.curve().count();
        if (m_now && !m_step.whole && ends)
            m_step.moments[static_cast<std::size_t>(*m_now)].cutOff = true;
    }

    void sayWhatIsMissing()
    {
        for (std::size_t at = 0; at < kStepMomentCount; ++at) {
            FoundMoment &moment = m_step.moments[at];
            if (moment.found())
                continue;
            const bool after = m_now && at > static_cast<std::size_t>(*m_now) && !m_step.whole;
            if (after && m_step.failure >= 0)
                moment.how = "not reached: an allocation failed before";
            else if (after)
                moment.how = "not reached: the recording ends before";
            else if (!m_now)
                moment.how = "the recording's stacks do not tell forward from backward";
            else
                moment.how = "nothing was allocated in it, as far as the recording tells";
        }
    }

    const Study &m_recorded;
    const std::function<bool(AllocationIndex)> &m_isLoss;
    RecordedStep &m_step;
    StackRules m_rules;
    bool m_hasStacks;
    std::optional<StepMoment> m_now;
    EventIndex m_from = 0; ///< where it began
};

// The step whose allocation failed last thing; else, of those whose peak is about the highest,
// whole and late ones first.
std::size_t chosenStep(const Study &recorded)
{
    const std::vector<Step> &steps = recorded.steps().steps;
    for (const OutOfMemoryEvent &failure : recorded.device().outOfMemory) {
        if (failure.event >= steps.back().first)
            return steps.size() - 1;
    }
    Bytes highest = 0;
    for (const Step &step : steps)
        highest = std::max(highest, step.peakActive);
    std::size_t best = 0;
    bool any = false;
    for (std::size_t at = 0; at < steps.size(); ++at) {
        if (steps[at].peakActive < highest - highest / 100)
            continue;
        if (!any || steps[at].complete || !steps[best].complete)
            best = at;
        any = true;
    }
    return best;
}

std::string whyChosen(const Study &recorded, std::size_t chosen)
{
    const std::vector<Step> &steps = recorded.steps().steps;
    if (steps.size() == 1)
        return recorded.steps().how;
    const Step &step = steps[chosen];
    for (const OutOfMemoryEvent &failure : recorded.device().outOfMemory) {
        if (failure.event >= step.first && failure.event <= step.last)
            return "An allocation failed in it.";
    }
    const bool highest = std::ranges::none_of(
        steps, [&](const Step &other) { return other.peakActive > step.peakActive; });
    return highest ? "The highest peak stands in it."
                   : "It is the last whole one whose peak is within a hundredth of the highest.";
}

void chooseRange(const Study &recorded, RecordedStep &step)
{
    const std::vector<Step> &steps = recorded.steps().steps;
    step.last = recorded.curve().count() - 1;
    if (steps.empty()) {
        step.text = "the whole recording";
        step.why = recorded.steps().how;
        return;
    }
    const std::size_t chosen = chosenStep(recorded);
    step.first = steps[chosen].first;
    step.last = steps[chosen].last;
    step.whole = steps[chosen].complete;
    step.text = steps.size() == 1
                    ? std::string("the recording's only step")
                    : "step " + formatCount(steps[chosen].number) + " (of " +
                          formatCount(static_cast<std::int64_t>(steps.size())) + " recorded)";
    step.why = whyChosen(recorded, chosen);
}

// The first failure in the step ends it: what follows is the program's unwinding.
void endAtFailure(const Study &recorded, RecordedStep &step)
{
    const auto &failures = recorded.device().outOfMemory;
    const auto inside = std::ranges::find_if(failures, [&](const OutOfMemoryEvent &failure) {
        return failure.event >= step.first && failure.event <= step.last;
    });
    if (inside == failures.end())
        return;
    step.failure = static_cast<EventIndex>(inside - failures.begin());
    step.last = inside->event;
    step.whole = false;
}

} // namespace

std::string_view stepMomentName(StepMoment moment)
{
    return kNames[static_cast<std::size_t>(moment)];
}

RecordedStep findRecordedStep(const Study &recorded,
                              const std::function<bool(AllocationIndex)> &isLoss)
{
    RecordedStep step;
    chooseRange(recorded, step);
    endAtFailure(recorded, step);
    step.peak = recorded.curve().highestActive(step.first - 1, step.last);
    MomentFinder(recorded, isLoss, step).find();
    return step;
}

namespace {

constexpr Bytes kLeastTold = kMiB; // smaller ones may be of anything

// Sizes of what the loss asked for in the step.
std::set<Bytes> lossSizes(const Study &recorded, const RecordedStep &step)
{
    std::set<Bytes> sizes;
    const Allocations &allocations = recorded.allocations();
    for (AllocationIndex index = allocations.firstBornAfter(step.first - 1);
         index < allocations.count() && allocations.birth[index] <= step.last; ++index) {
        if (recorded.categories().of(index).category == Category::LossAndLogits &&
            allocations.requested[index] >= kLeastTold)
            sizes.insert(allocations.requested[index]);
    }
    if (step.failure >= 0) // wherever it was asked for: often that of the logits' fp32 copy
        sizes.insert(
            recorded.device().outOfMemory[static_cast<std::size_t>(step.failure)].requested);
    return sizes;
}

// Tokens of logits of that size in fp32, which the loss works in, or in 16 bits; 0: of no whole
// number of them.
std::int64_t tokensOf(Bytes size, std::int64_t vocab, std::int64_t planned)
{
    if (size % (vocab * 2) == 0 && size / (vocab * 2) == planned)
        return planned;
    return size % (vocab * 4) == 0 ? size / (vocab * 4) : 0;
}

} // namespace

RecordedBatch recordedBatch(const Plan &plan, const Study &recorded, const RecordedStep &step)
{
    const Settings s = resolve(plan).settings;
    const std::int64_t vocab = s.architecture.vocab;
    const bool whole = s.loss != LossKind::Chunked && s.loss != LossKind::LinearFused &&
                       s.loss != LossKind::LinearChunked && !dividesLogits(s) && s.tensor == 1 &&
                       s.context == 1;
    if (s.workload != Workload::Training || vocab < 2 || !whole || s.microBatch < 1 ||
        s.sequenceLength < 1 || s.sequenceLength > (std::int64_t(1) << 40) / s.microBatch)
        return {};
    const std::int64_t planned = s.microBatch * s.sequenceLength;
    std::int64_t tokens = 0;
    for (const Bytes size : lossSizes(recorded, step)) {
        const std::int64_t here = tokensOf(size, vocab, planned);
        if (here == planned)
            return {true, {}};
        tokens = std::max(tokens, here);
    }
    if (tokens == 0)
        return {};
    if (tokens % s.sequenceLength == 0)
        return {true, {{"batch.micro_batch", tokens / s.sequenceLength}}};
    if (tokens % s.microBatch == 0)
        return {true, {{"batch.sequence_length", tokens / s.microBatch}}};
    return {true, {{"batch.micro_batch", std::int64_t(1)}, {"batch.sequence_length", tokens}}};
}

} // namespace vramscope
