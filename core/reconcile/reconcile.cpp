// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/reconcile.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/costs/stack_rules.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/base/format.h"
#include "core/plan/choices.h"
#include "core/plan/plan.h"
#include "core/reconcile/comparison.h"
#include "core/reconcile/explanation.h"
#include "core/reconcile/levels.h"
#include "core/reconcile/recorded_bytes.h"
#include "core/reconcile/recorded_step.h"
#include "core/reconcile/size_names.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

Reconciliation nothing(std::string why)
{
    Reconciliation result;
    result.remarks.push_back(std::move(why));
    return result;
}

// The request that failed is part of what the run asked for.
std::optional<Category> categoryOfFailure(const Study &recorded, EventIndex event)
{
    const std::vector<CategoryRule> &rules = defaultCategoryRules();
    StackRules stacks(recorded.trace(), rules);
    const StackId stack = recorded.device().events.stack[static_cast<std::size_t>(event)];
    const std::int32_t rule = stacks.of(stack).categoryRule;
    if (rule >= 0 && rules[static_cast<std::size_t>(rule)].category == Category::LossAndLogits)
        return Category::LossAndLogits;
    if (rule >= 0 && rules[static_cast<std::size_t>(rule)].category == Category::Communication)
        return Category::Communication;
    switch (stacks.phaseOf(stack)) {
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
    return std::nullopt;
}

std::optional<FailedRequest> failedRequest(const Plan &plan, const Study &recorded,
                                           const RecordedStep &step)
{
    if (step.failure < 0)
        return std::nullopt;
    const OutOfMemoryEvent &failure =
        recorded.device().outOfMemory[static_cast<std::size_t>(step.failure)];
    FailedRequest failed;
    failed.event = failure.event;
    failed.bytes = failure.requested;
    FrameOrigins origins(recorded.trace());
    failed.place =
        stackText(recorded.trace(),
                  recorded.device().events.stack[static_cast<std::size_t>(failure.event)], origins);
    failed.names = namesOfSize(plan, failure.requested);
    return failed;
}

RecordedStep stepOf(const Study &recorded, const RecordedBytes &bytes)
{
    return findRecordedStep(recorded, [&](AllocationIndex index) {
        return bytes.categoryOf(index) == Category::LossAndLogits;
    });
}

class Reconciler
{
public:
    // `batch`: what the recording ran with, where it tells another than the plan's. The recording
    // is read with it, since sizes tell what an allocation is.
    Reconciler(const Plan &plan, RecordedBatch batch, const Study &recorded)
        : m_plan(plan)
        , m_batch(std::move(batch))
        , m_recorded(recorded)
        , m_bytes(recorded, withFields(plan, m_batch.settings))
        , m_step(stepOf(recorded, m_bytes))
    {
    }

    /// What the recording says, and how far the plan is from it with the batch put in.
    void read()
    {
        m_result.failed = failedRequest(withFields(m_plan, m_batch.settings), m_recorded, m_step);
        readRecorded();
        choosePrediction(withFields(m_plan, m_batch.settings));
    }
    [[nodiscard]] Bytes distanceNow() const { return distance(m_net, m_predicted); }
    [[nodiscard]] const RecordedStep &step() const { return m_step; }

    /// After read().
    Reconciliation run(const Progress &progress)
    {
        if (!m_batch.settings.empty()) // the plan is shown as it is
            m_predicted = predictedStep(lifecycle(estimate(m_plan)), m_result.firstStep);
        chooseMoment();
        fillMoments();
        explain(progress);
        m_result.levels = levelsOf(m_plan, m_recorded, m_step, m_result.firstStep);
        m_result.calibrations =
            calibrationsOf(m_plan, m_recorded, m_step, m_bytes.after(m_step.peak));
        sayLimits();
        return std::move(m_result);
    }

private:
    // What was alive at each moment that was found; where none was, the peak stands for all.
    void readRecorded()
    {
        if (std::ranges::none_of(m_step.moments, &FoundMoment::found))
            takePeak();
        for (std::size_t at = 0; at < kStepMomentCount; ++at) {
            const FoundMoment &found = m_step.moments[at];
            if (!found.found())
                continue;
            m_moments.bytes[at] = m_bytes.after(found.event);
            if (found.cutOff)
                m_moments.cutOff = static_cast<StepMoment>(at);
        }
        if (m_moments.cutOff && m_result.failed)
            addFailed(*m_moments.bytes[static_cast<std::size_t>(*m_moments.cutOff)]);
        leaveOutFacts();
    }

    // The facts at an event; nothing where they are too little to speak of.
    [[nodiscard]] Bytes stayingAt(EventIndex event) const
    {
        const Bytes staying = m_bytes.staying(event, m_step.first, m_step.last);
        return staying < kMiB ? 0 : staying;
    }
    [[nodiscard]] SideBytes pendingAt(EventIndex event) const
    {
        const SideBytes pending = m_bytes.pendingFree(event, m_step.first, m_step.last);
        return pending.total() < kMiB ? SideBytes() : pending;
    }

    // What the recording itself tells apart is not for settings of the plan to explain.
    void leaveOutFacts()
    {
        m_net = m_moments;
        for (std::size_t at = 0; at < kStepMomentCount; ++at) {
            if (!m_net.bytes[at])
                continue;
            const EventIndex event = m_step.moments[at].event;
            SideBytes &bytes = *m_net.bytes[at];
            bytes.unknown -= stayingAt(event);
            const SideBytes pending = pendingAt(event);
            bytes.unknown -= pending.unknown;
            for (std::size_t category = 0; category < kCategoryCount; ++category)
                bytes.byCategory[category] -= pending.byCategory[category];
        }
    }

    // Where the stacks tell no moment from another, the highest is compared with the highest.
    void takePeak()
    {
        const PredictedStep predicted = predictedStep(lifecycle(estimate(m_plan)), false);
        const auto highest = std::ranges::max_element(
            predicted, {}, [](const PredictedMoment &moment) { return moment.bytes.total(); });
        m_step.moments[static_cast<std::size_t>(highest - predicted.begin())] = {
            m_step.peak, m_step.failure >= 0,
            "the recording's peak: its stacks do not tell the moments of a step apart"};
    }

    void addFailed(SideBytes &bytes) const
    {
        std::optional<Category> category = categoryOfFailure(m_recorded, m_result.failed->event);
        if (!category && !m_result.failed->names.empty())
            category = m_result.failed->names.front().category;
        (category ? bytes.byCategory[static_cast<std::size_t>(*category)] : bytes.unknown) +=
            m_result.failed->bytes;
    }

    // The first step, before the optimizer has made its states, where the recording shows none of
    // them although the plan has some; nor as much of unknown kind as would hold them.
    void choosePrediction(const Plan &plan)
    {
        const Lifecycle whole = lifecycle(estimate(plan));
        m_predicted = predictedStep(whole, false);
        const PredictedStep first = predictedStep(whole, true);
        constexpr auto kStates = static_cast<std::size_t>(Category::OptimizerStates);
        bool planned = false;
        bool recorded = m_bytes.foundEarlyStates();
        for (const StepMoment moment : {StepMoment::Forward, StepMoment::Loss, StepMoment::Backward,
                                        StepMoment::EndOfBackward}) {
            const auto at = static_cast<std::size_t>(moment);
            const Bytes states = m_predicted[at].bytes.byCategory[kStates];
            planned = planned || states > first[at].bytes.byCategory[kStates];
            if (const auto &was = m_moments.bytes[at])
                recorded = recorded || was->byCategory[kStates] > states / 100 ||
                           was->unknown > states / 2;
        }
        if (!planned || recorded)
            return;
        m_predicted = first;
        m_result.firstStep = true;
    }

    // The one that is highest on either side, of those that both have.
    void chooseMoment()
    {
        Bytes highest = -1;
        bool shared = false;
        for (std::size_t at = 0; at < kStepMomentCount; ++at) {
            if (!m_moments.bytes[at])
                continue;
            const bool both = !m_predicted[at].name.empty();
            const Bytes height =
                std::max(m_moments.bytes[at]->total(), m_predicted[at].bytes.total());
            if ((both && !shared) || (both == shared && height > highest)) {
                highest = height;
                shared = both;
                m_moments.compared = static_cast<StepMoment>(at);
            }
        }
        m_net.compared = m_moments.compared;
    }

    void fillMoments()
    {
        m_result.step = m_step.text;
        m_result.whyThisStep = m_step.why;
        for (std::size_t at = 0; at < kStepMomentCount; ++at) {
            const PredictedMoment &predicted = m_predicted[at];
            const FoundMoment &found = m_step.moments[at];
            if (predicted.name.empty() && !found.found())
                continue;
            if (static_cast<StepMoment>(at) == m_moments.compared)
                m_result.compared = m_result.moments.size();
            MatchedMoment moment;
            moment.name = stepMomentName(static_cast<StepMoment>(at));
            if (m_plan.workload == Workload::Inference && !predicted.name.empty())
                moment.name = predicted.name;
            moment.predictedAt = predicted.name;
            moment.predicted = predicted.bytes;
            moment.found = found.found();
            moment.event = found.found() ? found.event : -1;
            moment.how = found.how;
            moment.cutOff = found.cutOff;
            if (m_moments.bytes[at])
                moment.recorded = *m_moments.bytes[at];
            m_result.moments.push_back(std::move(moment));
        }
    }

    void explain(const Progress &progress)
    {
        const MatchedMoment &moment = m_result.comparedMoment();
        if (!moment.found)
            return;
        facts();
        Explanation found = explanationOf(m_plan, m_batch, m_net, m_result.firstStep,
                                          StackEvidence(m_recorded.trace()), progress);
        for (Reason &reason : found.reasons)
            m_result.reasons.push_back(std::move(reason));
        if (found.notReached > 0)
            m_result.reasons.push_back({Reason::Kind::NotReached,
                                        "Planned beyond what was asked for before the recording "
                                        "ended",
                                        -found.notReached,
                                        0,
                                        {}});
        m_result.candidates = std::move(found.candidates);
        m_result.unexplained = moment.recorded.total() - moment.predicted.total();
        for (const Reason &reason : m_result.reasons)
            m_result.unexplained -= reason.bytes;
    }

    // Read off the recording, whatever the plan says.
    void facts()
    {
        const EventIndex event = m_result.comparedMoment().event;
        const auto add = [this](const char *text, Bytes bytes) {
            if (bytes > 0)
                m_result.reasons.push_back({Reason::Kind::Fact, text, bytes, 0, {}});
        };
        add("Alive since before the step and never freed, in no part of a plan", stayingAt(event));
        add("Freed by the program, but held until another stream has done with it",
            pendingAt(event).total());
    }

    void sayLimits()
    {
        if (m_recorded.allocations().count() > 0 && m_recorded.allocations().birth.front() < 0)
            m_result.remarks.push_back(
                m_bytes.foundEarlyStates()
                    ? "The recording began in the middle: what was there before has no stack. As "
                      "many blocks as it is, it is shared out as the plan's parameters and states."
                    : "The recording began in the middle: what was there before has no stack, and "
                      "is taken for parameters where it stays.");
        if (m_result.firstStep)
            m_result.remarks.push_back(
                "Compared with the plan's first step: the recording shows no "
                "states of the optimizer yet.");
        if (m_result.failed)
            m_result.remarks.push_back(
                "Recorded includes the allocation that failed, since the run asked for it.");
        sayWhatWasStillToCome();
        const Settings settings = resolve(m_plan).settings;
        if (settings.pipeline > 1)
            m_result.remarks.push_back(
                "Compared with stage " + formatCount(estimate(m_plan).stage) + " of " +
                formatCount(settings.pipeline) + "; parallel.stage of the plan chooses another.");
        if (settings.workload == Workload::Inference &&
            (m_step.at(StepMoment::Backward).found() || m_step.at(StepMoment::Optimizer).found()))
            m_result.remarks.push_back("The plan serves, but the recording is of training: they "
                                       "are not of the same run.");
    }

    // Room for the request that failed is not yet room for the step.
    void sayWhatWasStillToCome()
    {
        const auto rest =
            std::ranges::find(m_result.reasons, Reason::Kind::NotReached, &Reason::kind);
        if (m_result.failed && rest != m_result.reasons.end() && rest->bytes < 0)
            m_result.remarks.push_back(
                "The recording ends at the allocation that failed. By the plan " +
                formatBytes(-rest->bytes) + " more was still to be asked for at this moment (" +
                m_result.comparedMoment().name +
                ") alone: room for that allocation is not yet room for the step.");
    }

    const Plan &m_plan;
    RecordedBatch m_batch;
    const Study &m_recorded;
    RecordedBytes m_bytes;
    RecordedStep m_step;
    RecordedMoments m_moments;
    RecordedMoments m_net; ///< without the facts
    PredictedStep m_predicted;
    Reconciliation m_result;
};

} // namespace

Reconciliation reconcile(const Plan &plan, const Study &recorded, const Progress &progress)
{
    const Estimate figures = estimate(plan);
    if (!figures.computed)
        return nothing("The plan gives no figures: " + whyNotComputed(figures));
    if (recorded.allocations().count() == 0 || recorded.curve().count() == 0)
        return nothing("The recording has no events: it shows what was there at the end, but not "
                       "the moments of a step.");
    Reconciler asPlanned(plan, {}, recorded);
    asPlanned.read();
    // Logits may be of a part of the batch: its size is believed where it brings the plan closer.
    const RecordedBatch batch = recordedBatch(plan, recorded, asPlanned.step());
    if (!batch.known)
        return asPlanned.run(progress);
    Reconciler withBatch(plan, batch, recorded);
    withBatch.read();
    const bool believed =
        batch.settings.empty() || withBatch.distanceNow() < asPlanned.distanceNow();
    return (believed ? withBatch : asPlanned).run(progress);
}

} // namespace vramscope
