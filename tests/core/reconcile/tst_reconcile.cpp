// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shipped_documents.h"
#include "core/plan/plan_json.h"
#include "core/readers/read_trace.h"
#include "core/reconcile/reconcile.h"
#include "core/reconcile/stack_evidence.h"
#include "tests/core/reconcile/planned_recording.h"
#include "tests/support/test.h"

#include <algorithm>

using namespace vramscope;
using namespace vramscope::test;

namespace {

Plan llamaPlan()
{
    return *parsePlan(R"({"vramscope": 1,
        "model": {"config": {"model_type": "llama", "hidden_size": 2048, "intermediate_size": 8192,
                             "num_hidden_layers": 16, "num_attention_heads": 32,
                             "num_key_value_heads": 8, "vocab_size": 32000}},
        "hardware": {"gpu": "a100-sxm-80gb", "gpus": 1},
        "batch": {"micro_batch": 2, "sequence_length": 4096}})");
}

Study studyOf(const std::shared_ptr<const Trace> &recording)
{
    return Study(recording, recording->devices().front());
}

Reconciliation held(const Plan &plan, const Plan &recorded,
                    const PlannedRecordingOptions &options = {})
{
    return reconcile(plan, studyOf(PlannedRecording(recorded, options).write()));
}

const MatchedMoment *moment(const Reconciliation &found, std::string_view name)
{
    const auto at = std::ranges::find(found.moments, name, &MatchedMoment::name);
    return at == found.moments.end() ? nullptr : &*at;
}

const Calibration *constant(const Reconciliation &found, std::string_view field)
{
    const auto at = std::ranges::find(found.calibrations, field, &Calibration::field);
    return at == found.calibrations.end() ? nullptr : &*at;
}

QString reasonsOf(const Reconciliation &found)
{
    QStringList texts;
    for (const Reason &reason : found.reasons)
        texts.append(QString::fromStdString(reason.text) + " " + QString::number(reason.bytes));
    return texts.join("; ");
}

Bytes sumOf(const Reconciliation &found)
{
    Bytes sum = found.unexplained;
    for (const Reason &reason : found.reasons)
        sum += reason.bytes;
    return sum;
}

} // namespace

class TestReconcile : public Test
{
    Q_OBJECT

private Q_SLOTS:
    void aRunThatDoesWhatThePlanSaysLeavesNothingToExplain();
    void aFirstStepIsHeldAgainstTheFirstStep();
    void aSettingOfTheRunThatThePlanHasOtherwiseIsNamed_data();
    void aSettingOfTheRunThatThePlanHasOtherwiseIsNamed();
    void anotherBatchIsToldByTheLogits();
    void settingsThatTheStacksSpeakAgainstAreNoReasons();
    void theFailedAllocationIsNamedAndWhatWasNotReachedIsNoSurprise();
    void whatIsKeptFromStepToStepIsAFact();
    void whatWasThereBeforeTheRecordingIsSharedOut();
    void withoutStacksPeakIsHeldAgainstPeak();
    void theConstantsOfTheRecordingAreFound();
    void aLossInPartsTellsNoBatch();
    void theStepThatFailedIsComparedThoughAnotherPeakedHigher();
    void aPlanWithoutFiguresAndARecordingWithoutEventsSayWhy();
    void everyShippedPlanStandsBesideAnyRecording();
    void reasonsAndTheRestAddUpToTheDifference();
    void theRunOfTorchtitanOnSixteenGpusIsExplained();
    void itStopsWhenAskedTo();
};

void TestReconcile::aRunThatDoesWhatThePlanSaysLeavesNothingToExplain()
{
    const Plan plan = llamaPlan();
    const Reconciliation found = held(plan, plan);
    QCOMPARE(found.moments.size(), std::size_t(6));
    QVERIFY(!found.firstStep);
    for (const MatchedMoment &each : found.moments) {
        QVERIFY2(each.found, each.name.c_str());
        // A phase is told by a block of 512 bytes.
        const Bytes difference = each.recorded.total() - each.predicted.total();
        QVERIFY2(difference >= 0 && difference <= 512,
                 qPrintable(QString("%1: %2").arg(each.name.c_str()).arg(difference)));
    }
    QVERIFY2(found.reasons.empty(), qPrintable(reasonsOf(found)));
    QVERIFY(std::abs(found.unexplained) <= 512);
    QVERIFY(found.candidates.empty());
    const Estimate figures = estimate(plan);
    QVERIFY(found.comparedMoment().predicted.total() == figures.peakAllocated);
}

void TestReconcile::aFirstStepIsHeldAgainstTheFirstStep()
{
    const Plan plan = llamaPlan();
    PlannedRecordingOptions options;
    options.firstStep = true;
    const Reconciliation found = held(plan, plan, options);
    QVERIFY(found.firstStep);
    const MatchedMoment *forward = moment(found, "forward");
    QVERIFY(forward && forward->found);
    QCOMPARE(forward->recorded.byCategory[std::size_t(Category::OptimizerStates)], Bytes(0));
    QVERIFY(std::abs(forward->recorded.total() - forward->predicted.total()) <= 512);
}

void TestReconcile::aSettingOfTheRunThatThePlanHasOtherwiseIsNamed_data()
{
    QTest::addColumn<QString>("path");
    QTest::addColumn<QString>("value");
    QTest::newRow("recomputation") << "activations.checkpointing"
                                   << "full";
    QTest::newRow("loss") << "loss"
                          << "fused-upcast";
    QTest::newRow("attention") << "activations.attention"
                               << "eager";
    QTest::newRow("precision") << "precision.regime"
                               << "pure-bf16";
}

void TestReconcile::aSettingOfTheRunThatThePlanHasOtherwiseIsNamed()
{
    QFETCH(QString, path);
    QFETCH(QString, value);
    const Plan plan = llamaPlan();
    Plan run = plan;
    QVERIFY(setField(run, *findField(path.toStdString()), value.toStdString()).ok());
    const Reconciliation found = held(plan, run);
    QVERIFY(!found.reasons.empty());
    QCOMPARE(found.reasons.front().kind, Reason::Kind::Setting);
    const Plan nearer = withFields(plan, found.reasons.front().settings);
    QVERIFY2(nearer == run, found.reasons.front().text.c_str());
    QVERIFY(found.reasons.front().explains > 0);
    QVERIFY2(std::abs(found.unexplained) <= 512, qPrintable(reasonsOf(found)));
}

void TestReconcile::anotherBatchIsToldByTheLogits()
{
    const Plan plan = llamaPlan();
    Plan run = plan;
    run.batch.microBatch = 3;
    // The recorded parts come as one block each, but for logits, which tell the batch.
    PlannedRecordingOptions options;
    options.logits = Bytes(3) * 4096 * 32000 * 4;
    const Reconciliation found = held(plan, run, options);
    QVERIFY(!found.reasons.empty());
    const std::vector<FieldSetting> expected{{"batch.micro_batch", std::int64_t(3)}};
    QVERIFY2(found.reasons.front().settings == expected, qPrintable(reasonsOf(found)));
    QVERIFY2(std::abs(found.unexplained) <= 512, qPrintable(reasonsOf(found)));
}

void TestReconcile::settingsThatTheStacksSpeakAgainstAreNoReasons()
{
    const auto traceWith = [](const char *name, const char *file) {
        TraceBuilder builder;
        const FrameId frames[] = {builder.internFrame(name, file, 1),
                                  builder.internFrame("train", "/home/me/train.py", 2)};
        builder.addEvent(0, {Action::Alloc, 4096, 512, 1, builder.internStack(frames)});
        return std::move(*builder.finish());
    };
    const auto against = [](const std::shared_ptr<const Trace> &trace, FieldPath path,
                            const char *value) {
        const FieldSetting setting{path, std::string(value)};
        return StackEvidence(*trace).speaksAgainst(std::span(&setting, 1));
    };
    const auto plain = traceWith("forward", "/x/model.py");
    QVERIFY(against(plain, "activations.checkpointing", "full"));
    QVERIFY(!against(plain, "activations.checkpointing", "none"));
    QVERIFY(!against(plain, "activations.attention", "eager"));
    QVERIFY(against(plain, "activations.kernels", "compiled"));

    const auto recomputes = traceWith("checkpoint", R"(C:\x\torch\utils\checkpoint.py)");
    QVERIFY(!against(recomputes, "activations.checkpointing", "full"));
    QVERIFY(against(recomputes, "activations.checkpointing", "none"));
    QVERIFY(against(recomputes, "activations.checkpointing", "selective-op"));
    const auto policy = traceWith("__torch_dispatch__", "/x/torch/utils/checkpoint.py");
    QVERIFY(!against(policy, "activations.checkpointing", "selective-op"));

    const auto flash = traceWith("at::_ops::scaled_dot_product_attention::call", "??");
    QVERIFY(against(flash, "activations.attention", "eager"));
    QVERIFY(!against(flash, "activations.attention", "flash"));

    const auto foreach = traceWith("_multi_tensor_adamw", "/x/torch/optim/adamw.py");
    QVERIFY(against(foreach, "optimizer.implementation", "fused"));
    QVERIFY(!against(foreach, "optimizer.implementation", "foreach"));

    TraceBuilder none;
    none.addEvent(0, {Action::Alloc, 4096, 512, 1});
    QVERIFY(!against(std::move(*none.finish()), "activations.checkpointing", "full"));
}

void TestReconcile::theFailedAllocationIsNamedAndWhatWasNotReachedIsNoSurprise()
{
    Plan plan = llamaPlan();
    PlannedRecordingOptions options;
    options.firstStep = true;
    options.failsAt = "forward"; // its end; the loss asks next
    options.failedBytes = Bytes(2) * 4096 * 32000 * 2;
    options.deviceFree = 100 * kMiB;
    const Reconciliation found = held(plan, plan, options);
    QVERIFY(found.failed.has_value());
    QCOMPARE(found.failed->bytes, options.failedBytes);
    QVERIFY(!found.failed->names.empty());
    QCOMPARE(found.failed->names.front().category, Category::LossAndLogits);
    const MatchedMoment &compared = found.comparedMoment();
    QVERIFY(compared.cutOff);
    QVERIFY(!moment(found, "optimizer step")->found);
    QVERIFY(QString::fromStdString(moment(found, "optimizer step")->how).contains("failed"));
}

void TestReconcile::whatIsKeptFromStepToStepIsAFact()
{
    const Plan plan = llamaPlan();
    PlannedRecordingOptions options;
    options.steps = 4;
    options.kept = kGiB;
    const Reconciliation found = held(plan, plan, options);
    const auto fact = std::ranges::find(found.reasons, Reason::Kind::Fact, &Reason::kind);
    QVERIFY(fact != found.reasons.end());
    QVERIFY2(fact->bytes >= 2 * kGiB && fact->bytes % kGiB < kMiB, qPrintable(reasonsOf(found)));
    QVERIFY(QString::fromStdString(fact->text).contains("never freed"));
}

// Recording began after two steps: parameters and states have no stacks.
void TestReconcile::whatWasThereBeforeTheRecordingIsSharedOut()
{
    const Plan plan = llamaPlan();
    PlannedRecordingOptions options;
    options.unrecorded = 2;
    options.pieces = true;
    const Reconciliation found = held(plan, plan, options);
    QVERIFY(!found.firstStep);
    const MatchedMoment *loss = moment(found, "loss");
    QVERIFY(loss && loss->found);
    for (const Category category : {Category::Parameters, Category::OptimizerStates}) {
        const auto at = static_cast<std::size_t>(category);
        QVERIFY(std::abs(loss->recorded.byCategory[at] - loss->predicted.byCategory[at]) <
                loss->predicted.byCategory[at] / 50);
    }
    QVERIFY2(std::abs(found.unexplained) < 20 * kMiB, qPrintable(reasonsOf(found)));
}

void TestReconcile::withoutStacksPeakIsHeldAgainstPeak()
{
    const Plan plan = llamaPlan();
    PlannedRecordingOptions options;
    options.stacks = false;
    const Reconciliation found = held(plan, plan, options);
    QVERIFY(found.comparedMoment().found);
    QVERIFY(std::abs(found.comparedMoment().recorded.total() -
                     found.comparedMoment().predicted.total()) <= 512);
}

void TestReconcile::theConstantsOfTheRecordingAreFound()
{
    const Plan plan = llamaPlan();
    const Settings settings = resolve(plan).settings;
    const Bytes peak = estimate(plan).peakAllocated;
    PlannedRecordingOptions options;
    options.segment = peak + peak / 4;
    options.failsAt = "loss";
    options.failedBytes = 4 * kGiB;
    options.deviceFree = settings.capacity - options.segment - kGiB;
    const Reconciliation found = held(plan, plan, options);
    const Calibration *factor = constant(found, "overheads.reserved_factor");
    QVERIFY(factor && !factor->isBytes);
    QVERIFY2(std::abs(factor->recorded - 1.25) < 0.001, factor->how.c_str());
    const Calibration *context = constant(found, "overheads.context_bytes");
    QVERIFY(context);
    QCOMPARE(Bytes(context->recorded), kGiB);
    const Calibration *workspace = constant(found, "overheads.cublas_workspace_bytes");
    QVERIFY(workspace);
    QCOMPARE(Bytes(workspace->recorded), settings.cublasWorkspaceBytes);
}

void TestReconcile::aLossInPartsTellsNoBatch()
{
    Plan plan = llamaPlan();
    Plan run = plan;
    run.loss = LossKind::Chunked;
    PlannedRecordingOptions options;
    options.logits = Bytes(2) * 4096 / 8 * 32000 * 4; // of one chunk
    const Reconciliation found = held(plan, run, options);
    for (const Reason &reason : found.reasons) {
        for (const FieldSetting &setting : reason.settings)
            QVERIFY2(!isOfGroup(setting.path, "batch"), reason.text.c_str());
    }
}

void TestReconcile::theStepThatFailedIsComparedThoughAnotherPeakedHigher()
{
    const Plan plan = llamaPlan();
    PlannedRecordingOptions options;
    options.failsAt = "forward of block 3";
    options.failsInStep = 2;
    options.failedBytes = 64 * kMiB;
    const Reconciliation found = held(plan, plan, options);
    QVERIFY(found.failed.has_value());
    QCOMPARE(found.failed->bytes, options.failedBytes);
    QCOMPARE(found.whyThisStep, std::string("An allocation failed in it."));
    QVERIFY(std::ranges::any_of(found.moments, &MatchedMoment::cutOff));
}

void TestReconcile::aPlanWithoutFiguresAndARecordingWithoutEventsSayWhy()
{
    const Reconciliation unknown = held(Plan(), llamaPlan());
    QVERIFY(unknown.moments.empty());
    QCOMPARE(unknown.remarks.size(), std::size_t(1));
    QVERIFY(
        QString::fromStdString(unknown.remarks.front()).startsWith("The plan gives no figures"));

    TraceBuilder builder;
    const FinalBlock block{.address = 4096, .size = 512, .requested = 512};
    builder.addSegment(0, {.address = 4096, .size = 512}, std::span(&block, 1));
    const Reconciliation nothing = reconcile(llamaPlan(), studyOf(std::move(*builder.finish())));
    QVERIFY(nothing.moments.empty());
    QVERIFY(QString::fromStdString(nothing.remarks.front()).contains("no events"));
}

void TestReconcile::everyShippedPlanStandsBesideAnyRecording()
{
    PlannedRecordingOptions options;
    options.failsAt = "loss"; // a failed request is looked for among the sizes of the plan
    options.failedBytes = Bytes(96) << 20;
    const auto recording = PlannedRecording(llamaPlan(), options).write();
    for (const ShippedDocument &document : shippedDocuments()) {
        if (!document.path.starts_with("examples/"))
            continue;
        const Reconciliation found = reconcile(*parsePlan(document.text), studyOf(recording));
        QVERIFY2(!found.moments.empty(), document.path.data());
        const MatchedMoment &moment = found.comparedMoment();
        QVERIFY2(moment.predicted.total() + sumOf(found) == moment.recorded.total(),
                 document.path.data());
    }
}

void TestReconcile::reasonsAndTheRestAddUpToTheDifference()
{
    const Plan plan = llamaPlan();
    Plan run = plan;
    run.activations.checkpointing = Checkpointing::EveryK;
    run.activations.every = 2;
    run.batch.sequenceLength = 2048;
    run.loss = LossKind::FusedUpcast;
    PlannedRecordingOptions options;
    options.kept = 300 * kMiB;
    const Reconciliation found = held(plan, run, options);
    const MatchedMoment &compared = found.comparedMoment();
    QCOMPARE(sumOf(found), compared.recorded.total() - compared.predicted.total());
}

// FSDP2 over 16 A100 of 40 GB; the allocation that fails is the fp32 copy of the logits.
void TestReconcile::theRunOfTorchtitanOnSixteenGpusIsExplained()
{
    const QString folder = corpusFolder();
    if (folder.isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    const auto trace = readTrace((folder + "/fsdp_oom_rank0.pickle").toStdString());
    QVERIFY(trace.ok());
    const Result<Plan> plan = parsePlan(R"({"vramscope": 1, "model": {"preset": "llama-3-8b"},
        "hardware": {"gpu": "a100-sxm-40gb", "gpus": 16, "gpus_per_node": 4},
        "parallel": {"strategy": "fsdp2", "data": 16}, "precision": {"regime": "fsdp-mixed-bf16"},
        "batch": {"micro_batch": 1, "sequence_length": 8192},
        "activations": {"checkpointing": "selective-op"}, "loss": "hf-upcast"})");
    QVERIFY(plan.ok());
    const Reconciliation found = reconcile(*plan, studyOf(*trace));
    QVERIFY(found.firstStep);
    QCOMPARE(found.comparedMoment().name, std::string("loss"));
    QVERIFY(found.comparedMoment().cutOff);
    QCOMPARE(found.failed->bytes, Bytes(4'202'692'608));
    QCOMPARE(found.failed->bytes, Bytes(4) * 8192 * 128'256);
    QVERIFY(QString::fromStdString(found.failed->names.front().text).startsWith("logits in fp32"));
    // Twice the parameters of sixteen ranks: the states are shared by eight.
    QVERIFY2(reasonsOf(found).contains("shard group 8"), qPrintable(reasonsOf(found)));
    QVERIFY(std::abs(found.unexplained) < kGiB);
    QCOMPARE(sumOf(found),
             found.comparedMoment().recorded.total() - found.comparedMoment().predicted.total());
}

void TestReconcile::itStopsWhenAskedTo()
{
    const Plan plan = llamaPlan();
    Plan run = plan;
    run.activations.checkpointing = Checkpointing::Full;
    const Study recorded = studyOf(PlannedRecording(run, {}).write());
    int calls = 0;
    static_cast<void>(reconcile(plan, recorded, [&](double done) {
        ++calls;
        return done < 0; // stop at once
    }));
    QVERIFY(calls > 0 && calls <= 4);
}

VRAMSCOPE_TEST(TestReconcile)
#include "tst_reconcile.moc"
