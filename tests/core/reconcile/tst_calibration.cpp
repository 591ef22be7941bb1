// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/levels.h"
#include "core/settings/settings.h"

#include "core/plan/plan_json.h"
#include "core/settings/calibration_marks.h"
#include "core/solver/ways_to_fit.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <algorithm>
#include <limits>

using namespace vramscope;
using namespace vramscope::test;

namespace {

Calibration constant(FieldPath field, double recorded, bool isBytes = true)
{
    return {.field = field, .label = {}, .recorded = recorded, .isBytes = isBytes, .how = {}};
}

const Component *outside(const Estimate &figures, std::string_view name)
{
    const auto found = std::find_if(figures.outside.begin(), figures.outside.end(),
                                    [&](const Component &part) { return part.name == name; });
    return found == figures.outside.end() ? nullptr : &*found;
}

const Component *atPeak(const Estimate &figures, std::string_view name)
{
    const auto found = std::find_if(figures.components().begin(), figures.components().end(),
                                    [&](const Component &part) { return part.name == name; });
    return found == figures.components().end() ? nullptr : &*found;
}

std::vector<std::string> notes(const Plan &plan)
{
    std::vector<std::string> texts;
    for (const Issue &issue : resolve(plan).issues)
        if (issue.field == "overheads.calibrated" && issue.severity == Issue::Severity::Note)
            texts.push_back(issue.text);
    return texts;
}

} // namespace

class TestCalibration : public Test
{
    Q_OBJECT

private Q_SLOTS:
    void aConstantIsTakenOverWithItsMark();
    void aSecondRecordingTakesTheMark();
    void whatIsNoConstantOrOutOfRangeChangesNothing();
    void everyConstantSaysWhichRecordingItIsFrom();
    void aRecordingNarrowsTheBand();
    void marksSurviveTheDocument();
    void aMarkWithoutItsValueIsIgnored();
    void marksOfNothingAreNoted();
    void aWayToFitThatReplacesAConstantTakesItsMarkAway();
};

void TestCalibration::aConstantIsTakenOverWithItsMark()
{
    const Plan before = shardedPlan(8);
    const Plan factor = calibrated(before, constant("overheads.reserved_factor", 1.13456789, false),
                                   "/runs/llama/fsdp_oom_rank0.pickle");
    QCOMPARE(factor.overheads.reservedFactor.value_or(0), 1.1346);
    QVERIFY(factor.overheads.calibrated == TextList{"reserved_factor from fsdp_oom_rank0.pickle"});
    const Plan both = calibrated(factor, constant("overheads.nccl_bytes", 123456.6), "C:\\b.json");
    QCOMPARE(both.overheads.ncclBytes.value_or(0), 123'457);
    QCOMPARE(both.overheads.calibrated->size(), std::size_t(2));
    QCOMPARE(std::string(calibrationFile(both, "overheads.nccl_bytes")), std::string("b.json"));
    QCOMPARE(std::string(calibrationFile(both, "overheads.reserved_factor")),
             std::string("fsdp_oom_rank0.pickle"));
}

void TestCalibration::aSecondRecordingTakesTheMark()
{
    Plan plan = calibrated(shardedPlan(8), constant("overheads.context_bytes", 4e8), "a.pickle");
    plan = calibrated(plan, constant("overheads.context_bytes", 5e8), "run from b.pickle");
    QCOMPARE(plan.overheads.contextBytes.value_or(0), 500'000'000);
    QVERIFY(plan.overheads.calibrated == TextList{"context_bytes from run from b.pickle"});
    QCOMPARE(std::string(calibrationFile(plan, "overheads.context_bytes")),
             std::string("run from b.pickle"));
}

void TestCalibration::whatIsNoConstantOrOutOfRangeChangesNothing()
{
    const Plan plan = shardedPlan(8);
    constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
    QVERIFY(calibrated(plan, constant("batch.micro_batch", 4), "a.pickle") == plan);
    QVERIFY(calibrated(plan, constant("overheads.calibrated", 4), "a.pickle") == plan);
    QVERIFY(calibrated(plan, constant("overheads.nccl_bytes", -1), "a.pickle") == plan);
    QVERIFY(calibrated(plan, constant("overheads.nccl_bytes", 1e300), "a.pickle") == plan);
    QVERIFY(calibrated(plan, constant("overheads.nccl_bytes", kNan), "a.pickle") == plan);
    for (const double factor : {0.9, 11.0, kNan})
        QVERIFY(calibrated(plan, constant("overheads.reserved_factor", factor, false),
                           "a.pickle") == plan);
}

void TestCalibration::everyConstantSaysWhichRecordingItIsFrom()
{
    Plan plan = shardedPlan(8);
    for (const FieldPath field :
         {FieldPath("overheads.context_bytes"), FieldPath("overheads.nccl_bytes"),
          FieldPath("overheads.cublas_workspace_bytes"), FieldPath("overheads.resident_bytes")})
        plan = calibrated(plan, constant(field, 3e8), "run.pickle");
    plan = calibrated(plan, constant("overheads.reserved_factor", 1.2, false), "run.pickle");
    Plan serving = plan;
    serving.workload = Workload::Inference;
    serving.parallel = {};
    for (const Engine engine : {Engine::Plain, Engine::Vllm}) {
        serving.inference.engine = engine;
        QVERIFY(estimate(serving).computed);
        QCOMPARE(atPeak(estimate(serving), "Other resident tensors")->source,
                 std::string("calibrated from run.pickle"));
    }
    const Estimate figures = estimate(plan);
    for (const Component *part :
         {outside(figures, "CUDA context"), outside(figures, "NCCL communicators"),
          outside(figures, "Allocator slack"), atPeak(figures, "cuBLAS workspace"),
          atPeak(figures, "Other resident tensors")}) {
        QVERIFY(part);
        QCOMPARE(part->source, std::string("calibrated from run.pickle"));
        QVERIFY(part->evidence == Evidence::Sourced);
    }
    plan.overheads.calibrated.reset();
    QCOMPARE(outside(estimate(plan), "CUDA context")->source, std::string("As the plan states it"));
}

void TestCalibration::aRecordingNarrowsTheBand()
{
    Plan stated = shardedPlan(8, Strategy::Fsdp1);
    const Estimate typical = estimate(stated);
    stated.overheads.reservedFactor = 1.18;
    const Plan marked =
        calibrated(stated, constant("overheads.reserved_factor", 1.18, false), "run.pickle");
    const Estimate figures = estimate(marked);
    QCOMPARE(figures.peakReserved, estimate(stated).peakReserved);
    QVERIFY(figures.reservedHigh - figures.reservedLow <
            typical.reservedHigh - typical.reservedLow);
    QVERIFY(figures.bandClass.empty() && !estimate(stated).bandClass.empty());
}

void TestCalibration::marksSurviveTheDocument()
{
    Plan plan = calibrated(shardedPlan(8), constant("overheads.nccl_bytes", 7e8), "ä, \"b\".json");
    plan = calibrated(plan, constant("overheads.reserved_factor", 1.05, false), "a.pickle");
    const auto read = parsePlan(planJson(plan));
    QVERIFY(read.ok());
    QVERIFY(*read == plan);
    QVERIFY(notes(*read).empty());
}

void TestCalibration::aMarkWithoutItsValueIsIgnored()
{
    Plan plan = shardedPlan(8);
    plan.overheads.calibrated = TextList{"context_bytes from a.pickle"};
    QVERIFY(calibrationFile(plan, "overheads.context_bytes").empty());
    QVERIFY(outside(estimate(plan), "CUDA context")->evidence == Evidence::Empirical);
    QVERIFY(notes(plan).empty());
}

void TestCalibration::marksOfNothingAreNoted()
{
    Plan plan = shardedPlan(8);
    plan.overheads.calibrated = TextList{"nccl_bytes from a.pickle",
                                         "batch.micro_batch from a.pickle",
                                         "context_bytes",
                                         "calibrated from a.pickle",
                                         "nccl_bytes from ",
                                         ""};
    const std::vector<std::string> texts = notes(plan);
    QCOMPARE(texts.size(), std::size_t(5));
    QCOMPARE(texts.front(),
             std::string("\"batch.micro_batch from a.pickle\" is ignored: a mark is \"FIELD from "
                         "FILE\", with a field of overheads."));
    QVERIFY(estimate(plan).computed);
}

void TestCalibration::aWayToFitThatReplacesAConstantTakesItsMarkAway()
{
    Plan plan = shardedPlan(8);
    plan.hardware.capacity = 40 * kGiB;
    plan = calibrated(plan, constant("overheads.nccl_bytes", 6e8), "a.pickle");
    plan = calibrated(plan, constant("overheads.reserved_factor", 1.5, false), "a.pickle");
    int changed = 0;
    for (const WayToFit &way : waysToFit(plan)) {
        const Plan after = withFields(plan, way.fields);
        const bool replaced = after.overheads.reservedFactor != plan.overheads.reservedFactor;
        changed += replaced;
        QCOMPARE(calibrationFile(after, "overheads.reserved_factor").empty(), replaced);
        QVERIFY(!calibrationFile(after, "overheads.nccl_bytes").empty());
    }
    QCOMPARE(changed, 1);
    // All settings of another plan bring its marks along.
    const Plan other = shardedPlan(8);
    QVERIFY(withFields(other, changedFields(other, plan)) == plan);
}

VRAMSCOPE_TEST(TestCalibration)
#include "tst_calibration.moc"
