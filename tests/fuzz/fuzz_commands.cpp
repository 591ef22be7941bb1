// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later

// What the commands plan, project, fit, reconcile, replay and plan-from do behind a plan that may
// be written and yet may make no sense: a shipped one whose fields are changed. The first byte of
// an input says which command, the second which plan, the third what the command takes beside it,
// the fourth how many of the changes are the run's too, of which there is a recording; then
// changes, see changed_plan.h.

#include "core/analysis/replayed/recorded_settings.h"
#include "core/analysis/study/study.h"
#include "core/analysis/what_if/what_if.h"
#include "core/base/exact.h"
#include "core/plan/plan_json.h"
#include "core/print/fit_report.h"
#include "core/print/lifecycle_report.h"
#include "core/print/plan_report.h"
#include "core/print/project_report.h"
#include "core/print/reconcile_report.h"
#include "core/print/recovered_report.h"
#include "core/print/replay_report.h"
#include "core/print/reserve_report.h"
#include "core/projection/traced_step.h"
#include "core/readers/read_trace.h"
#include "core/reconcile/reconcile.h"
#include "core/simulator/recommendation.h"
#include "core/solver/projected_plan.h"
#include "tests/core/reconcile/planned_recording.h"
#include "tests/fuzz/changed_plan.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/fuzz/text_check.h"
#include "tests/support/random_snapshot.h"

#include <cmath>

using namespace vramscope;
using fuzz::check;

namespace {

constexpr std::size_t kHead = 4;

void runPlan(const Plan &plan, unsigned beside)
{
    const Estimate needs = estimate(plan);
    for (const Moment &moment : needs.moments) {
        Bytes sum = 0;
        for (const Component &part : moment.components)
            sum += part.bytes;
        // Beside an engine the peak is the moment at which most is reserved.
        check(sum == moment.allocated && (sum <= needs.peakAllocated || needs.hasRollout()));
    }
    fuzz::checkText(fuzz::twice([&] { return planEstimateText(plan, estimate(plan), "plan"); }));
    fuzz::checkJsonText(planEstimateJson(plan, needs, "plan"));
    if (beside & 1) {
        fuzz::checkText(lifecycleText(lifecycle(needs), "plan"));
        fuzz::checkJsonText(lifecycleJson(lifecycle(needs), "plan"));
    }
    if (beside & 2) {
        const auto reserves =
            plannedReserves(plan, withOwnConfiguration(plan, {"", "expandable_segments:True"}));
        fuzz::checkText(reserveText(plan, needs, reserves, "plan"));
        fuzz::checkJsonText(reserveJson(needs, reserves, "plan"));
    }
}

void checkPoints(std::span<const ScalePoint> points)
{
    for (const ScalePoint &point : points) {
        if (!point.known())
            continue;
        const Projected &seconds = point.time.seconds;
        double sum = 0;
        for (const TimeTerm &term : point.time.terms)
            sum += term.seconds;
        check(std::isfinite(seconds.high) && seconds.low > 0);
        check(seconds.low <= seconds.likely && seconds.likely <= seconds.high);
        check(std::abs(sum - seconds.likely) <= 1e-6 * seconds.likely);
    }
}

void runProject(const Plan &plan, unsigned beside)
{
    std::optional<SpeedCalibration> calibration;
    if (beside & 1) {
        if (auto made = calibrateBySpeed(plan, beside * 1000.0))
            calibration = std::move(*made);
    }
    const std::vector<std::int64_t> few{1, 3, 8, beside + 1};
    const auto projected =
        projectPlan(plan, beside & 2 ? few : usualCounts(plan), std::move(calibration));
    if (!projected)
        return check(!projected.error().text().empty());
    for (const ScaleLine &line : projected->lines) {
        checkPoints(line.weak);
        checkPoints(line.strong);
    }
    fuzz::checkText(projectText(*projected, "plan"));
    fuzz::checkJsonText(projectJson(*projected, "plan"));
}

/// Fields that are recommended give what is said of them.
void checkStanding(const Plan &plan, const std::vector<FieldSetting> &fields,
                   const FitSummary &standing)
{
    const auto made = fitSummary(withFields(plan, fields));
    check(made && made->device == standing.device && made->fits == standing.fits);
}

void runFit(const Plan &plan, unsigned beside)
{
    static constexpr std::array<std::string_view, 4> kGroups{"", "parallel", "activations",
                                                             "hardware.gpus"};
    std::vector<std::string_view> vary;
    if (beside >= kGroups.size())
        vary = {planFields()[beside % planFields().size()].path};
    else if (beside > 0)
        vary = {kGroups[beside]};
    if (!checkVariables(vary))
        return;
    const auto found = fit(plan, vary, 3);
    if (!found)
        return check(!found.error().text().empty());
    for (const Recommendation::Option &option : found->recommendation.options)
        checkStanding(plan, option.combination.fields, option.combination.standing);
    if (const auto *ways = std::get_if<std::vector<WayToFit>>(&found->found)) {
        for (const WayToFit &way : *ways)
            checkStanding(plan, way.fields, way.standing);
    }
    if (const auto *layouts = std::get_if<Layouts>(&found->found)) {
        for (const Layout &layout : layouts->best)
            checkStanding(plan, layout.fields, layout.standing);
    }
    fuzz::checkText(fitText(plan, *found, "plan"));
    fuzz::checkJsonText(fitJson(plan, *found, "plan"));
}

/// What a run of the plan leaves where it trains, or else anything.
std::shared_ptr<const Trace> recordingOf(const Plan &run, unsigned beside)
{
    const Estimate needs = estimate(run);
    if (beside % 4 == 3 || !needs.computed || !needs.ofSteps()) {
        const std::string bytes = test::pickled(test::randomSnapshot(beside / 4));
        return readTrace(fuzz::bytesOf(bytes)).value();
    }
    test::PlannedRecordingOptions options;
    options.steps = 2;
    options.firstStep = beside & 4;
    options.stacks = !(beside & 8);
    options.pieces = beside & 16;
    options.failsAt = beside & 32 ? needs.peakAt : "";
    options.failedBytes = needs.peakAllocated / 7;
    options.segment = beside & 64 ? needs.peakReserved : 0;
    options.unrecorded = beside & 128 ? 1 : 0;
    return test::PlannedRecording(run, options).write();
}

void runReconcile(const Plan &plan, const Study &study)
{
    const Reconciliation found = reconcile(plan, study);
    if (!found.moments.empty()) {
        const MatchedMoment &moment = found.comparedMoment();
        Exact sum = Exact(moment.predicted.total()) + found.unexplained;
        for (const Reason &reason : found.reasons)
            sum += reason.bytes;
        check(sum.value() == moment.recorded.total());
    }
    const ReconcileSubject findings{found, "plan", "file", 0};
    fuzz::checkText(reconcileText(findings));
    fuzz::checkJsonText(reconcileJson(findings));
}

void runReplay(const Plan &plan, const Study &study, unsigned beside)
{
    std::vector<std::string> configurations =
        beside & 2 ? usualConfigurations(true) : std::vector<std::string>();
    configurations.push_back(plan.overheads.allocConf.value_or(""));
    const Bytes capacity = plan.hardware.capacity.value_or(-1);
    std::optional<WhatIfs> others;
    if (study.replay().end != ReplayEnd::NothingRecorded)
        others = whatIf(study, configurations, capacity);
    fuzz::checkText(replayText(study, others ? &*others : nullptr, "file"));
    fuzz::checkJsonText(replayJson(study, others ? &*others : nullptr, "file"));
}

void runPlanFrom(const Study &study)
{
    const RecoveredPlan found = planFromRecording(study);
    const auto same = parsePlan(planJson(found.plan));
    check(same.ok() && *same == found.plan);
    fuzz::checkText(recoveredText(found, "file", 0));
    fuzz::checkJsonText(recoveredJson(found, "file", 0));
}

void runOnRecording(unsigned command, const Plan &plan, const Plan &run, unsigned beside)
{
    const auto trace = recordingOf(run, beside);
    for (const DeviceTrace &device : trace->devices()) {
        const Study study(trace, device);
        if (command == 3)
            runReconcile(plan, study);
        else if (command == 4)
            runReplay(plan, study, beside);
        else
            runPlanFrom(study);
    }
}

} // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const auto plans = fuzz::filesOf("resources/examples", ".vramplan");
    if (size < kHead)
        return 0;
    const unsigned command = data[0] % 6;
    const Plan shipped = parsePlan(plans[data[1] % plans.size()]).value();
    const unsigned beside = data[2];
    const std::span changes(data + kHead, size - kHead);
    const Plan plan = fuzz::changedPlan(shipped, changes);
    const auto same = parsePlan(planJson(plan));
    if (!same) // no command is given it
        return 0;
    check(*same == plan);
    if (command == 0)
        runPlan(plan, beside);
    else if (command == 1)
        runProject(plan, beside);
    else if (command == 2)
        runFit(plan, beside);
    else
        runOnRecording(
            command, plan,
            fuzz::changedPlan(
                shipped, changes.first(std::min(changes.size(), data[3] * fuzz::kChangeBytes))),
            beside);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    std::vector<std::string> seeds;
    const std::size_t plans = fuzz::filesOf("resources/examples", ".vramplan").size();
    for (std::size_t command = 0; command < 6; ++command) {
        for (std::size_t plan = 0; plan < plans; ++plan) {
            // A change of each way, on fields all over the table.
            std::string changes;
            for (std::size_t way = 0; way < 8; ++way)
                changes += {static_cast<char>(13 * plan + 29 * way + command),
                            static_cast<char>(way), static_cast<char>(plan + 1)};
            seeds.push_back({static_cast<char>(command), static_cast<char>(plan),
                             static_cast<char>(plan * 16), 1});
            seeds.push_back(seeds.back() + changes.substr(0, 3));
            seeds.push_back(seeds.back() + changes.substr(3, 6));
        }
    }
    return seeds;
}
