// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "tests/ui/sample_estimate.h"
#include "ui/models/estimate_model.h"

#include <QAbstractItemModelTester>
#include <QSignalSpy>

using namespace vramscope;
using namespace Qt::StringLiterals;

class EstimateModelTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void rowsAddUpToTheDeviceLevel();
    void partsThatTakeNothingHaveNoRow();
    void aPartSaysWhatItIsSharedOver();
    void aRecomputationWithTheSameRowsOnlyChangesData();
    void aRowIsFoundAgainByItsName();
    void anotherMomentHasItsOwnRows();
    void nothingComputedHasNoRows();

private:
    [[nodiscard]] static QString text(const QModelIndex &index) { return index.data().toString(); }
};

void EstimateModelTest::rowsAddUpToTheDeviceLevel()
{
    EstimateModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Estimate estimate = test::sampleEstimate();
    model.setEstimate(estimate, estimate.peakMoment);
    Bytes sum = 0;
    for (int row = 0; row < model.rowCount(); ++row) {
        for (const Component &component : model.componentsAt(model.index(row, 0)))
            sum += component.bytes;
    }
    QCOMPARE(sum, estimate.peakDevice);
}

void EstimateModelTest::partsThatTakeNothingHaveNoRow()
{
    EstimateModel model;
    model.setEstimate(test::sampleEstimate(), 1);
    QStringList parts;
    for (int row = 0; row < model.rowCount(); ++row)
        parts.append(text(model.index(row, 0)));
    QCOMPARE(parts, (QStringList{u"Parameters"_s, u"Activations"_s, u"Loss and logits"_s,
                                 u"Allocator and driver"_s}));
}

void EstimateModelTest::aPartSaysWhatItIsSharedOver()
{
    EstimateModel model;
    model.setEstimate(test::sampleEstimate(), 1);
    const QModelIndex parameters = model.index(0, 0);
    QCOMPARE(text(model.index(0, EstimateModel::SplitColumn)), QString()); // 8 and 1: no one number
    QCOMPARE(text(model.index(0, EstimateModel::SplitColumn, parameters)), u"÷ 8"_s);
    QCOMPARE(text(model.index(0, EstimateModel::SizeColumn, parameters)), u"4.00 GiB"_s);
    QCOMPARE(text(model.index(2, EstimateModel::ShareColumn)), u"47 %"_s);
    QVERIFY(model.index(0, 0).data(Qt::ToolTipRole).toString().contains(u"6,442,450,945"_s));
}

void EstimateModelTest::aRecomputationWithTheSameRowsOnlyChangesData()
{
    EstimateModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    Estimate estimate = test::sampleEstimate();
    model.setEstimate(estimate, 1);
    const QSignalSpy resets(&model, &QAbstractItemModel::modelReset);
    const QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    estimate.moments[1].components[2].bytes += kGiB;
    model.setEstimate(estimate, 1);
    QCOMPARE(resets.count(), 0);
    QVERIFY(changes.count() > 0);
    QCOMPARE(text(model.index(1, EstimateModel::SizeColumn)), u"9.00 GiB"_s);
}

void EstimateModelTest::aRowIsFoundAgainByItsName()
{
    EstimateModel model;
    const Estimate estimate = test::sampleEstimate();
    model.setEstimate(estimate, 1);
    const PartKey key{static_cast<std::size_t>(Category::Parameters), "Gathered root unit"};
    const QModelIndex index = model.indexOf(key);
    QCOMPARE(text(index), u"Gathered root unit"_s);
    QVERIFY(model.keyAt(index) == key);
    model.setEstimate(estimate, 0); // where it does not exist: its part stands for it
    QCOMPARE(text(model.indexOf(key)), u"Parameters"_s);
    const PartKey gone{static_cast<std::size_t>(Category::LossAndLogits), {}};
    QVERIFY(!model.indexOf(gone).isValid());
}

void EstimateModelTest::anotherMomentHasItsOwnRows()
{
    EstimateModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    const Estimate estimate = test::sampleEstimate();
    model.setEstimate(estimate, 1);
    model.setEstimate(estimate, 0);
    QCOMPARE(model.rowCount(), 2); // what lies outside the tensors belongs to the peak
    model.setUnit(ByteUnit::Decimal);
    QCOMPARE(text(model.index(1, EstimateModel::SizeColumn)), u"7.52 GB"_s);
}

void EstimateModelTest::nothingComputedHasNoRows()
{
    EstimateModel model;
    const QAbstractItemModelTester tester(&model,
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    model.setEstimate(test::sampleEstimate(), 1);
    model.setEstimate(Estimate{}, 0);
    QCOMPARE(model.rowCount(), 0);
}

VRAMSCOPE_TEST(EstimateModelTest)
#include "tst_estimate_model.moc"
