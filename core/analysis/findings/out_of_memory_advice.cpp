// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/costs/stack_rules.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/steps.h"
#include "core/analysis/study/study.h"
#include "core/analysis/what_if/replay.h"
#include "core/analysis/what_if/what_if.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::string_view kExpandable = "expandable_segments:True";
// Share of all live memory with the request, in percent: a smaller part is not the cause.
constexpr Bytes kLeastShare = 5;

/// The category that a request from that stack would have had.
Category categoryOfRequest(StackRules &rules, StackId stack, Phase phase)
{
    const std::int32_t rule = rules.of(stack).categoryRule;
    if (rule >= 0) {
        const auto &category = defaultCategoryRules()[static_cast<std::size_t>(rule)].category;
        return category.value_or(Category::Unknown);
    }
    switch (phase) {
    case Phase::Forward:
        return Category::Activations;
    case Phase::Backward:
    case Phase::Optimizer:
        return Category::TemporaryBuffers;
    case Phase::Init:
        return Category::Parameters;
    case Phase::Unknown:
        break;
    }
    return Category::Unknown;
}

/// Whether a block of unknown kind, or one that forward made, holds logits: it is as large as a
/// request of the loss, or half as large, in 16 bits.
bool isLogits(Bytes size, Bytes requested)
{
    const auto rounded = [](Bytes bytes) {
        return bytes > std::numeric_limits<Bytes>::max() - 511 ? bytes : (bytes + 511) / 512 * 512;
    };
    return size > 0 &&
           (rounded(size) == rounded(requested) || rounded(size) == rounded(requested / 2));
}

/// The births of a stack's allocations in [first, last], ascending.
std::vector<EventIndex> birthsOf(const Allocations &allocations, StackId stack, EventIndex first,
                                 EventIndex last)
{
    std::vector<EventIndex> births;
    for (AllocationIndex index = allocations.firstBornAfter(first - 1);
         index < allocations.count() && allocations.birth[index] <= last; ++index) {
        if (allocations.stack[index] == stack)
            births.push_back(allocations.birth[index]);
    }
    return births;
}

/// Advice on one failure.
class Adviser
{
public:
    Adviser(const OutOfMemoryReport &report, const Study &study, StackRules &rules)
        : m_report(report)
        , m_study(study)
        , m_phase(rules.phaseOf(report.stack))
    {
        m_advice.request = categoryOfRequest(rules, report.stack, m_phase);
    }

    OutOfMemoryAdvice advise(std::optional<bool> expandableServes, bool trains)
    {
        m_advice.trains = trains;
        m_advice.expandableServes = expandableServes;
        m_advice.rest =
            restOfStep(m_study, {m_report.event, m_report.requested, m_report.deviceFree});
        countLive();
        const Bands &bands = m_report.bands;
        const Bytes free = wrappingSum(bands.stranded, bands.releasable);
        if (m_report.isLeftTold())
            m_advice.left =
                wrappingDifference(wrappingSum(m_report.deviceFree, free), m_report.requested);
        m_advice.remedies = circumstancesOf(m_study.trace(), m_study.device(),
                                            m_study.allocations(), m_study.categories(), m_report);
        addByKind();
        addSmallerBatch();
        addAllocator();
        addDevice();
        return std::move(m_advice);
    }

private:
    [[nodiscard]] Bytes bytesOf(Category category) const
    {
        return m_bytes[static_cast<std::size_t>(category)];
    }
    /// Live memory with the request, if it is of that kind.
    [[nodiscard]] Bytes wantedFor(Category category) const
    {
        return wrappingSum(bytesOf(category),
                           m_advice.request == category ? m_report.requested : 0);
    }
    [[nodiscard]] bool isMuch(Bytes bytes) const
    {
        const Wide all =
            Wide(m_report.bands.requested) + m_report.bands.rounding + m_report.requested;
        return Wide(bytes) * 100 >= all * kLeastShare;
    }

    void countLive()
    {
        const Allocations &allocations = m_study.allocations();
        std::array<Bytes, kRecordedCategoryCount> live{}; // by the categories shown on every page
        const auto count = [](auto &bytes, Category category, Bytes more) {
            Bytes &of = bytes[static_cast<std::size_t>(category)];
            of = wrappingSum(of, more);
        };
        for (const AllocationIndex index : allocations.liveAfter(m_report.event)) {
            const Category category = m_study.categories().of(index).category;
            const Bytes size = allocations.size[index];
            const bool open = category == Category::Unknown || category == Category::Activations;
            const bool logits = open && m_advice.request == Category::LossAndLogits &&
                                isLogits(allocations.requested[index], m_report.requested);
            if (logits)
                m_advice.logits = wrappingSum(m_advice.logits, size);
            count(m_bytes, logits ? Category::LossAndLogits : category, size);
            count(live, category, size);
        }
        for (std::size_t at = 0; at < live.size(); ++at) {
            if (live[at] > 0)
                m_advice.live.push_back({static_cast<Category>(at), live[at]});
        }
        std::ranges::stable_sort(m_advice.live, std::ranges::greater(), &LiveKind::bytes);
    }

    /// What the step lacks with its rest, if that is known; never less than the request lacks.
    [[nodiscard]] std::optional<Bytes> lacks() const
    {
        if (!m_report.isLeftTold() || !m_advice.rest.isKnown)
            return std::nullopt;
        return std::max(m_report.shortage, wrappingDifference(m_advice.rest.more, m_advice.left));
    }

    void add(Remedy::Kind kind, Bytes bytes, bool atMost)
    {
        Remedy remedy{kind, bytes, atMost, std::nullopt, std::nullopt};
        if (m_report.isLeftTold())
            remedy.servesRequest = bytes >= m_report.shortage;
        if (const auto wanted = lacks())
            remedy.servesStep = bytes >= *wanted;
        m_advice.remedies.push_back(remedy);
    }

    void addByKind()
    {
        struct OfKind
        {
            Remedy::Kind kind;
            Bytes bytes;
        };
        const bool isStep =
            m_phase == Phase::Optimizer && m_advice.request != Category::OptimizerStates;
        std::vector<OfKind> found{
            {Remedy::Kind::Checkpointing, bytesOf(Category::Activations)},
            {Remedy::Kind::FusedLoss, wantedFor(Category::LossAndLogits)},
            {Remedy::Kind::SmallerOptimizer, wantedFor(Category::OptimizerStates)},
            {Remedy::Kind::FusedOptimizer, isStep ? wantedFor(Category::TemporaryBuffers) : 0},
            {Remedy::Kind::Sharding,
             wrappingSum(wantedFor(Category::Parameters), wantedFor(Category::Gradients))}};
        std::ranges::stable_sort(found, std::ranges::greater(), &OfKind::bytes);
        for (const OfKind &one : found) {
            if (one.bytes > 0 && isMuch(one.bytes))
                add(one.kind, one.bytes, true);
        }
    }

    // Half of everything that grows with the tokens: live memory, the request, and the rest of the
    // step.
    void addSmallerBatch()
    {
        Bytes grows = wrappingSum(bytesOf(Category::Activations), bytesOf(Category::LossAndLogits));
        if (!isMuch(grows))
            return;
        if (m_advice.request == Category::Activations ||
            m_advice.request == Category::LossAndLogits)
            grows = wrappingSum(grows, wrappingSum(m_report.requested, m_advice.rest.more));
        add(Remedy::Kind::SmallerBatch, grows / 2, false);
    }

    void addAllocator()
    {
        if (m_report.cause == OutOfMemoryCause::Limit)
            add(Remedy::Kind::Limit, m_report.needed, false);
        const bool pieces = m_report.cause == OutOfMemoryCause::Fragmented;
        if (!m_report.expandable && m_report.isLeftTold() &&
            (pieces || (m_report.freeForIt > 0 && isMuch(m_report.freeForIt)))) {
            add(Remedy::Kind::ExpandableSegments, m_report.freeForIt, true);
            Remedy &added = m_advice.remedies.back();
            // Pages of one stream and size class are shared, others are not.
            const bool enough = m_report.freeForIt + m_report.deviceFree >= m_report.requested;
            added.servesRequest = m_advice.expandableServes.value_or(enough);
            if (added.servesStep)
                added.servesStep = *added.servesRequest && m_advice.rest.more <= m_advice.left;
        }
        const Fragmentation &free = m_report.fragmentation;
        if (m_report.cause == OutOfMemoryCause::Elsewhere)
            add(Remedy::Kind::OtherPools,
                wrappingDifference(wrappingSum(free.stranded, free.releasable), m_report.freeForIt),
                true);
    }

    void addDevice()
    {
        if (m_report.isLeftTold() && m_report.shortage > 0)
            add(Remedy::Kind::MoreMemory, lacks().value_or(m_report.shortage), false);
    }

    const OutOfMemoryReport &m_report;
    const Study &m_study;
    OutOfMemoryAdvice m_advice;
    Phase m_phase;
    /// Live memory by remedy: logits count as such, whatever their category.
    std::array<Bytes, kRecordedCategoryCount> m_bytes{};
};

/// Whether every request of the recording is served under expandable segments; nothing if no remedy
/// needs it, the program cannot use them, or only some segments are expandable.
std::optional<bool> expandableServes(const Study &study, const Progress &progress)
{
    const bool asks = std::ranges::any_of(study.failures(), [](const OutOfMemoryReport &failure) {
        return !failure.expandable && failure.isLeftTold() && failure.freeForIt > 0;
    });
    if (!asks)
        return std::nullopt;
    if (!study.make({Study::Part::Replay}, partOf(progress, 0, 0.5)) ||
        study.replay().end == ReplayEnd::NothingRecorded)
        return std::nullopt;
    const std::array configurations{std::string(kExpandable)};
    const auto others = whatIf(study, configurations, -1, partOf(progress, 0.5, 1));
    if (!others || !others->others.front().issues.empty())
        return std::nullopt;
    const SimulationResult &result = others->others.front().result;
    if (result.runsOut())
        return false;
    if (result.failed > 0 && result.rescued > 0)
        return std::nullopt;
    return result.failed == 0;
}

} // namespace

RestOfStep restOfStep(const Study &study, const OutOfMemoryEvent &failure)
{
    const DeviceTrace &device = study.device();
    const UsageCurve &curve = study.curve();
    const Steps &steps = study.steps();
    RestOfStep rest;
    rest.endsThere = failure.event + 1 >= device.events.count();
    const StackId stack = device.events.stack[static_cast<std::size_t>(failure.event)];
    const auto failing = stepAt(steps.steps, failure.event);
    if (!failing || stack == StackId::None)
        return rest;
    const std::size_t before =
        birthsOf(study.allocations(), stack, steps.steps[*failing].first, failure.event).size();
    for (std::size_t at = *failing; at-- > 0;) {
        const Step &step = steps.steps[at];
        const std::vector<EventIndex> births =
            birthsOf(study.allocations(), stack, step.first, step.last);
        if (!step.complete || births.empty())
            continue;
        const EventIndex there = births[std::min(before, births.size() - 1)];
        rest.isKnown = true;
        rest.step = step.number;
        rest.askedThere = device.events.size[static_cast<std::size_t>(there)];
        const Wide more =
            Wide(curve.active(curve.highestActive(there, step.last))) - curve.active(there);
        constexpr Bytes kRounding = 512; // of a failed request
        const bool grows =
            rest.askedThere > 0 && failure.requested / kRounding > rest.askedThere / kRounding + 1;
        rest.more = static_cast<Bytes>(
            std::min<Wide>(grows ? more * failure.requested / rest.askedThere : more,
                           std::numeric_limits<Bytes>::max() / 4));
        return rest;
    }
    return rest;
}

std::vector<OutOfMemoryAdvice> adviseOutOfMemory(const Study &study, const Progress &progress)
{
    std::vector<OutOfMemoryAdvice> advice;
    if (study.failures().empty())
        return advice;
    StackRules rules(study.trace(), defaultCategoryRules());
    const std::optional<bool> serves = expandableServes(study, progress);
    bool trains = false;
    for (AllocationIndex index = 0; index < study.allocations().count() && !trains; ++index) {
        const Category category = study.categories().of(index).category;
        trains = category == Category::Gradients || category == Category::OptimizerStates ||
                 category == Category::LossAndLogits;
    }
    for (const OutOfMemoryReport &failure : study.failures())
        advice.push_back(Adviser(failure, study, rules).advise(serves, trains));
    return advice;
}

} // namespace vramscope
