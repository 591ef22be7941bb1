// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/estimate/formulas/measured_bands.h"
#include "core/validation/band_widths.h"
#include "core/validation/shipped.h"
#include "tests/support/test.h"

#include <QFile>

#include <algorithm>

using namespace vramscope;

namespace {

const std::vector<ComparedFigure> &comparedRows()
{
    static const std::vector<ComparedFigure> rows = validate(shippedRows(), shippedSetup).rows;
    return rows;
}

/// Figures of one class with these errors at first sight, none of them kept back.
std::vector<ComparedFigure> rowsWithErrors(const std::string &bandClass,
                                           const std::vector<double> &errors)
{
    std::vector<ComparedFigure> rows;
    for (int id = 0; rows.size() < errors.size(); ++id) {
        ComparedFigure it;
        it.row.id = bandClass + std::to_string(id);
        it.row.figure = "peak.allocated";
        it.row.value = 1000 * (1 + errors[rows.size()]);
        it.row.firstSight = FirstSight{1000, {}, "abc"};
        it.bandClass = bandClass;
        if (!isKeptBack(it.row.id))
            rows.push_back(it);
    }
    return rows;
}

Plan statedLoop(const char *model)
{
    Plan plan;
    plan.model.preset = model;
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.precision.regime = Regime::PureBf16;
    plan.optimizer.name = OptimizerName::AdamW;
    plan.loss = LossKind::HfUpcast;
    return plan;
}

} // namespace

class TestBands : public test::Test
{
    Q_OBJECT

private slots:
    // VRAMSCOPE_UPDATE=1 writes the table anew.
    void theWidthsAreThoseOfTheMeasuredRows()
    {
        const QByteArray table = QByteArray::fromStdString(
            bandTable(comparedRows(), validateSpeeds(shippedThroughput()).rows));
        QFile file(QStringLiteral(VRAMSCOPE_SOURCE_DIR "/resources/measured/bands/rows.csv"));
        if (qEnvironmentVariableIsSet("VRAMSCOPE_UPDATE")) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write(table), table.size());
        } else {
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll(), table);
        }
    }

    void rowsKeptBackAreAThirdAndChangeNoWidth()
    {
        std::vector<ComparedFigure> rows = comparedRows();
        const auto kept = static_cast<std::size_t>(std::ranges::count_if(
            rows, [](const ComparedFigure &it) { return isKeptBack(it.row.id); }));
        QVERIFY(3.3 * double(kept) > double(rows.size()) &&
                2.7 * double(kept) < double(rows.size()));
        const std::string table = bandTable(rows);
        for (ComparedFigure &it : rows)
            if (isKeptBack(it.row.id))
                it.row.value *= 2;
        QCOMPARE(bandTable(rows), table);
        std::ranges::reverse(rows);
        QCOMPARE(bandTable(rows), table);
    }

    void theBandHoldsNineteenOfTwentyOfTheRowsKeptBack()
    {
        const std::vector<BandCoverage> coverage = bandCoverage(comparedRows());
        const BandSummary &kept = coverage[1].today;
        QCOMPARE(coverage[1].name, std::string("kept back"));
        QVERIFY(kept.count >= 70);
        QVERIFY2(kept.sharePercent() >= 95, QByteArray::number(kept.sharePercent()));
        const BandSummary &strangers = coverage[2].aroundFirst;
        QVERIFY(strangers.count >= 60);
        QVERIFY2(strangers.sharePercent() >= 95, QByteArray::number(strangers.sharePercent()));
        QVERIFY(strangers.inside > coverage[2].statedThen.inside);
        QVERIFY2(coverage[2].today.sharePercent() >= 95,
                 QByteArray::number(coverage[2].today.sharePercent()));
    }

    void theWidthLeavesOutOneInTwenty()
    {
        std::vector<double> errors(40, 0.01);
        errors[3] = 5; // 39 of 40 are inside: one is left out
        QCOMPARE(bandTable(rowsWithErrors("training", errors)),
                 std::string("class,rows,from,basis,below_percent,above_percent\n"
                             "\"training\",40,\"training\",40,0.1,1.0\n"));
        errors[7] = -0.2; // two are too many
        QCOMPARE(bandTable(rowsWithErrors("training", errors)),
                 std::string("class,rows,from,basis,below_percent,above_percent\n"
                             "\"training\",40,\"training\",40,20.0,1.0\n"));
    }

    void aSmallClassHasTheWidthOfItsParent()
    {
        std::vector<ComparedFigure> rows =
            rowsWithErrors("training, dense, fsdp2", std::vector<double>(38, 0.1));
        QCOMPARE(bandTable(rows),
                 std::string("class,rows,from,basis,below_percent,above_percent\n"));
        for (const ComparedFigure &it : rowsWithErrors("training, dense, zero", {-0.3, -0.2}))
            rows.push_back(it);
        QCOMPARE(bandTable(rows),
                 std::string("class,rows,from,basis,below_percent,above_percent\n"
                             "\"training\",40,\"training\",40,20.0,10.0\n"
                             "\"training, dense\",40,\"training, dense\",40,20.0,10.0\n"
                             "\"training, dense, fsdp2\",38,\"training, dense\",40,20.0,10.0\n"
                             "\"training, dense, zero\",2,\"training, dense\",40,20.0,10.0\n"));
    }

    void aSmallClassUnlikeItsParentHasAWidthOfItsOwn()
    {
        const auto widthOfSmall = [](std::size_t outside) {
            std::vector<ComparedFigure> rows =
                rowsWithErrors("training, dense", std::vector<double>(100, 0.1));
            std::vector<double> errors(8, 0.1);
            std::ranges::fill_n(errors.begin(), static_cast<std::ptrdiff_t>(outside), 2);
            for (const ComparedFigure &it : rowsWithErrors("training, experts", errors))
                rows.push_back(it);
            const std::string table = bandTable(rows);
            return table.substr(table.find("\"training, experts\""));
        };
        QCOMPARE(widthOfSmall(1),
                 std::string("\"training, experts\",8,\"training\",108,0.1,10.0\n"));
        QCOMPARE(widthOfSmall(3),
                 std::string("\"training, experts\",8,\"training, experts\",8,0.1,200.0\n"));
    }

    void theClassFollowsTheSettings()
    {
        Plan plan = statedLoop("llama-3-8b");
        QCOMPARE(estimate(plan).bandClass, std::string("training, dense, whole copies"));
        QVERIFY(estimate(plan).bandWidenedBy.empty());
        plan.parallel.strategy = Strategy::Fsdp2;
        plan.parallel.data = 8;
        QCOMPARE(estimate(plan).bandClass, std::string("training, dense, fsdp2"));
        plan.model.preset = "qwen3-30b-a3b";
        plan.trainer = "hf";
        plan.loss.reset(); // as the tool has it
        QVERIFY(estimate(plan).bandClass.starts_with("training"));
        plan.workload = Workload::Inference;
        QVERIFY(estimate(plan).bandClass.empty());
    }

    void whatNoRowIsLikeIsInTheGeneralClass()
    {
        const auto general = [](const Plan &plan) {
            const Estimate it = estimate(plan);
            return it.bandClass == "training" ? QString::fromStdString(it.bandWidenedBy)
                                              : QString();
        };
        Plan plan = statedLoop("llama-3-8b");
        plan.loss.reset();
        QVERIFY(general(plan).contains("stated"));
        plan = statedLoop("llama-3-8b");
        plan.activations.checkpointing = Checkpointing::EveryK;
        plan.activations.kernels = Kernels::Fused;
        QCOMPARE(estimate(plan).bandClass, std::string("training, dense, no measured shape"));
        plan.model.preset.reset();
        plan.model.config = R"({"model_type": "llama", "hidden_size": 1024, "num_hidden_layers": 4,
            "num_attention_heads": 8, "intermediate_size": 4096, "vocab_size": 32000,
            "clip_qkv": 8.0})";
        QVERIFY(general(plan).contains("clip_qkv"));
        QVERIFY(general(statedLoop("llama-3-8b")).isEmpty());
    }

    void theBandIsThatOfItsClass()
    {
        const Estimate it = estimate(statedLoop("llama-3-8b"));
        const MeasuredBand *const band = measuredBand(it.bandClass);
        QVERIFY(band && band->basis >= 39);
        const auto share = [](Bytes end, Bytes figure) {
            return static_cast<double>(end) / static_cast<double>(figure);
        };
        QVERIFY(std::abs(share(it.uncertaintyLow, it.peakDevice) - (1 - band->below)) < 1e-6);
        QVERIFY(std::abs(share(it.uncertaintyHigh, it.peakDevice) - (1 + band->above)) < 1e-6);
        QVERIFY(std::abs(share(it.reservedHigh, it.peakReserved) - (1 + band->above)) < 1e-6);
        QVERIFY(!measuredBand("serving"));
        QCOMPARE(measuredBand("training, dense, no such method"), measuredBand("training, dense"));
    }
};

VRAMSCOPE_TEST(TestBands)
#include "tst_bands.moc"
