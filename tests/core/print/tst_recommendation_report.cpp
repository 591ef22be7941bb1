// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/durations.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan.h"
#include "core/print/recommendation_report.h"
#include "core/print/time_report.h"
#include "tests/support/test.h"

#include <nlohmann/json.hpp>

using namespace vramscope;

namespace {

constexpr Bytes kCard = 80 * kGiB;

Combination combination(std::vector<std::string> titles, Bytes device, Verdict verdict)
{
    Combination it;
    it.titles = std::move(titles);
    it.standing.device = device;
    it.standing.high = device + 10 * kGiB;
    it.standing.headroom = kCard - device;
    it.standing.fits = device <= kCard;
    it.standing.verdict = verdict;
    it.seconds = 2;
    it.tokens = 4000;
    it.slowdown = 0;
    if (!it.titles.empty())
        it.fields = {{"batch.micro_batch", std::int64_t(2)}};
    return it;
}

Plan fineTune()
{
    Plan plan;
    plan.model.preset = "qwen3-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.hardware.gpus = plan.parallel.data = 8;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.precision.regime = Regime::FsdpMixedBf16;
    plan.batch.sequenceLength = 4096;
    return plan;
}

} // namespace

class TestRecommendationReport : public test::Test
{
    Q_OBJECT

private slots:
    void theRiskSaysWhatMayBecomeOfIt();
    void theTimeIsToldBesideThatOfThePlan();
    void theTextNamesTheFieldsOfWhatIsRecommended();
    void theProjectionIsToldWithItsRangeAndItsRun();
    void whereNothingIsProjectedTheReasonStands();
    void aServedSpeedStatesItsContextAndItsLoad();
};

void TestRecommendationReport::theRiskSaysWhatMayBecomeOfIt()
{
    Combination it = combination({"A"}, 40 * kGiB, Verdict::Fits);
    QCOMPARE(riskText(it, ByteUnit::Binary), std::string("Fits even at the upper estimate."));
    it = combination({"A"}, 76 * kGiB, Verdict::Tight);
    QCOMPARE(riskText(it, ByteUnit::Binary), std::string("It may reach 86.0 GiB."));
    it.toll = Toll::Results;
    it.hostBytes = 5 * kGiB;
    QCOMPARE(riskText(it, ByteUnit::Binary),
             std::string("It may reach 86.0 GiB; 5.00 GiB of the host for each GPU; changes "
                         "rounding."));
    it = combination({"A"}, 40 * kGiB, Verdict::Fits);
    it.toll = Toll::Learning;
    it.mayStopLearning = true;
    QCOMPARE(riskText(it, ByteUnit::Binary),
             std::string("Fits even at the upper estimate; without fp32 masters the "
                         "optimizer may stop learning."));
    it = combination({"A"}, 82 * kGiB, Verdict::DoesNotFit);
    QCOMPARE(riskText(it, ByteUnit::Binary), std::string("Does not fit."));
}

void TestRecommendationReport::theTimeIsToldBesideThatOfThePlan()
{
    Combination it = combination({"A"}, kGiB, Verdict::Fits);
    QCOMPARE(slowdownText(it), std::string("2,000 tokens/s, 2.00 s a step, no slower"));
    it.slowdown = 0.284;
    QCOMPARE(slowdownText(it), std::string("2,000 tokens/s, 2.00 s a step, 28 % slower"));
    it.slowdown = -0.12;
    it.serves = true;
    it.context = 4096;
    QCOMPARE(slowdownText(it),
             std::string("2,000 tokens/s, 2.00 s a token at 4,096 tokens of context, 14 % faster"));
    it.slowdown.reset(); // of other work
    QCOMPARE(slowdownText(it),
             std::string("2,000 tokens/s, 2.00 s a token at 4,096 tokens of context"));
    it.context = 0;
    it.slowdown = 2.9;
    it.serves = false;
    QCOMPARE(slowdownText(it), std::string("2,000 tokens/s, 2.00 s a step, 3.9× slower per token"));
    it.seconds.reset();
    QCOMPARE(slowdownText(it), std::string());
    QCOMPARE(slowdownText(combination({}, kGiB, Verdict::Fits)),
             std::string("2,000 tokens/s, 2.00 s a step"));
}

void TestRecommendationReport::theTextNamesTheFieldsOfWhatIsRecommended()
{
    Recommendation found;
    QCOMPARE(recommendationText(found, kCard, ByteUnit::Binary), std::string());
    found.weighed = 3;
    const auto text = [&] {
        return QString::fromStdString(recommendationText(found, kCard, ByteUnit::Binary));
    };
    QVERIFY(text().startsWith("No combination of up to 4 changes makes this plan fit"));
    found.asItIs = combination({}, 90 * kGiB, Verdict::DoesNotFit);
    found.options = {{Recommendation::Kind::Recommended,
                      combination({"One change", "another"}, 60 * kGiB, Verdict::Fits)}};
    QVERIFY(text().startsWith("Recommended: One change + another.\n"));
    QVERIFY(text().contains("fits, 60.0 of 80.0 GiB"));
    QVERIFY(text().contains("does not fit, 90.0 of 80.0 GiB"));
    QVERIFY(text().endsWith("The fields of the first: batch.micro_batch = 2\n"));
    const auto json = recommendationJson(found);
    QCOMPARE(json[0]["kind"].get<std::string>(), std::string("recommended"));
    QCOMPARE(json[0]["fields"]["batch.micro_batch"].get<int>(), 2);
    QCOMPARE(json[0]["verdict"].get<std::string>(), std::string("fits"));
    found.options.front().kind = Recommendation::Kind::MoreGpus;
    QVERIFY(text().startsWith("No combination of up to 4 changes fits the GPUs given."));
}

void TestRecommendationReport::theProjectionIsToldWithItsRangeAndItsRun()
{
    Plan plan = fineTune();
    const QString usual = QString::fromStdString(timeText(estimate(plan)));
    QVERIFY2(usual.contains("1,000,000,000 tokens: "), qPrintable(usual));
    QVERIFY(usual.contains("GPU hours") && usual.contains("A rough projection"));
    QVERIFY(!usual.contains(" a GPU hour"));
    plan.run.tokens = 2'000'000'000;
    plan.run.gpuHourPrice = 2.5;
    const QString priced = QString::fromStdString(timeText(estimate(plan)));
    QVERIFY2(priced.contains("2,000,000,000 tokens: ") && priced.contains(" at 2.5 a GPU hour"),
             qPrintable(priced));
    const auto json = timeJson(estimate(plan));
    const double hours = json["run"]["gpu_hours"]["likely"].get<double>();
    QVERIFY(std::abs(json["run"]["cost"]["likely"].get<double>() / (2.5 * hours) - 1) < 1e-12);
    const double speed = json["tokens_per_second"]["likely"].get<double>();
    QVERIFY(std::abs(hours / (2e9 / speed * 8 / 3600) - 1) < 1e-12);
    double sum = 0;
    for (const auto &term : json["terms"])
        sum += term["seconds"].get<double>();
    QVERIFY(std::abs(sum / json["step_seconds"]["likely"].get<double>() - 1) < 1e-9);
    QCOMPARE(formatSeconds(0.0489), std::string("48.9 ms"));
    QCOMPARE(formatSeconds(87540), std::string("24 h 19 min"));
    QCOMPARE(formatSeconds(40 * 86400), std::string("40 days"));
}

void TestRecommendationReport::whereNothingIsProjectedTheReasonStands()
{
    Plan plan = fineTune();
    plan.hardware.gpu = "v100-sxm-32gb";
    QCOMPARE(timeText(estimate(plan)),
             std::string("No time is projected: the catalogue has no bf16 rate of V100 SXM2 32 "
                         "GB.\n"));
    QVERIFY(timeJson(estimate(plan))["why_not"].is_string());
    QVERIFY(timeJson(estimate(Plan())).is_null());
}

void TestRecommendationReport::aServedSpeedStatesItsContextAndItsLoad()
{
    Plan plan;
    plan.workload = Workload::Inference;
    plan.model.preset = "llama-3.1-8b";
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.inference.engine = Engine::Vllm;
    plan.inference.maxModelLen = 8192;
    plan.inference.concurrentSequences = 1;
    const QString text = QString::fromStdString(timeText(estimate(plan)));
    QVERIFY2(text.contains(u" a token at 8,192 tokens of context, "), qPrintable(text));
    QVERIFY2(text.contains(u"1,000,000,000 tokens, 1 sequence at a time, with 8,192 tokens of "
                           "context: "),
             qPrintable(text));
    const auto json = timeJson(estimate(plan));
    QCOMPARE(json["run"]["load"]["sequences"].get<int>(), 1);
    QCOMPARE(json["run"]["load"]["context_tokens"].get<int>(), 8192);
}

VRAMSCOPE_TEST(TestRecommendationReport)
#include "tst_recommendation_report.moc"
