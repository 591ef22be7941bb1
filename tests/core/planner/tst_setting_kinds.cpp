// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/measured.h"
#include "tests/support/test.h"

#include <cmath>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// Settings that decide a figure and that nobody could say once: a small public run for each, whose
/// plan says it now, and controls that have nothing of the kind.
class TestSettingKinds : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void eachFigureIsWithinThreePercent_data();
    void eachFigureIsWithinThreePercent();
    void whatDoesNotDivideIsRefused();

private:
    [[nodiscard]] static Validation all();
};

Validation TestSettingKinds::all()
{
    const QString folder = test::projectFile(u"tests/data/setting_kinds"_s);
    const auto rows = readMeasured((folder + u"/rows.csv"_s).toStdString());
    return rows ? validate(*rows, setupsIn(folder.toStdString())) : Validation();
}

void TestSettingKinds::eachFigureIsWithinThreePercent_data()
{
    QTest::addColumn<double>("error");
    const Validation validation = all();
    QVERIFY(validation.rows.size() >= 12);
    for (const UnusableRow &row : validation.unusable)
        QTest::newRow(row.id.c_str()) << 100.0;
    for (const ComparedFigure &row : validation.rows)
        if (row.row.covered) // else its note says what is missing
            QTest::newRow((row.row.id + ' ' + row.row.figure).c_str()) << row.errorPercent;
}

void TestSettingKinds::eachFigureIsWithinThreePercent()
{
    QFETCH(const double, error);
    QVERIFY2(std::abs(error) <= 3, qPrintable(QString::number(error)));
}

void TestSettingKinds::whatDoesNotDivideIsRefused()
{
    const QString folder = test::projectFile(u"tests/data/setting_kinds"_s);
    Result<Plan> plan = setupsIn(folder.toStdString())("setups/moe-instances.json");
    QVERIFY(plan.ok());
    plan->parallel.optimizerInstances = 3;
    const Estimate refused = estimate(*plan);
    QVERIFY(!refused.computed);
    QCOMPARE(QString::fromStdString(whyNotComputed(refused)),
             u"parallel.optimizer_instances: 3 optimizer instances do not divide the 2 GPUs that "
             "hold the same experts."_s);
}

VRAMSCOPE_TEST(TestSettingKinds)
#include "tst_setting_kinds.moc"
