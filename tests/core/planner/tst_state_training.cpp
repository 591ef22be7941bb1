// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/shipped_documents.h"
#include "core/estimate/lifecycle.h"
#include "core/validation/shipped.h"
#include "tests/core/planner/sample_plans.h"
#include "tests/support/test.h"

#include <QFile>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>

using namespace vramscope;
using namespace vramscope::test;
using namespace Qt::StringLiterals;

namespace {

/// Training of a published model on eight GPUs.
Plan hybrid(const QString &model, Strategy strategy = Strategy::Fsdp2)
{
    QFile file(projectFile(u"tests/measure/caches/configs/%1.json"_s.arg(model)));
    Plan plan = shardedPlan(8, strategy);
    plan.model.preset.reset();
    if (file.open(QIODevice::ReadOnly))
        plan.model.config = file.readAll().toStdString();
    plan.activations.checkpointing = Checkpointing::Full;
    return plan;
}

/// The field that a plan is refused at; empty where it is computed.
std::string refusedAt(const Plan &plan)
{
    const Estimate answer = estimate(plan);
    for (const Issue &issue : answer.issues)
        if (issue.severity == Issue::Severity::Blocking)
            return issue.field;
    return answer.computed ? std::string() : "no figures";
}

Bytes highest(const std::vector<LifecyclePoint> &points)
{
    const auto most = std::ranges::max_element(points, {}, &LifecyclePoint::allocated);
    return most == points.end() ? 0 : most->allocated;
}

} // namespace

class TestStateTraining : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void whatLayersSaveIsMetWithinOnePercentAtThreeShapes();
    void thePeakIsFoundAmongLayersOfSeveralKinds_data();
    void thePeakIsFoundAmongLayersOfSeveralKinds();
    void partsOfEachKindHaveNamesOfTheirOwn();
    void layersThatNobodyMeasuredAreRefused();
    void settingsThatNobodyMeasuredAreRefusedWhereTheyStand();
    void whereBuffersWidenTheStreamOfFalconIsRefused();
    void targetsThatPeftDoesNotTrainAreRefused();
    void eachLinearLayerOfAMixerHasAnAdapter();
    void expertsThatAllReadEveryTokenAreNotTakenForChosenOnes();
};

void TestStateTraining::whatLayersSaveIsMetWithinOnePercentAtThreeShapes()
{
    const Validation all = validate(shippedRows(), shippedSetup);
    std::map<QString, int> shapes;
    for (const ComparedFigure &figure : all.rows) {
        if (figure.row.figure.find("components.Saved activations") == std::string::npos ||
            figure.row.setup.find("hybrid-") == std::string::npos)
            continue;
        QVERIFY2(
            std::abs(figure.errorPercent) <= 1,
            qPrintable(
                u"%1: %2 %"_s.arg(QString::fromStdString(figure.row.id)).arg(figure.errorPercent)));
        QString model = QString::fromStdString(figure.row.setup).section(u"hybrid-"_s, 1);
        model.remove(u".json"_s).remove(u"-wide"_s).remove(u"-batch"_s);
        ++shapes[model];
    }
    QCOMPARE(shapes.size(), std::size_t(13));
    for (const auto &[model, count] : shapes)
        QVERIFY2(count == 3, qPrintable(model));
}

void TestStateTraining::thePeakIsFoundAmongLayersOfSeveralKinds_data()
{
    QTest::addColumn<QString>("model");
    for (const char *model : {"bamba-9b", "falcon-h1-0.5b", "falcon-h1-34b", "granite-4.0-h-tiny",
                              "jamba-mini-1.5", "kimi-linear-48b-a3b", "lfm2-1.2b", "lfm2-8b-a1b",
                              "minimax-text-01", "nemotron-3-nano-30b-a3b", "nemotron-h-8b",
                              "qwen3-next-80b-a3b", "qwen3.5-27b", "qwen3.5-4b"})
        QTest::newRow(model) << QString::fromLatin1(model);
}

void TestStateTraining::thePeakIsFoundAmongLayersOfSeveralKinds()
{
    QFETCH(QString, model);
    for (const Strategy strategy : {Strategy::None, Strategy::Ddp, Strategy::Fsdp1, Strategy::Fsdp2,
                                    Strategy::Zero2, Strategy::Zero3}) {
        for (const Checkpointing policy : {Checkpointing::None, Checkpointing::Full}) {
            Plan plan = hybrid(model, strategy);
            plan.activations.checkpointing = policy;
            plan.precision.regime = strategy == Strategy::Fsdp2 && !model.startsWith(u"falcon"_s)
                                        ? Regime::FsdpMixedBf16
                                        : Regime::PureBf16;
            if (strategy == Strategy::None)
                plan.parallel.data = 1;
            const Estimate answer = estimate(plan);
            QVERIFY2(answer.computed, refusedAt(plan).c_str());
            const Lifecycle step = lifecycle(answer);
            QCOMPARE(std::max(highest(step.steadyStep), highest(step.firstStep)),
                     answer.peakAllocated);
            QCOMPARE(highest(step.firstStep), answer.firstStepAllocated);
        }
    }
}

void TestStateTraining::partsOfEachKindHaveNamesOfTheirOwn()
{
    const Lifecycle step = lifecycle(estimate(hybrid(u"nemotron-3-nano-30b-a3b"_s)));
    std::vector<std::string> names;
    for (const auto &part : step.parts)
        names.push_back(part.name);
    for (const char *name : {"State block inputs kept by checkpointing",
                             "Attention block inputs kept by checkpointing",
                             "Expert block inputs kept by checkpointing", "Recomputed state block"})
        QVERIFY2(std::ranges::find(names, name) != names.end(), name);
    std::erase_if(names, [](const std::string &name) { // FSDP2's units are of no kind
        return name.find("state block") == name.npos && name.find("attention block") == name.npos &&
               name.find("expert block") == name.npos;
    });
    QVERIFY(names.size() >= 6);
    std::ranges::sort(names);
    const auto twice = std::ranges::adjacent_find(names);
    QVERIFY2(twice == names.end(), twice == names.end() ? "" : twice->c_str());
}

void TestStateTraining::layersThatNobodyMeasuredAreRefused()
{
    for (const QString &model :
         {u"zamba2-1.2b"_s, u"nemotron-3-super-120b-a12b"_s, u"mamba-130m"_s}) {
        const Plan plan = hybrid(model);
        QVERIFY2(refusedAt(plan) == "workload", qPrintable(model));
        QVERIFY(estimate(plan).parametersTotal > 0);
    }
}

void TestStateTraining::settingsThatNobodyMeasuredAreRefusedWhereTheyStand()
{
    QCOMPARE(refusedAt(hybrid(u"qwen3.5-27b"_s)), std::string());
    const std::vector<std::pair<std::string, std::function<void(Plan &)>>> changes = {
        {"activations.kernels", [](Plan &plan) { plan.activations.kernels = Kernels::Compiled; }},
        {"precision.regime", [](Plan &plan) { plan.precision.regime = Regime::Fp32; }},
        {"activations.checkpointing",
         [](Plan &plan) { plan.activations.checkpointing = Checkpointing::SelectiveOp; }},
        {"parallel.tensor",
         [](Plan &plan) {
             plan.parallel.tensor = 2;
             plan.parallel.data = 4;
         }},
        {"parallel.pipeline",
         [](Plan &plan) {
             plan.parallel.pipeline = 2;
             plan.parallel.data = 4;
         }},
        {"adapters.base_quantization",
         [](Plan &plan) {
             plan.adapters.kind = AdapterKind::Lora;
             plan.adapters.targets = {"q", "v"};
             plan.adapters.baseQuantization = BaseQuantization::Int8;
         }},
        {"activations.checkpointing", [](Plan &plan) {
             plan.adapters.kind = AdapterKind::Lora;
             plan.adapters.targets = {"q", "v"};
             plan.adapters.baseQuantization = BaseQuantization::Nf4;
             plan.activations.checkpointing = Checkpointing::None;
         }}};
    for (const auto &[field, change] : changes) {
        Plan plan = hybrid(u"qwen3.5-27b"_s);
        change(plan);
        QCOMPARE(refusedAt(plan), field);
    }
}

void TestStateTraining::whereBuffersWidenTheStreamOfFalconIsRefused()
{
    Plan plan = hybrid(u"falcon-h1-0.5b"_s);
    plan.precision.regime = Regime::FsdpMixedBf16;
    QCOMPARE(refusedAt(plan), std::string("precision.regime"));
    plan.precision.regime = Regime::PureBf16;
    QCOMPARE(refusedAt(plan), std::string());
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = {"q", "v"};
    QCOMPARE(refusedAt(plan), std::string());
}

// Projections whose weight the layer reads itself get adapters that are never trained, or none.
void TestStateTraining::targetsThatPeftDoesNotTrainAreRefused()
{
    const std::vector<std::pair<QString, std::string>> refused = {
        {u"nemotron-h-56b"_s, "out_proj"},       {u"nemotron-h-56b"_s, "all-linear"},
        {u"falcon-h1-0.5b"_s, "all-linear"},     {u"kimi-linear-48b-a3b"_s, "all-linear"},
        {u"qwen3-next-80b-a3b"_s, "all-linear"}, {u"qwen3-next-80b-a3b"_s, "gate"}};
    for (const auto &[model, target] : refused) {
        Plan plan = hybrid(model);
        plan.adapters.kind = AdapterKind::Lora;
        plan.adapters.rank = 16;
        plan.adapters.targets = {"q", target};
        QCOMPARE(refusedAt(plan), std::string("adapters.targets"));
        plan.adapters.targets = {"q", "in_proj"};
        QCOMPARE(refusedAt(plan), std::string());
    }
}

// PEFT 0.21 counts 116,727,808 trainable parameters on transformers' model: a product for each of
// queries with keys and values, gate, beta and decay has an adapter.
void TestStateTraining::eachLinearLayerOfAMixerHasAnAdapter()
{
    Plan plan = hybrid(u"qwen3.5-27b"_s, Strategy::None);
    plan.hardware.gpus = 1;
    plan.parallel.data = 1;
    plan.precision.regime = Regime::PureBf16;
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = {"all-linear"};
    QCOMPARE(refusedAt(plan), std::string());
    QCOMPARE(test::partAt(estimate(plan), "at rest", "Adapter weights"), Bytes(4) * 116'727'808);
}

void TestStateTraining::expertsThatAllReadEveryTokenAreNotTakenForChosenOnes()
{
    Plan plan = hybrid(u"llama-4-scout"_s);
    plan.batch.sequenceLength = 8192;
    QCOMPARE(refusedAt(plan), std::string());
    const Estimate all = estimate(plan);
    plan.activations.kernels = Kernels::Compiled; // of the one expert that a token chooses
    QCOMPARE(refusedAt(plan), std::string());
    QVERIFY(all.peakAllocated > estimate(plan).peakAllocated);
    plan.activations.kernels = Kernels::Eager;
    plan.batch.sequenceLength = 8193; // attention in chunks takes a mask
    QCOMPARE(refusedAt(plan), std::string("batch.sequence_length"));
    plan.batch.sequenceLength = 8192;
    plan.adapters.kind = AdapterKind::Lora;
    QCOMPARE(refusedAt(plan), std::string("adapters.kind"));
}

VRAMSCOPE_TEST(TestStateTraining)
#include "tst_state_training.moc"
