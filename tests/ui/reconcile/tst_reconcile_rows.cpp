// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/reconcile_tables.h"
#include "tests/support/test.h"
#include "tests/ui/reconcile/sample_reconciliation.h"
#include "ui/reconcile/reconcile_rows.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"

#include <QApplication>
#include <QPushButton>
#include <QSignalSpy>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr auto kUnit = ByteUnit::Binary;

QStringList textsOf(const FactRow &row)
{
    QStringList texts;
    for (const FactCell &cell : row.cells)
        texts += cell.text;
    return texts;
}

std::vector<FactRow> partRows(const MatchedMoment &moment)
{
    return factRows(matchedPartsTable(moment), kUnit);
}

std::vector<FactRow> reasonRows()
{
    return factRows(reasonsTable(test::sampleReconciliation()), kUnit, u"Try it"_s);
}

} // namespace

class ReconcileRowsTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void theFailedAllocationIsNamed();
    void everyFoundMomentIsAPairOfBars();
    void theWaterfallEndsAtWhatWasRecorded();
    void partsAreListedWithUnknownAndTotal();
    void aMomentThatWasNotFoundHasNoDifferences();
    void onlySettingsCanBeTried();
    void aLevelThatTheFileDoesNotTellSaysWhy();
    void aConstantThatAgreesNeedsNoTakingOver();
    void aTableCopiesItsChosenRows();
    void aTableSaysWhyItsButtonsRest();
};

void ReconcileRowsTest::theFailedAllocationIsNamed()
{
    const Reconciliation held = test::sampleReconciliation();
    QCOMPARE(failedText(held, kUnit),
             u"The allocation that failed, 4.00 GiB in cross_entropy at functional.py:3504, is: "
             "logits in fp32."_s);
    QVERIFY(failedToolTip(held, kUnit).contains(u"logits in fp32: 4 T V = 4,294,967,296 bytes"_s));
    QCOMPARE(answerToolTip(held, kUnit).split(u'\n').back(),
             u"unexplained +512 MiB (536,870,912 bytes)"_s);
    Reconciliation nameless = held;
    nameless.failed->names.clear();
    QVERIFY(failedText(nameless, kUnit).contains(u"size that the plan does not have"_s));
    nameless.failed.reset();
    QVERIFY(failedText(nameless, kUnit).isEmpty());
}

void ReconcileRowsTest::everyFoundMomentIsAPairOfBars()
{
    const StackedBars bars = reconcileBars(test::sampleReconciliation(), 40 * kGiB);
    QCOMPARE(bars.bars.size(), std::size_t(5));
    QCOMPARE(bars.bars[0].name, u"Forward, predicted"_s);
    QCOMPARE(bars.bars[1].name, u"recorded"_s);
    QVERIFY(bars.bars[1].joins && !bars.bars[2].joins);
    QCOMPARE(bars.bars[3].name, u"recorded, cut off"_s);
    QCOMPARE(bars.bars[3].parts[kUnknownPart], kGiB);
    QCOMPARE(bars.bars[4].name, u"Backward, predicted only"_s);
    QVERIFY(bars.bars[4].note.contains(u"The recording ends at the loss"_s));
    for (std::size_t moment = 0; moment < 3; ++moment)
        QCOMPARE(momentOfBar(bars, barOfMoment(bars, moment)), moment);
    QCOMPARE(momentOfBar(bars, 3), std::size_t(1));
}

void ReconcileRowsTest::theWaterfallEndsAtWhatWasRecorded()
{
    using Kind = WaterfallBar::Kind;
    const std::vector<WaterfallBar> way = reconcileWaterfall(test::sampleReconciliation());
    QCOMPARE(way.size(), std::size_t(5));
    QVERIFY(way.front().kind == Kind::Total && way.back().kind == Kind::Total);
    QCOMPARE(way.front().to, 35 * kGiB);
    QCOMPARE(way[3].name, u"Unexplained"_s);
    QVERIFY(way[3].kind == Kind::Rest);
    QCOMPARE(way[3].to, way.back().to);
    QCOMPARE(way.back().to, 38 * kGiB);
    Reconciliation lost = test::sampleReconciliation();
    lost.compared = 2;
    QVERIFY(reconcileWaterfall(lost).empty());
}

void ReconcileRowsTest::partsAreListedWithUnknownAndTotal()
{
    const std::vector<FactRow> rows = partRows(test::sampleReconciliation().moments[1]);
    QCOMPARE(rows.size(), std::size_t(4));
    QCOMPARE(textsOf(rows[0]),
             QStringList({u"Parameters"_s, u"5.00 GiB"_s, u"5.00 GiB"_s, u"0 B"_s}));
    QCOMPARE(textsOf(rows[2]),
             QStringList({u"Unknown"_s, u"0 B"_s, u"1.00 GiB"_s, u"+1.00 GiB"_s}));
    QCOMPARE(textsOf(rows[3]),
             QStringList({u"Total"_s, u"35.0 GiB"_s, u"38.0 GiB"_s, u"+3.00 GiB"_s}));
    QVERIFY(rows[3].strong);
    QVERIFY(rows[3].cells[3].tip.contains(u"3,221,225,472 bytes"_s));
}

void ReconcileRowsTest::aMomentThatWasNotFoundHasNoDifferences()
{
    const FactRow row = partRows(test::sampleReconciliation().moments[2]).back();
    QCOMPARE(textsOf(row), QStringList({u"Total"_s, u"33.0 GiB"_s, u"–"_s, u"–"_s}));
    QCOMPARE(row.cells[2].tip, u"The recording ends at the loss"_s);
    MatchedMoment unplanned = test::sampleReconciliation().moments[0];
    unplanned.predictedAt.clear();
    QCOMPARE(textsOf(partRows(unplanned).back()),
             QStringList({u"Total"_s, u"–"_s, u"26.0 GiB"_s, u"–"_s}));
}

void ReconcileRowsTest::onlySettingsCanBeTried()
{
    const std::vector<FactRow> reasons = reasonRows();
    QCOMPARE(reasons.size(), std::size_t(3));
    QVERIFY(reasons[0].button.isEmpty());
    QCOMPARE(reasons[1].button, u"Try it"_s);
    QCOMPARE(textsOf(reasons[2]).first(2), QStringList({u"Unexplained"_s, u"+512 MiB"_s}));
    const std::vector<FactRow> others =
        factRows(candidatesTable(test::sampleReconciliation().candidates), kUnit, u"Try it"_s);
    QVERIFY(others[0].button.isEmpty());
    QCOMPARE(others[1].button, u"Try it"_s);
}

void ReconcileRowsTest::aLevelThatTheFileDoesNotTellSaysWhy()
{
    const std::vector<FactRow> rows =
        factRows(levelPairsTable(test::sampleReconciliation().levels), kUnit);
    QCOMPARE(textsOf(rows[0]), QStringList({u"Peak allocated"_s, u"35.0 GiB"_s, u"38.0 GiB"_s,
                                            u"+3.00 GiB"_s, u"The highest event"_s}));
    QCOMPARE(rows[1].cells[2].text, u"–"_s);
    QCOMPARE(rows[1].cells[2].tip, u"The file does not tell"_s);
}

void ReconcileRowsTest::aConstantThatAgreesNeedsNoTakingOver()
{
    const std::vector<FactRow> rows =
        factRows(pickedColumns(calibrationsTable(test::sampleReconciliation().calibrations),
                               {"label", "planned", "recorded", "how"}),
                 kUnit, u"Apply"_s);
    QCOMPARE(textsOf(rows[0]).first(3),
             QStringList({u"Reserved of allocated"_s, u"1.0800"_s, u"1.0232"_s}));
    QCOMPARE(rows[0].button, u"Apply"_s);
    QVERIFY(rows[1].button.isEmpty());
    QVERIFY(rows[1].cells[1].tip.contains(u"500,000,000 bytes"_s));
}

void ReconcileRowsTest::aTableCopiesItsChosenRows()
{
    FactTable table(u"Parts"_s);
    table.setTable(matchedPartsTable(test::sampleReconciliation().moments[1]), kUnit);
    table.resize(400, 200);
    table.show();
    table.selectRow(3);
    QVERIFY(rowsText(table).startsWith(u"Total\t35.0 GiB\t38.0 GiB\t+3.00 GiB"_s));
    // As high as its rows: the page scrolls, not the table.
    QVERIFY(table.rowViewportPosition(3) + table.rowHeight(3) <= table.viewport()->height());
}

void ReconcileRowsTest::aTableSaysWhyItsButtonsRest()
{
    FactTable table(u"Reasons"_s);
    table.setTable(reasonsTable(test::sampleReconciliation()), kUnit, u"Try it"_s);
    const auto *button = table.findChild<QPushButton *>();
    QVERIFY(button);
    QCOMPARE(button->accessibleName(), u"Try it: Micro-batch 2 instead of 1"_s);
    QSignalSpy pressed(&table, &FactTable::buttonPressed);
    QTest::mouseClick(const_cast<QPushButton *>(button), Qt::LeftButton);
    QCOMPARE(pressed.size(), 1);
    QCOMPARE(pressed[0][0].toInt(), 1);
    table.setButtonsEnabled(false, u"The plan was closed."_s);
    QVERIFY(!button->isEnabled());
    QCOMPARE(button->toolTip(), u"The plan was closed."_s);
}

VRAMSCOPE_TEST(ReconcileRowsTest)
#include "tst_reconcile_rows.moc"
