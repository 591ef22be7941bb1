// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/estimate/lifecycle.h"
#include "core/estimate/peak_summary.h"
#include "core/estimate/rollout/rollout_memory.h"
#include "core/model/parameters.h"
#include "core/plan/field.h"
#include "core/plan/plan.h"
#include "core/settings/checks.h"
#include "core/settings/rollout.h"
#include "core/settings/settings.h"
#include "tests/support/test.h"

#include <QFile>
#include <QTextStream>

#include <algorithm>
#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

/// GRPO of Qwen2.5 7B on one node, as verl runs it.
Plan learningPlan()
{
    Plan plan;
    plan.workload = Workload::Rl;
    plan.model.preset = "qwen2.5-7b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = 8;
    plan.parallel.data = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.microBatch = 2;
    plan.batch.sequenceLength = 3072;
    plan.activations.checkpointing = Checkpointing::Full;
    plan.inference.engine = Engine::Vllm;
    plan.inference.engineVersion = "0.11.0";
    plan.inference.gpuMemoryUtilization = 0.5;
    plan.rl.tensor = 2;
    return plan;
}

Bytes partOf(const Moment &moment, std::string_view name)
{
    const auto found = std::ranges::find(moment.components, name, &Component::name);
    return found == moment.components.end() ? 0 : found->bytes;
}

const Moment &momentNamed(const Estimate &estimate, std::string_view name)
{
    return *std::ranges::find(estimate.moments, name, &Moment::name);
}

bool says(const Estimate &estimate, FieldPath field, std::string_view words)
{
    return std::ranges::any_of(estimate.issues, [&](const Issue &issue) {
        return issue.field == field.text() && issue.text.find(words) != std::string::npos;
    });
}

} // namespace

class TestRollout : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theUpdateIsThatOfTheTrainerAlone();
    void generationIsTheEngineBesideWhatTheTrainerKeeps();
    void everyPhaseAddsUpAndTheHighestIsThePeak();
    void whatSleepsOrIsOffloadedIsNotOnTheDevice();
    void aReferenceAndACriticTakeTheirShare();
    void summariesEqualEstimates();
    void theShardsOfALoggedRunAreFound();
    void forwardWithoutGradientsIsThatOfTransformers_data();
    void forwardWithoutGradientsIsThatOfTransformers();
    void anEngineThatDoesNotStartIsNamed();
    void settingsThatDoNotGoTogetherAreNamed();
    void valuesOfTheEngineAreItsOwn();
    void theStepIsDrawnWithItsPhases();
};

void TestRollout::theUpdateIsThatOfTheTrainerAlone()
{
    Plan both = learningPlan();
    QCOMPARE(std::get<std::string>(effectiveValue(both, fieldAt("loss"))),
             std::string("selective-log-softmax"));
    both.loss = LossKind::InPlace;
    Plan alone = both;
    alone.workload = Workload::Training;
    const Estimate learning = estimate(both);
    const Estimate training = estimate(alone);
    QVERIFY2(learning.computed, whyNotComputed(learning).c_str());
    int compared = 0;
    for (const Moment &moment : training.moments) {
        if (moment.name == "load")
            continue;
        ++compared;
        QCOMPARE(momentNamed(learning, moment.name).allocated, moment.allocated);
    }
    QVERIFY(compared > 5);
    QCOMPARE(learning.atRest, training.atRest);
    QCOMPARE(learning.communicationBytes, training.communicationBytes);
}

void TestRollout::generationIsTheEngineBesideWhatTheTrainerKeeps()
{
    const Plan plan = learningPlan();
    const Estimate learning = estimate(plan);
    const Estimate engine = estimate(enginePlan(plan, *learning.settings));
    QVERIFY2(engine.computed, whyNotComputed(engine).c_str());
    const Moment &generation = momentNamed(learning, "generation");
    QCOMPARE(generation.allocated, learning.atRest + momentNamed(engine, "serving").allocated);
    QCOMPARE(partOf(generation, "Engine: Key-value cache"), engine.inference->kvCache);
    QCOMPARE(learning.inference->kvTokens, engine.inference->kvTokens);
    QVERIFY(engine.inference->kvTokens > 0);
}

void TestRollout::everyPhaseAddsUpAndTheHighestIsThePeak()
{
    for (const double share : {0.3, 0.5, 0.8}) {
        for (const std::int64_t batch : {1, 8}) {
            Plan plan = learningPlan();
            plan.inference.gpuMemoryUtilization = share;
            plan.batch.microBatch = batch;
            const Estimate it = estimate(plan);
            const std::vector<RolloutPhase> phases = rolloutPhases(it);
            QCOMPARE(phases.size(), std::size_t(4));
            Bytes highest = 0;
            for (const RolloutPhase &phase : phases) {
                QCOMPARE(phase.trainer + phase.engine, it.moments[phase.moment].allocated);
                highest = std::max(highest, phase.device);
            }
            QCOMPARE(highest, it.peakDevice);
            QCOMPARE(it.moments[it.peakMoment].name, it.peakAt);
        }
    }
}

void TestRollout::whatSleepsOrIsOffloadedIsNotOnTheDevice()
{
    Plan plan = learningPlan();
    const Estimate asleep = estimate(plan);
    plan.rl.sleepLevel = 0;
    const Estimate awake = estimate(plan);
    const Bytes held = asleep.inference->weights + asleep.inference->kvCache;
    QCOMPARE(momentNamed(awake, "loss").allocated, momentNamed(asleep, "loss").allocated + held);
    QCOMPARE(asleep.hostBytes - awake.hostBytes, asleep.inference->weights);

    plan = learningPlan();
    plan.rl.paramOffload = true;
    plan.rl.optimizerOffload = true;
    const Estimate offloaded = estimate(plan);
    const Moment &generation = momentNamed(offloaded, "generation");
    QCOMPARE(partOf(generation, "Weight shards"), Bytes(0));
    QCOMPARE(partOf(generation, "Adam first moment shards"), Bytes(0));
    QVERIFY(partOf(momentNamed(offloaded, "weight sync"), "Weight shards") > 0);
    QCOMPARE(partOf(momentNamed(offloaded, "weight sync"), "Adam first moment shards"), Bytes(0));
    QCOMPARE(momentNamed(offloaded, "loss").allocated, momentNamed(asleep, "loss").allocated);
    const Bytes shards = partOf(momentNamed(asleep, "generation"), "Weight shards");
    QCOMPARE(offloaded.hostBytes - asleep.hostBytes, 3 * shards); // weights and two moments in fp32
}

void TestRollout::aReferenceAndACriticTakeTheirShare()
{
    const Estimate bare = estimate(learningPlan());
    Plan plan = learningPlan();
    plan.rl.reference = true;
    const Estimate reference = estimate(plan);
    const Bytes shards = partOf(momentNamed(bare, "loss"), "Weight shards");
    QCOMPARE(partOf(momentNamed(reference, "loss"), "Reference model"), shards / 2);
    plan.rl.referenceOffload = true; // gathered unit by unit from the host
    const Estimate onHost = estimate(plan);
    QCOMPARE(momentNamed(onHost, "loss").allocated, momentNamed(bare, "loss").allocated);
    QCOMPARE(onHost.hostBytes - bare.hostBytes, shards / 2);

    plan = learningPlan();
    plan.rl.critic = true;
    const Estimate critic = estimate(plan);
    QCOMPARE(partOf(momentNamed(critic, "loss"), "Critic: Weight shards"), shards);
    QCOMPARE(partOf(momentNamed(critic, "loss"), "Critic: Adam second moment shards"), shards);
    QVERIFY(says(critic, "rl.critic", "policy's shape"));
}

void TestRollout::summariesEqualEstimates()
{
    std::vector<Plan> plans(5, learningPlan());
    plans[1].rl.sleepLevel = 0;
    plans[2].rl.paramOffload = plans[2].rl.optimizerOffload = plans[2].rl.critic = true;
    plans[3].inference.engine = Engine::Sglang;
    plans[3].inference.engineVersion.reset();
    plans[4].batch.microBatch = 16;
    for (const Plan &plan : plans) {
        const Estimate it = estimate(plan);
        QVERIFY2(it.computed, whyNotComputed(it).c_str());
        const auto counts = countParameters(it.settings->architecture);
        const auto summary = peakSummary(*it.settings, counts);
        QVERIFY(summary);
        QCOMPARE(summary->allocated, it.peakAllocated);
        QCOMPARE(summary->reserved, it.peakReserved);
        QCOMPARE(summary->device, it.peakDevice);
        QCOMPARE(summary->peakAt(), it.peakAt);
        QCOMPARE(summary->hostBytes, it.hostBytes);
        QCOMPARE(summary->firstStepAllocated, it.firstStepAllocated);
    }
}

/// "Before building vllm rollout, memory allocated (GB): 3.564157009124756", in GiB: verl 0.2,
/// Qwen2.5-7B under FSDP on 8 GPUs, hkust-nlp/simpleRL-reason#84.
void TestRollout::theShardsOfALoggedRunAreFound()
{
    const Plan plan = learningPlan();
    const Estimate it = estimate(plan);
    const double logged = 3.564157009124756 * 1024 * 1024 * 1024;
    const auto shards = static_cast<double>(partOf(momentNamed(it, "generation"), "Weight shards"));
    QVERIFY2(std::abs(shards / logged - 1) < 0.01, qPrintable(QString::number(shards / logged)));
}

void TestRollout::forwardWithoutGradientsIsThatOfTransformers_data()
{
    QTest::addColumn<QString>("config");
    QTest::addColumn<int>("batch");
    QTest::addColumn<int>("length");
    QTest::addColumn<qint64>("peak");
    QFile file(test::projectFile(u"tests/data/forward_without_gradients.csv"_s));
    QVERIFY(file.open(QIODevice::ReadOnly));
    QTextStream lines(&file);
    lines.readLine(); // the heads
    while (!lines.atEnd()) {
        const QString line = lines.readLine();
        const QStringList cells = line.section(u',', 0, 3).split(u',');
        QString config = line.section(u',', 4);
        config = config.sliced(1, config.size() - 2).replace(u"\"\""_s, u"\""_s);
        QTest::addRow("%s, %s x %s", qPrintable(cells[0]), qPrintable(cells[1]),
                      qPrintable(cells[2]))
            << config << cells[1].toInt() << cells[2].toInt() << cells[3].toLongLong();
    }
}

void TestRollout::forwardWithoutGradientsIsThatOfTransformers()
{
    QFETCH(QString, config);
    QFETCH(int, batch);
    QFETCH(int, length);
    QFETCH(qint64, peak);
    Plan plan = learningPlan();
    plan.model = {};
    plan.model.config = config.toStdString();
    plan.hardware.gpus = 1;
    plan.parallel = {};
    plan.rl.tensor = 1;
    plan.precision.regime = Regime::PureBf16;
    plan.batch.sequenceLength = length;
    plan.rl.logProbMicroBatch = batch;
    const Estimate it = estimate(plan);
    QVERIFY2(it.computed, whyNotComputed(it).c_str());
    const auto found = static_cast<double>(
        partOf(momentNamed(it, "log-probabilities"), "Activations of a block without gradients"));
    const double difference = found / static_cast<double>(peak) - 1;
    QVERIFY2(std::abs(difference) < 0.01, qPrintable(QString::number(difference)));
}

void TestRollout::anEngineThatDoesNotStartIsNamed()
{
    Plan plan = learningPlan();
    plan.inference.gpuMemoryUtilization = 0.97;
    const Estimate greedy = estimate(plan);
    QVERIFY(says(greedy, "inference.gpu_memory_utilization", "it does not start"));
    QCOMPARE(greedy.fits, std::optional(false));

    plan = learningPlan();
    plan.inference.maxModelLen = 30'000;
    plan.inference.gpuMemoryUtilization = 0.175;
    const Estimate small = estimate(plan);
    QVERIFY(says(small, "inference.max_model_len", "does not start"));
    QCOMPARE(small.fits, std::optional(false));
}

void TestRollout::settingsThatDoNotGoTogetherAreNamed()
{
    Plan plan = learningPlan();
    plan.rl.tensor = 3;
    const Estimate uneven = estimate(plan);
    QVERIFY(!uneven.computed);
    QVERIFY(says(uneven, "rl.tensor", "no whole number of engines"));

    plan.rl.tensor = 0;
    QVERIFY(!estimate(plan).computed);
    plan.rl.tensor = 8; // 28 heads do not divide over it
    const Estimate odd = estimate(plan);
    QVERIFY(!odd.computed);
    QVERIFY(!soundPlan(plan, *odd.settings));
    QVERIFY(soundPlan(learningPlan(), resolve(learningPlan()).settings));

    plan = learningPlan();
    plan.model = {};
    plan.model.pipeline = "flux.1-dev";
    QVERIFY(!estimate(plan).computed);
    QVERIFY(says(estimate(learningPlan()), "workload", "not projected"));
}

void TestRollout::valuesOfTheEngineAreItsOwn()
{
    const Plan plan = learningPlan();
    const Settings settings = resolve(plan).settings;
    QVERIFY(settings.rollout);
    for (const Field &field : planFields())
        if (field.path.text().starts_with("inference.") && field.inForce)
            QVERIFY2(effectiveValue(plan, settings, field) ==
                         effectiveValue(enginePlan(plan, settings), *settings.rollout, field),
                     std::string(field.path.text()).c_str());
    QCOMPARE(std::get<std::int64_t>(effectiveValue(plan, fieldAt("inference.max_model_len"))),
             std::int64_t(3072));
    // The engine gets the trainer's weights, whatever format the model is published in.
    Plan published = plan;
    published.model.preset = "gpt-oss-20b";
    QCOMPARE(std::get<std::string>(effectiveValue(published, fieldAt("inference.weight_format"))),
             std::string("bf16"));
}

void TestRollout::theStepIsDrawnWithItsPhases()
{
    const Estimate it = estimate(learningPlan());
    const Lifecycle drawn = lifecycle(it);
    std::vector<StepPhase> phases;
    Bytes highest = 0;
    for (const LifecyclePoint &point : drawn.steadyStep) {
        if (phases.empty() || phases.back() != point.phase)
            phases.push_back(point.phase);
        highest = std::max(highest, point.allocated);
    }
    QCOMPARE(phases.front(), StepPhase::Generate);
    QCOMPARE(phases[1], StepPhase::LogProbabilities);
    QCOMPARE(phases[2], StepPhase::Forward);
    QCOMPARE(phases[phases.size() - 2], StepPhase::WeightSync);
    QVERIFY(highest >= it.peakAllocated);
}

VRAMSCOPE_TEST(TestRollout)
#include "tst_rollout.moc"
