// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/settings/settings.h"
#include "core/settings/verified_shapes.h"
#include "core/validation/shipped.h"
#include "tests/support/test.h"

#include <QFile>

#include <algorithm>
#include <cmath>
#include <set>

using namespace vramscope;

namespace {

/// The table that the measured rows make: the shapes of those in scope whose peak is met.
std::string tableOfRows()
{
    constexpr double kMet = 3; // percent
    std::set<std::pair<std::string, std::string>> shapes;
    for (const ComparedFigure &it : validate(shippedRows(), shippedSetup).rows) {
        if (!it.row.covered || it.row.quality == "C" || !it.row.figure.starts_with("peak.") ||
            std::abs(it.errorPercent) > kMet)
            continue;
        const Result<Plan> plan = shippedSetup(it.row.setup);
        for (const VerifiedShape &each : shapesOf(resolve(*plan).settings))
            shapes.emplace(each.part, each.shape);
    }
    std::string table = "part,shape\n";
    for (const auto &[part, shape] : shapes)
        table.append(part).append(",").append(shape).append("\n");
    return table;
}

Plan trained(const char *model)
{
    Plan plan;
    plan.model.preset = model;
    plan.hardware.gpu = "h100-sxm-80gb";
    plan.precision.regime = Regime::PureBf16;
    plan.batch.microBatch = 8;
    return plan;
}

bool isVerifiedPart(const Plan &plan, std::string_view name)
{
    const Estimate it = estimate(plan);
    const auto part = std::ranges::find(it.components(), name, &Component::name);
    return part != it.components().end() && part->evidence == Evidence::Verified;
}

} // namespace

class TestVerifiedShapes : public test::Test
{
    Q_OBJECT

private slots:
    // VRAMSCOPE_UPDATE=1 writes the table anew.
    void theTableIsThatOfTheMeasuredRows()
    {
        const QByteArray table = QByteArray::fromStdString(tableOfRows());
        QFile file(QStringLiteral(VRAMSCOPE_SOURCE_DIR "/resources/models/verified_shapes.csv"));
        if (qEnvironmentVariableIsSet("VRAMSCOPE_UPDATE")) {
            QVERIFY(file.open(QIODevice::WriteOnly));
            QCOMPARE(file.write(table), table.size());
        } else {
            QVERIFY(file.open(QIODevice::ReadOnly));
            QCOMPARE(file.readAll(), table);
        }
    }

    void onlyAShapeWithARowIsCalledVerified()
    {
        Plan plan = trained("llama-3-8b");
        QVERIFY(isVerifiedPart(plan, "Saved activations"));
        plan.activations.checkpointing = Checkpointing::EveryK;
        plan.activations.kernels = Kernels::Fused;
        QVERIFY(!isVerified(shapesOf(resolve(plan).settings).front()));
        QVERIFY(!isVerifiedPart(plan, "Saved activations"));
    }

    void aServedPlanHasNoShapes()
    {
        Plan plan = trained("llama-3-8b");
        plan.workload = Workload::Inference;
        QVERIFY(shapesOf(resolve(plan).settings).empty());
    }
};

VRAMSCOPE_TEST(TestVerifiedShapes)
#include "tst_verified_shapes.moc"
