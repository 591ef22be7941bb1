// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/reconcile_tables.h"
#include "core/print/reconcile_report.h"
#include "tests/support/test.h"
#include "tests/ui/planner/sample_plan.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/reconcile/reconcile_rows.h"
#include "ui/support/fact_table.h"
#include "ui/support/theme.h"

#include <QComboBox>
#include <QLabel>
#include <QPushButton>
#include <QSignalSpy>

using namespace vramscope;
using test::samplePlan;
using namespace Qt::StringLiterals;

namespace {

std::shared_ptr<const ReconcileDocument> recordingOf(const std::shared_ptr<const Trace> &trace)
{
    ReconcileDocument held{{u"run.pickle"_s, u"/runs/run.pickle"_s, analyse(trace), 0}};
    return std::make_shared<const ReconcileDocument>(std::move(held));
}

/// Two devices; the second holds more.
std::shared_ptr<const Trace> twoDevices()
{
    TraceBuilder builder;
    builder.setFormat("pytorch-snapshot");
    for (const int device : {0, 1}) {
        for (int at = 0; at < 4; ++at) {
            Event event;
            event.action = Action::Alloc;
            event.address = static_cast<std::uint64_t>(kGiB * (1 + at));
            event.size = (1 + device) * 100 * kMiB;
            event.stream = builder.internStream(0);
            builder.addEvent(device, event);
        }
    }
    auto trace = builder.finish();
    return trace.ok() ? *trace : nullptr;
}

} // namespace

class ReconcilePageTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() { QApplication::setPalette(themePalette(lightTheme())); }
    void thePageShowsWhatWasFound();
    void anEditIsFollowedWhenThePageIsSeen();
    void ofManyEditsTheLastIsHeld();
    void aMomentIsChosenInTheBarsAndInTheBox();
    void aSettingIsAskedForByItsButton();
    void withoutAPlanThePageSaysWhy();
    void aPlanWithErrorsIsRefusedInASentence();
    void aRecordingWithoutEventsIsRefusedInASentence();
    void aClosedPlanLeavesItsFigures();
    void theDeviceWithTheHighestPeakComesFirst();
};

void ReconcilePageTest::thePageShowsWhatWasFound()
{
    ReconcilePage page(recordingOf(test::SampleTrace().finish()));
    page.resize(1100, 700);
    page.setPlan(samplePlan(), u"Plan A"_s);
    QVERIFY(!page.reconciliation()); // nothing is computed unseen
    page.show();
    QTRY_VERIFY(page.reconciliation());
    const Reconciliation &held = *page.reconciliation();
    QVERIFY2(!held.moments.empty(), qPrintable(page.emptyText()));
    QCOMPARE(page.emptyText(), QString());
    QCOMPARE(page.moment(), held.compared);
    QVERIFY(page.bars()->content() == reconcileBars(held, page.bars()->content().capacity));
    QVERIFY(page.bars()->content().capacity);
    QVERIFY(page.waterfall()->bars() == reconcileWaterfall(held));
    QVERIFY(page.parts()->rows() ==
            factRows(matchedPartsTable(held.comparedMoment()), ByteUnit::Binary));
    QVERIFY(page.reasons()->rows() == factRows(reasonsTable(held), ByteUnit::Binary, u"Try it"_s));
    QVERIFY(page.levels()->rows() == factRows(levelPairsTable(held.levels), ByteUnit::Binary));
    QVERIFY(page.constants()->rows() ==
            factRows(pickedColumns(calibrationsTable(held.calibrations),
                                   {"label", "planned", "recorded", "how"}),
                     ByteUnit::Binary, u"Apply"_s));
    QCOMPARE(page.answer()->text(), QString::fromStdString(reconcileVerdict(held)));
    page.setUnit(ByteUnit::Decimal);
    QVERIFY(page.answer()->text().contains(u" GB predicted"_s));
    QVERIFY(page.parts()->rows() ==
            factRows(matchedPartsTable(held.comparedMoment()), ByteUnit::Decimal));
}

void ReconcilePageTest::anEditIsFollowedWhenThePageIsSeen()
{
    ReconcilePage page(recordingOf(test::SampleTrace().finish()));
    Plan plan = samplePlan();
    page.setPlan(plan, u"Plan A"_s);
    page.show();
    QTRY_VERIFY(page.reconciliation());
    const Bytes before = page.reconciliation()->comparedMoment().predicted.total();
    page.hide();
    plan.batch.microBatch = 4;
    page.setPlan(plan, u"Plan A"_s);
    QTest::qWait(50);
    QCOMPARE(page.reconciliation()->comparedMoment().predicted.total(), before);
    page.show();
    QTRY_VERIFY(page.reconciliation()->comparedMoment().predicted.total() > before);
}

void ReconcilePageTest::ofManyEditsTheLastIsHeld()
{
    ReconcilePage page(recordingOf(test::SampleTrace().finish()));
    page.show();
    Plan plan = samplePlan();
    for (const int batch : {1, 2, 3, 4, 5}) {
        plan.batch.microBatch = batch;
        page.setPlan(plan, u"Plan A"_s);
    }
    ReconcilePage other(recordingOf(test::SampleTrace().finish()));
    other.setPlan(plan, u"Plan A"_s);
    other.workNow();
    QTRY_VERIFY(page.reconciliation() && page.reconciliation()->comparedMoment().predicted ==
                                             other.reconciliation()->comparedMoment().predicted);
}

void ReconcilePageTest::aMomentIsChosenInTheBarsAndInTheBox()
{
    ReconcilePage page(recordingOf(test::SampleTrace().finish()));
    page.resize(1100, 700);
    page.setPlan(samplePlan(), u"Plan A"_s);
    page.show();
    page.workNow();
    QCoreApplication::processEvents();
    const std::size_t last = page.reconciliation()->moments.size() - 1;
    QVERIFY(last > 0);
    Q_EMIT page.bars()->barClicked(barOfMoment(page.bars()->content(), last));
    QCOMPARE(page.moment(), last);
    QVERIFY(page.parts()->rows() ==
            factRows(matchedPartsTable(page.reconciliation()->moments[last]), ByteUnit::Binary));
    auto *box = page.findChild<QComboBox *>(u"moment"_s);
    QVERIFY(box);
    QCOMPARE(box->currentIndex(), int(last));
    box->setFocus();
    QTest::keyClick(box, Qt::Key_Up);
    QCOMPARE(page.moment(), last - 1);
    // It stays when the plan changes.
    Plan plan = samplePlan();
    plan.batch.microBatch = 2;
    page.setPlan(plan, u"Plan A"_s);
    page.workNow();
    QCOMPARE(page.moment(), last - 1);
}

void ReconcilePageTest::aSettingIsAskedForByItsButton()
{
    ReconcilePage page(recordingOf(test::SampleTrace().finish()));
    page.resize(1100, 700);
    const Plan plan = samplePlan();
    page.setPlan(plan, u"Plan A"_s);
    page.show();
    page.workNow();
    QSignalSpy wanted(&page, &ReconcilePage::editWanted);
    int settings = 0;
    for (const auto &[table, list] :
         {std::pair(page.reasons(), &page.reconciliation()->reasons),
          std::pair(page.candidates(), &page.reconciliation()->candidates)}) {
        for (std::size_t row = 0; row < list->size(); ++row) {
            if ((*list)[row].kind != Reason::Kind::Setting)
                continue;
            auto *button =
                qobject_cast<QPushButton *>(table->cellWidget(int(row), table->columnCount() - 1));
            QVERIFY(button);
            button->click();
            QCOMPARE(wanted.size(), ++settings);
            QVERIFY(wanted.back()[0].value<Plan>() == withFields(plan, (*list)[row].settings));
            QVERIFY(wanted.back()[1].toString().startsWith(u"try "_s));
        }
    }
    QVERIFY(settings > 0);
}

void ReconcilePageTest::withoutAPlanThePageSaysWhy()
{
    ReconcilePage page(recordingOf(test::SampleTrace().finish()));
    page.show();
    QCOMPARE(page.emptyText(), u"The plan is being read."_s);
    page.setPlanMissing(u"a.vramplan cannot be read; its tab says why."_s);
    QCOMPARE(page.emptyText(), u"a.vramplan cannot be read; its tab says why."_s);
}

void ReconcilePageTest::aPlanWithErrorsIsRefusedInASentence()
{
    ReconcilePage page(recordingOf(test::SampleTrace().finish()));
    page.show();
    Plan plan = samplePlan();
    plan.parallel.tensor = 7; // divides nothing
    page.setPlan(plan, u"Plan A"_s);
    QVERIFY2(page.emptyText().startsWith(u"The plan gives no figures: "_s),
             qPrintable(page.emptyText()));
    page.setPlan(samplePlan(), u"Plan A"_s);
    QTRY_COMPARE(page.emptyText(), QString());
}

void ReconcilePageTest::aRecordingWithoutEventsIsRefusedInASentence()
{
    TraceBuilder builder;
    builder.setFormat("pytorch-snapshot");
    FinalSegment segment;
    segment.address = 1 << 20;
    segment.size = kGiB;
    segment.stream = builder.internStream(0);
    builder.addSegment(0, segment,
                       std::vector<FinalBlock>{
                           {segment.address, kGiB, kGiB, StackId::None, BlockState::Allocated}});
    auto trace = builder.finish();
    QVERIFY(trace.ok());
    ReconcilePage page(recordingOf(*trace));
    page.setPlan(samplePlan(), u"Plan A"_s);
    page.show();
    QVERIFY(page.emptyText().contains(u"keeps no history"_s));
    page.workNow();
    QVERIFY(!page.reconciliation());
}

void ReconcilePageTest::aClosedPlanLeavesItsFigures()
{
    ReconcilePage page(recordingOf(test::SampleTrace().finish()));
    page.setPlan(samplePlan(), u"Plan A"_s);
    page.show();
    page.workNow();
    page.setPlanMissing(u"The plan was closed."_s);
    QVERIFY(page.reconciliation());
    QCOMPARE(page.emptyText(), QString());
    for (const auto *button : page.reasons()->findChildren<QPushButton *>()) {
        QVERIFY(!button->isEnabled());
        QCOMPARE(button->toolTip(), u"The plan was closed."_s);
    }
}

void ReconcilePageTest::theDeviceWithTheHighestPeakComesFirst()
{
    const auto document = analyse(twoDevices());
    QVERIFY(document);
    QCOMPARE(highestDevice(*document), std::size_t(1));
    ReconcileDocument held{{u"run.pickle"_s, u"/runs/run.pickle"_s, document, 1}};
    ReconcilePage page(std::make_shared<const ReconcileDocument>(held));
    page.setPlan(samplePlan(), u"Plan A"_s);
    page.show();
    auto *box = page.findChild<QComboBox *>(u"device"_s);
    QVERIFY(box && box->isVisible());
    QCOMPARE(box->currentText(), u"Device 1"_s);
    QTest::keyClick(box, Qt::Key_Up);
    QCOMPARE(page.recording().device, std::size_t(0));
}

VRAMSCOPE_TEST(ReconcilePageTest)
#include "tst_reconcile_page.moc"
