// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/estimate.h"
#include "core/planner/settings.h"
#include "core/projection/scaling.h"
#include "tests/support/test.h"

#include <array>
#include <cmath>
#include <string>

using namespace vramscope;

namespace {

/// Two runs of a family whose speeds were published: tokens a second and GPU.
struct Family
{
    const char *source;
    const char *model; ///< "mpt WIDTH LAYERS HEADS", or a name of the catalogue
    const char *gpu;
    std::int64_t sequence;
    std::int64_t microBatch;
    Checkpointing checkpointing;
    Sharding sharding;
    bool fp8;
    std::int64_t fewest;
    double speedOfFewest;
    std::int64_t most;
    double speedOfMost;
};

using enum Checkpointing;
constexpr auto kFull = Sharding::FullShard;
constexpr auto kGrad = Sharding::ShardGradOp;

// mosaicml/llm-foundry@8c8dd48f scripts/train/benchmarking; pytorch/torchtitan@b5bcd76c benchmarks.
constexpr std::array kFamilies = {
    Family{"MPT 70B", "mpt 8192 80 64", "h100-sxm-80gb", 2048, 8, Full, kFull, false, 128, 1058,
           512, 1007},
    Family{"MPT 13B", "mpt 5120 40 40", "h100-sxm-80gb", 2048, 16, Full, kFull, false, 128, 5080,
           512, 4952},
    Family{"MPT 7B", "mpt 4096 32 32", "h100-sxm-80gb", 2048, 6, None, kFull, false, 128, 10475,
           512, 9670},
    Family{"MPT 1B", "mpt 2048 24 16", "h100-sxm-80gb", 2048, 12, None, kGrad, false, 128, 44123,
           512, 39837},
    Family{"MPT 13B, 8 to 64", "mpt 5120 40 40", "h100-sxm-80gb", 2048, 2, Full, kFull, false, 8,
           4792, 64, 4800},
    Family{"MPT 13B, A100", "mpt 5120 40 40", "a100-sxm-40gb", 2048, 16, Full, kFull, false, 64,
           1976, 128, 1972},
    Family{"MPT 7B, A100", "mpt 4096 32 32", "a100-sxm-40gb", 2048, 18, Full, kFull, false, 32,
           3725, 128, 3623},
    Family{"Llama 8B", "llama-3.1-8b", "h100-sxm-96gb", 8192, 2, SelectiveOp, kFull, false, 8, 5762,
           128, 5605},
    Family{"Llama 8B, compiled", "llama-3.1-8b", "h100-sxm-96gb", 8192, 2, SelectiveOp, kFull,
           false, 8, 6667, 128, 6514},
    Family{"Llama 8B, float8", "llama-3.1-8b", "h100-sxm-96gb", 8192, 2, SelectiveOp, kFull, true,
           8, 8532, 128, 8380},
    Family{"Llama 8B, float8, H200", "llama-3.1-8b", "h200-sxm-141gb", 8192, 2, SelectiveOp, kFull,
           true, 32, 10938, 64, 10753},
};

Plan planOf(const Family &family)
{
    Plan plan;
    const std::string model = family.model;
    if (model.starts_with("mpt")) {
        int width = 0;
        int layers = 0;
        int heads = 0;
        std::sscanf(family.model, "mpt %d %d %d", &width, &layers, &heads);
        plan.model.config = R"({"model_type": "mpt", "vocab_size": 50368, "expansion_ratio": 4,
            "max_seq_len": 2048, "no_bias": true, "d_model": )" +
                            std::to_string(width) + R"(, "n_layers": )" + std::to_string(layers) +
                            R"(, "n_heads": )" + std::to_string(heads) + '}';
    } else {
        plan.model.preset = model;
    }
    plan.hardware.gpu = family.gpu;
    plan.hardware.gpus = plan.parallel.data = family.fewest;
    plan.parallel.strategy = Strategy::Fsdp2;
    plan.parallel.sharding = family.sharding;
    plan.precision.regime = Regime::FsdpMixedBf16;
    if (family.fp8)
        plan.precision.linear = LinearFormat::Fp8;
    plan.batch.sequenceLength = family.sequence;
    plan.batch.microBatch = family.microBatch;
    plan.activations.checkpointing = family.checkpointing;
    return plan;
}

} // namespace

class TestScaling : public test::Test
{
    Q_OBJECT

private slots:
    void theLargestRunOfAFamilyFollowsFromItsSmallest_data();
    void theLargestRunOfAFamilyFollowsFromItsSmallest();
};

void TestScaling::theLargestRunOfAFamilyFollowsFromItsSmallest_data()
{
    QTest::addColumn<int>("family");
    for (std::size_t i = 0; i < kFamilies.size(); ++i)
        QTest::newRow(kFamilies[i].source) << static_cast<int>(i);
}

void TestScaling::theLargestRunOfAFamilyFollowsFromItsSmallest()
{
    QFETCH(int, family);
    const Family &runs = kFamilies[static_cast<std::size_t>(family)];
    const Plan plan = planOf(runs);
    const Estimate first = estimate(plan);
    QVERIFY2(first.computed, whyNotComputed(first).c_str());
    const double tokens = static_cast<double>(runs.microBatch * runs.sequence);
    const auto calibration =
        calibrate(*first.settings, first.work,
                  {.seconds = tokens / runs.speedOfFewest, .source = "published"});
    QVERIFY2(calibration, calibration ? "" : calibration.error().detail.c_str());
    const std::array counts = {runs.fewest, runs.most};
    const auto points = scalePoints(plan, counts, Scaling::Weak, &*calibration);
    QVERIFY2(points[1].known(), points[1].whyNot.c_str());
    const double speed = points[1].time.tokensPerSecond().likely / static_cast<double>(runs.most);
    const QByteArray told = "share " + QByteArray::number(calibration->fits[0].arithmeticShare) +
                            ", predicted " + QByteArray::number(speed) + ", published " +
                            QByteArray::number(runs.speedOfMost) + ", off by " +
                            QByteArray::number(100 * (speed / runs.speedOfMost - 1)) + " %";
    qInfo("%s", told.constData());
    QVERIFY2(std::abs(speed / runs.speedOfMost - 1) < 0.05, told);
}

VRAMSCOPE_TEST(TestScaling)
#include "tst_scaling.moc"
