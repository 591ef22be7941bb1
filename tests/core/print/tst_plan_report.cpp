// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/choices.h"
#include "core/plan/plan.h"
#include "core/print/plan_report.h"
#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

Estimate sampleEstimate()
{
    Estimate it;
    it.computed = true;
    it.parametersTotal = 1000;
    it.parametersActive = 600;
    it.parametersPerRank = 500;
    it.peakAllocated = 60 * kGiB;
    it.peakReserved = 66 * kGiB;
    it.peakDevice = 67 * kGiB;
    it.peakAt = "loss";
    it.firstStepAllocated = 50 * kGiB;
    it.firstStepReserved = 55 * kGiB;
    it.firstStepAt = "forward";
    it.atRest = 20 * kGiB;
    it.capacity = 80 * kGiB;
    it.headroom = 13 * kGiB;
    it.fits = true;
    it.uncertaintyLow = 65 * kGiB;
    it.uncertaintyHigh = 70 * kGiB;
    it.reservedLow = 64 * kGiB;
    it.reservedHigh = 69 * kGiB;
    Component weights;
    weights.name = "Weight shards";
    weights.bytes = 45 * kGiB;
    weights.formula = "4 N / D = 4 × 1,000 / 8";
    weights.source = "somewhere";
    Component logits;
    logits.category = Category::LossAndLogits;
    logits.name = "Logits";
    logits.bytes = 15 * kGiB;
    it.moments = {{"forward", 45 * kGiB, {weights}}, {"loss", 60 * kGiB, {weights, logits}}};
    it.peakMoment = 1;
    Component context;
    context.category = Category::Framework;
    context.name = "CUDA context";
    context.bytes = kGiB;
    context.formula = "overheads.context_bytes = 1,073,741,824";
    context.source = "calibrated from run.pickle";
    it.outside = {context};
    it.stages = {60 * kGiB, 40 * kGiB};
    it.hostBytes = 7;
    it.toHostBytes = 25'000'000'000;
    it.toDeviceBytes = 50'000'000'000;
    it.communicationBytes = 9;
    it.recomputeShare = 0.25;
    it.bubbleShare = 0.125;
    it.issues = {{Issue::Severity::Warning, "batch.no_sync", "Keeps whole gradients."}};
    return it;
}

QJsonObject object(const Plan &plan, const Estimate &estimate)
{
    const std::string line = planEstimateJson(plan, estimate, "a b.vramplan");
    if (line.find('\n') != std::string::npos)
        return {};
    return QJsonDocument::fromJson(QByteArray::fromStdString(line)).object();
}

} // namespace

class TestPlanReport : public test::Test
{
    Q_OBJECT

private slots:
    void theRangeNamesItsClassAndWhatWidensIt();
    void theAnswerSaysWhetherAndByHowMuch();
    void theAnswerSaysWhatIsNotCounted();
    void theAnswerNamesThePeaksMomentInASentence();
    void theAnswerWithoutFiguresNamesTheFirstReason();
    void jsonHoldsEveryFigureOfTheContract();
    void jsonOfWhatWasNotComputedIsNull();
    void theTextShowsLevelsPartsAndIssues();
};

void TestPlanReport::theAnswerSaysWhetherAndByHowMuch()
{
    Estimate it = sampleEstimate();
    const auto said = [&](ByteUnit unit = ByteUnit::Binary) {
        return QString::fromStdString(answerLine("A job", it, unit));
    };
    QCOMPARE(said(), u"A job: fits, 67.0 of 80.0 GiB at the loss, 13.0 GiB to spare."_s);
    it.uncertaintyHigh = 81 * kGiB;
    QCOMPARE(said(), u"A job: tight, 67.0 of 80.0 GiB at the loss; it may reach 81.0 GiB."_s);
    it.peakDevice = 81 * kGiB;
    it.fits = false;
    it.uncertaintyLow = 79 * kGiB;
    QCOMPARE(said(),
             u"A job: probably does not fit, 81.0 of 80.0 GiB at the loss, 1.00 GiB too much."_s);
    it.peakDevice = it.uncertaintyLow = it.uncertaintyHigh = 141 * kGiB;
    QCOMPARE(said(), u"A job: does not fit, 141 of 80.0 GiB at the loss, 61.0 GiB too much."_s);
    it.peakDevice = it.uncertaintyLow = it.uncertaintyHigh = 80 * kGiB;
    it.fits = true;
    QVERIFY(said().startsWith(u"A job: fits, "));
    it.inference = InferenceFigures();
    it.inference->maxContext = 4096;
    it.inference->startsServing = false;
    it.fits = false; // room on the device, but too little in the cache
    QCOMPARE(said(), u"A job: does not fit, 80.0 of 80.0 GiB at the loss; the cache has room for a "
                     "sequence of 4,096 tokens, too few."_s);
    it.fits.reset();
    it.capacity.reset();
    QCOMPARE(said(), u"A job: 80.0 GiB at the loss."_s);
    QCOMPARE(said(ByteUnit::Decimal), u"A job: 85.9 GB at the loss."_s);
}

void TestPlanReport::theAnswerSaysWhatIsNotCounted()
{
    Estimate it = sampleEstimate();
    it.issues.push_back({Issue::Severity::Warning, "model.config.vision_config",
                         "Text part only: the vision tower is not counted."});
    it.issues.push_back({Issue::Severity::Warning, "model.config.mtp_num_layers",
                         "Multi-token prediction is not counted."});
    const std::string said =
        "13.0 GiB to spare. Text part only: the vision tower is not counted. Multi-token "
        "prediction is not counted.";
    QVERIFY2(answerLine("A job", it).ends_with(said), answerLine("A job", it).c_str());
    QVERIFY(planEstimateText({}, it, "a").find(said) != std::string::npos);
    QCOMPARE(object({}, it)["not_counted"_L1].toArray(),
             (QJsonArray{u"Text part only: the vision tower is not counted."_s,
                         u"Multi-token prediction is not counted."_s}));
}

void TestPlanReport::theAnswerNamesThePeaksMomentInASentence()
{
    QCOMPARE(momentPhrase("optimizer step"), std::string("at the optimizer step"));
    QCOMPARE(momentPhrase("first backward block"), std::string("at the first backward block"));
    QCOMPARE(momentPhrase("forward"), std::string("in the forward pass"));
    QCOMPARE(momentPhrase("load"), std::string("while loading"));
    QCOMPARE(momentPhrase("serving"), std::string("while serving"));
    QCOMPARE(momentPhrase("at rest"), std::string("at rest"));
    QCOMPARE(momentPhrase("after last backward block"),
             std::string("after the last backward block"));
}

void TestPlanReport::theAnswerWithoutFiguresNamesTheFirstReason()
{
    Estimate it;
    QCOMPARE(answerLine("A job", it), std::string("No figures"));
    it.issues = {{Issue::Severity::Note, "name", "A note."},
                 {Issue::Severity::Blocking, "parallel.data", "The world is 4, not 8."},
                 {Issue::Severity::Blocking, "", "Later."}};
    QCOMPARE(answerLine("A job", it),
             std::string("No figures: parallel.data: The world is 4, not 8."));
    it.issues = {{Issue::Severity::Blocking, "model.config", "model.config.x is missing."}};
    QCOMPARE(answerLine("A job", it), std::string("No figures: model.config.x is missing."));
}

void TestPlanReport::jsonHoldsEveryFigureOfTheContract()
{
    Plan plan;
    plan.name = "A plan";
    const QByteArray expected = R"({"file":"a b.vramplan","name":"A plan","workload":"training",
        "parameters":{"total":1000,"active":600,"per_rank":500},
        "peak":{"allocated":64424509440,"reserved":70866960384,"device":71940702208,"at":"loss"},
        "first_step_peak":{"allocated":53687091200,"reserved":59055800320,"at":"forward"},
        "at_rest":{"allocated":21474836480},
        "capacity":85899345920,"headroom":13958643712,"fits":true,"verdict":"fits",
        "answer":"A plan: fits, 67.0 of 80.0 GiB at the loss, 13.0 GiB to spare.",
        "uncertainty":{"low":69793218560,"high":75161927680,
                       "reserved_low":68719476736,"reserved_high":74088185856},
        "range":{"class":null,"widened_by":null,
                 "source":"Range: the spreads of its parts; no total of a comparable run has been measured."},
        "components":[
            {"category":"Parameters","name":"Weight shards","bytes":48318382080,
             "formula":"4 N / D = 4 × 1,000 / 8","source":"somewhere"},
            {"category":"Loss and logits","name":"Logits","bytes":16106127360,"formula":"",
             "source":""}],
        "outside":[
            {"category":"Framework","name":"CUDA context","bytes":1073741824,
             "formula":"overheads.context_bytes = 1,073,741,824",
             "source":"calibrated from run.pickle"}],
        "moments":[
            {"name":"forward","allocated":48318382080,"components":[
                {"category":"Parameters","name":"Weight shards","bytes":48318382080,
                 "formula":"4 N / D = 4 × 1,000 / 8","source":"somewhere"}]},
            {"name":"loss","allocated":64424509440,"components":[
                {"category":"Parameters","name":"Weight shards","bytes":48318382080,
                 "formula":"4 N / D = 4 × 1,000 / 8","source":"somewhere"},
                {"category":"Loss and logits","name":"Logits","bytes":16106127360,"formula":"",
                 "source":""}]}],
        "stages":[{"stage":0,"allocated":64424509440},{"stage":1,"allocated":42949672960}],
        "inference":null,
        "host":{"bytes":7,"to_host_per_step":25000000000,"to_device_per_step":50000000000,
                "seconds_per_step":{"pcie-4":3.0,"pcie-5":1.5,"nvlink-c2c":0.16666666666666666}},
        "communication":{"bytes_per_step":9},
        "side_effects":{"recompute_share":0.25,"bubble_share":0.125},
        "time":null,
        "not_counted":[],
        "issues":[{"field":"batch.no_sync","text":"Keeps whole gradients."}]})";
    const QJsonObject wanted = QJsonDocument::fromJson(expected).object();
    QVERIFY(!wanted.isEmpty());
    const QJsonObject json = object(plan, sampleEstimate());
    QCOMPARE(json.keys(), wanted.keys());
    for (const QString &key : wanted.keys())
        QVERIFY2(json[key] == wanted[key], qPrintable(key));

    Estimate serving = sampleEstimate();
    serving.inference = InferenceFigures{.weights = 1,
                                         .kvBytesPerToken = 2,
                                         .activationPeak = 3,
                                         .nonTorch = 4,
                                         .kvCache = 5,
                                         .kvCacheLow = 4,
                                         .kvCacheHigh = 6,
                                         .kvBlocks = 6,
                                         .kvTokens = 7,
                                         .maxConcurrency = 1.5,
                                         .maxContext = 8,
                                         .blockWaste = 9};
    const QByteArray figures =
        R"({"weights":1,"kv_bytes_per_token":2,"state_bytes_per_sequence":0,"activation_peak":3,
        "non_torch":4,"kv_cache":5,"kv_cache_range":{"low":4,"high":6},"kv_blocks":6,"kv_tokens":7,"kv_tokens_printed":0,"max_concurrency":1.5,
        "max_context":8,"block_waste":9})";
    QCOMPARE(object(plan, serving)[u"inference"].toObject(),
             QJsonDocument::fromJson(figures).object());
}

void TestPlanReport::jsonOfWhatWasNotComputedIsNull()
{
    Estimate it;
    it.parametersTotal = 5;
    it.capacity = 80;
    it.issues = {{Issue::Severity::Blocking, "workload", "Not yet."}};
    Plan plan;
    plan.workload = Workload::Inference;
    const QJsonObject json = object(plan, it);
    QVERIFY(json[u"name"].isNull());
    QCOMPARE(json[u"workload"].toString(), QStringLiteral("inference"));
    QCOMPARE(json[u"parameters"][u"total"].toInt(), 5);
    QVERIFY(json[u"parameters"][u"per_rank"].isNull());
    for (const char *level : {"allocated", "reserved", "device", "at"})
        QVERIFY(json[u"peak"][QLatin1String(level)].isNull());
    QVERIFY(json[u"at_rest"][u"allocated"].isNull());
    QVERIFY(json[u"fits"].isNull() && json[u"verdict"].isNull() && json[u"headroom"].isNull());
    QCOMPARE(json[u"capacity"].toInt(), 80);
    QVERIFY(json[u"components"].toArray().isEmpty() && json[u"moments"].toArray().isEmpty());
    QCOMPARE(json[u"issues"][0][u"field"].toString(), QStringLiteral("workload"));
}

void TestPlanReport::theTextShowsLevelsPartsAndIssues()
{
    Plan plan;
    plan.name = "A plan";
    const QString text = QString::fromStdString(planEstimateText(plan, sampleEstimate(), "f"));
    const QStringList lines = text.split(u'\n');
    QCOMPARE(lines[0], QStringLiteral("A plan (f)"));
    QVERIFY(lines[1].startsWith(u"A plan: fits, 67.0 of 80.0 GiB"));
    QCOMPARE(lines[2],
             QStringLiteral("Parameters: 1,000, 600 active, 500 on one GPU before sharding"));
    for (const char *part :
         {"peak allocated", "peak reserved", "nvidia-smi; likely between 65.0 GiB and 70.0 GiB",
          "4 N / D = 4 × 1,000 / 8", "75 %", "Loss and logits", "stage 1", "the figures above",
          "overheads.context_bytes = 1,073,741,824, calibrated from run.pickle",
          "warning: batch.no_sync: Keeps whole gradients."})
        QVERIFY2(text.contains(QString::fromUtf8(part)), part);

    Estimate none;
    none.issues = {{Issue::Severity::Blocking, "workload", "Not yet."}};
    QCOMPARE(planEstimateText(Plan(), none, "f"),
             std::string("f\nNo figures: workload: Not yet.\n\nerror: workload: Not yet.\n"));
}

void TestPlanReport::theRangeNamesItsClassAndWhatWidensIt()
{
    const auto has = [](const Estimate &it, std::string_view words) {
        return rangeSourceText(it).find(words) != std::string::npos;
    };
    Estimate it = sampleEstimate();
    QVERIFY(has(it, "spreads of its parts"));
    it.bandClass = "training, dense, fsdp1";
    QVERIFY(has(it, "public figures for training dense models lay in it"));
    QVERIFY(has(it, "are for training dense models under FSDP1, too few for a range of their own"));
    it.bandClass = "training, dense, zero";
    QVERIFY(has(it, "None of them is for training dense models under ZeRO."));
    it.bandClass = "training";
    it.bandWidenedBy = "no formula reads clip_qkv of its config";
    QVERIFY(has(it, "all training because no formula reads clip_qkv"));
    it.computed = false;
    QCOMPARE(rangeSourceText(it), std::string());
}

VRAMSCOPE_TEST(TestPlanReport)
#include "tst_plan_report.moc"
