// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/categories/categories.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/findings/peak.h"
#include "core/readers/read_trace.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/models/data_table_model.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/overview.h"
#include "ui/timeline/space_view.h"
#include "ui/timeline/timeline_view.h"
#include "ui/trace/allocation_panel.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/legend_bar.h"
#include "ui/trace/live_table.h"
#include "ui/trace/render.h"
#include "ui/trace/stacks_view.h"
#include "ui/trace/text_panel.h"
#include "ui/trace/trace_page.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QTableView>
#include <QToolButton>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

std::shared_ptr<const TraceDocument> sampleDocument(test::SampleOptions options = {})
{
    return analyse(test::SampleTrace(options).finish());
}

void useTheme(const Theme &theme)
{
    qApp->setPalette(themePalette(theme));
    qApp->setStyleSheet(themeStyleSheet(theme));
}

// Layouts pass a new size hint on by one level at each turn of the event loop.
void settle()
{
    for (int turn = 0; turn < 5; ++turn)
        QApplication::processEvents();
}

} // namespace

class TracePageTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void initTestCase();
    void theAnswerLeadsToTheFailure();
    void theAnswerShowsWhyAndWhatHelps();
    void withoutAFailureTheSidePanelShowsThePeak();
    void aPlanIsMadeOfTheRecording();
    void theTableAddsUpToTheCurve();
    void aRowOfTheTableSelectsItsEarliestAllocation();
    void theSelectionIsToldInFull();
    void theUnitIsTheSameEverywhere();
    void aDeviceWithoutHistoryExplainsItself();
    void findingsKeepTheirTextInANarrowWindow();
    void theMomentsOfTheTableKeepTheirTextInANarrowWindow();
    void aLowWindowLeavesTheCurveItsHeight();
    void theDeviceThatRanOutOfMemoryIsShownFirst();
    void anEmptySnapshotExplainsItself();
    void aRecordingWithoutTimesIsShownByEvent();
    void aCancelledAnalysisGivesNothing();
    void aFilterDrivesEveryView();
    void aFilterHoldsForEachDeviceOnItsOwn();
    void whatIsNoFilterIsSaidAndChangesNothing();
    void aColourOfTheLegendShowsItsGroupAlone();
    void everyViewIsReachedByItsKeyOnceItIsKnown();
    void anotherDeviceWaitsForItsStudyInAnyView();
    void theLegendFollowsTheUnit();
    void looksRightInBothThemes();
    void opensEveryRecording_data();
    void opensEveryRecording();
};

void TracePageTest::initTestCase()
{
    qApp->setStyle(u"Fusion"_s);
}

void TracePageTest::theAnswerLeadsToTheFailure()
{
    const auto document = sampleDocument();
    TracePage page(document);
    page.state()->showX({0, 20});
    auto *answer = page.findChild<QLabel *>(u"answer"_s);
    QVERIFY2(answer->text().contains(u"Ran out of memory</a>: asked for 2.00 GiB"),
             qPrintable(answer->text()));
    Q_EMIT answer->linkActivated(u"failure"_s);
    for (const QPushButton *button : page.findChildren<QPushButton *>())
        QVERIFY(!button->text().startsWith(u"Out of memory")); // said once
    const EventIndex event = document->devices[0]->device().outOfMemory.at(0).event;
    QCOMPARE(page.state()->cursor(), event);
    QVERIFY(page.state()->visible().x.contains(event));
}

void TracePageTest::theAnswerShowsWhyAndWhatHelps()
{
    const QString file = test::projectFile(u"resources/examples/training-out-of-memory.pickle"_s);
    const auto document = analyse(*readTrace(file.toStdString()));
    TracePage page(document);
    page.resize(1400, 900);
    page.show();
    page.studyNow();
    auto *failure = page.findChild<FailurePanel *>();
    const auto *allocation = page.findChild<AllocationPanel *>();
    QVERIFY(failure->isVisible() && !allocation->isVisible()); // nothing is selected
    page.state()->select(12);
    QVERIFY(!failure->isVisible() && allocation->isVisible());
    Q_EMIT page.findChild<QLabel *>(u"answer"_s)->linkActivated(u"failure"_s);
    QVERIFY(failure->isVisible() && !allocation->isVisible());
    QCOMPARE(page.state()->cursor(), document->devices[0]->device().outOfMemory.at(0).event);
    const QString text = failure->text();
    for (const QString &part :
         {u"asked for 2.44 GiB in cross_entropy"_s, u"the device is full"_s,
          u"In use: 12.0 GiB activations"_s, u"The recording ends with this failure"_s,
          u"Activation checkpointing: up to 12.0 GiB"_s, u"A fused or chunked loss: up to"_s})
        QVERIFY2(text.contains(part), qPrintable(part + u" is missing in "_s + text));
    auto *content = failure->findChild<QLabel *>(u"failure"_s);
    QVERIFY(content->textInteractionFlags() & Qt::TextSelectableByMouse);
    QVERIFY(content->text().contains(u"Activation checkpointing"));
    // What is sure to be enough comes first, and the evidence when it is asked for.
    const QString remedies = failure->findChild<QLabel *>(u"remedies"_s)->text();
    const qsizetype sure = remedies.indexOf(u"Half the micro-batch"_s);
    QVERIFY(sure >= 0 && sure < remedies.indexOf(u"Activation checkpointing"_s));
    QVERIFY(!content->isVisible());
    const auto buttons = failure->findChildren<QPushButton *>();
    const auto evidence = std::ranges::find_if(
        buttons, [](const QPushButton *button) { return button->text().startsWith(u"Evidence"); });
    QVERIFY(evidence != buttons.end());
    (*evidence)->click();
    QVERIFY(content->isVisible());
    failure->findChild<QPushButton *>()->click();
    QCOMPARE(QGuiApplication::clipboard()->text(), text);
    page.setUnit(ByteUnit::Decimal);
    QVERIFY(!failure->text().contains(u"GiB"));
}

void TracePageTest::withoutAFailureTheSidePanelShowsThePeak()
{
    const QString file =
        test::projectFile(u"resources/examples/training-expandable-segments.pickle"_s);
    const auto document = analyse(*readTrace(file.toStdString()));
    TracePage page(document);
    page.resize(1280, 720);
    page.show();
    page.studyNow();
    auto *panel = page.findChild<PeakPanel *>();
    QVERIFY(panel->isVisible() && !page.findChild<FailurePanel *>()->isVisible());
    const Study &study = *document->devices[0];
    QVERIFY(panel->text().contains(bytesText(study.peak().active)));
    QVERIFY(
        panel->text().contains(toQString(categoryWord(study.peak().byCategory.front().category))));
    QVERIFY(panel->text().contains(u"Reserved but idle"_s));
    const QString advice = panel->findChild<QLabel *>(u"peak"_s)->text();
    QVERIFY(advice.contains(u"What would lower the peak"_s));
    QVERIFY(panel->text().contains(u"What would lower the peak"_s));
    QVERIFY(!study.peakAdvice().remedies.empty());
    page.state()->setCursor(3);
    auto *content = panel->findChild<QLabel *>(u"peak"_s);
    Q_EMIT content->linkActivated(u"event %1"_s.arg(study.peak().event));
    QCOMPARE(page.state()->cursor(), study.peak().event);
    const AllocationIndex largest = study.peak().byStack.front().first;
    Q_EMIT content->linkActivated(u"allocation %1"_s.arg(largest));
    QCOMPARE(page.state()->selected(), largest);
    QVERIFY(!panel->isVisible() && page.findChild<AllocationPanel *>()->isVisible());
    page.state()->select(kNoAllocation);
    QVERIFY(panel->isVisible());
    // Most of it has a category that is sure: that is what colours mean, until another is chosen.
    QCOMPARE(page.colorBy(), ColorBy::Category);
    page.setColorBy(ColorBy::Stack);
    QCOMPARE(page.colorBy(), ColorBy::Stack);
}

void TracePageTest::aPlanIsMadeOfTheRecording()
{
    const QString file = test::projectFile(u"resources/examples/training-out-of-memory.pickle"_s);
    TracePage page(analyse(*readTrace(file.toStdString())));
    page.show();
    page.studyNow();
    QSignalSpy made(&page, &TracePage::planMade);
    const auto buttons = page.findChild<FailurePanel *>()->findChildren<QPushButton *>();
    const auto button = std::ranges::find_if(buttons, [](const QPushButton *one) {
        return one->text() == u"Make a plan from this recording";
    });
    QVERIFY(button != buttons.end());
    (*button)->click();
    QTRY_COMPARE_WITH_TIMEOUT(made.count(), 1, 60'000);
    const QString notice = made.front().at(1).toString();
    QVERIFY(notice.contains(u"Tokens of a micro-batch: 20,480"_s));
    QVERIFY(notice.contains(u"Not determined, left at a default: "_s));
}

void TracePageTest::theTableAddsUpToTheCurve()
{
    const auto document = sampleDocument();
    LiveTable table(document);
    const QAbstractItemModelTester tester(table.model(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    table.setDevice(0);
    for (EventIndex event = -1; event < document->devices[0]->curve().count(); event += 13) {
        table.setCursorEvent(event);
        QCOMPARE(table.total(), document->devices[0]->curve().active(event));
        Bytes sum = 0;
        for (int row = 0; row < table.model()->rowCount(); ++row)
            sum += table.groups()[static_cast<std::size_t>(row)].bytes;
        QCOMPARE(sum, table.total());
    }
}

void TracePageTest::aRowOfTheTableSelectsItsEarliestAllocation()
{
    const auto document = sampleDocument();
    TracePage page(document);
    auto *table = page.findChild<LiveTable *>();
    QCOMPARE(page.state()->cursor(), document->devices[0]->curve().peakActiveEvent());
    QVERIFY(table->model()->rowCount() > 2);
    Q_EMIT table->view()->activated(table->model()->index(1, 0));
    QCOMPARE(page.state()->selected(), table->groups()[1].first);
}

void TracePageTest::theSelectionIsToldInFull()
{
    const auto document = sampleDocument();
    TracePage page(document);
    const auto *panel = page.findChild<AllocationPanel *>();
    QVERIFY(panel->text().isEmpty());
    page.state()->select(12); // the first allocation of the recording: attention of layer 0
    const QString text = panel->text();
    QVERIFY2(text.contains(u"Size: 48.0 MiB (50,331,648 bytes)"), qPrintable(text));
    QVERIFY2(text.contains(u"Lives: event 0 → "), qPrintable(text));
    QVERIFY2(text.contains(u"Attention.forward  /home/me/project/model.py:142"), qPrintable(text));
    QVERIFY2(text.contains(u"train_step  /home/me/project/train.py:61"), qPrintable(text));
    QVERIFY2(text.contains(u"Same stack: 12 live at the cursor, 576 MiB"), qPrintable(text));
    page.studyNow();
    const Categories &categories = document->devices[0]->categories();
    const QString studied = panel->text();
    QVERIFY2(studied.contains(
                 u"Category: %1"_s.arg(toQString(categoryPhrase(categories.of(12).category)))),
             qPrintable(studied));
    QVERIFY(studied.contains(u"Evidence: "_s + toQString(categories.reason(12))));
}

void TracePageTest::theUnitIsTheSameEverywhere()
{
    const auto document = sampleDocument();
    TracePage page(document);
    page.setUnit(ByteUnit::Decimal);
    QVERIFY2(page.statusText().contains(u"active 3.5"), qPrintable(page.statusText()));
    for (const QLabel *label : page.findChildren<QLabel *>())
        QVERIFY2(!label->text().contains(u"iB"), qPrintable(label->text()));
    for (const QPushButton *button : page.findChildren<QPushButton *>())
        QVERIFY2(!button->text().contains(u"iB"), qPrintable(button->text()));
}

void TracePageTest::aDeviceWithoutHistoryExplainsItself()
{
    test::SampleTrace sample;
    FinalSegment segment;
    segment.address = 0x1000000;
    segment.size = 3 * kMiB;
    segment.stream = sample.builder().internStream(0);
    const FinalBlock blocks[] = {{0, 2 * kMiB, 2 * kMiB, StackId::None, BlockState::Allocated},
                                 {0, kMiB, 0, StackId::None, BlockState::Inactive}};
    sample.builder().addSegment(1, segment, blocks);
    const auto document = analyse(sample.finish());
    QCOMPARE(document->devices.size(), std::size_t(2));
    TracePage page(document);
    QCOMPARE(document->mainDevice(), std::size_t(0));
    auto *devices = page.findChild<QComboBox *>();
    devices->setCurrentIndex(1);
    Q_EMIT devices->activated(1);
    QVERIFY(!page.findChild<TimelineView *>()->isVisibleTo(&page));
    QVERIFY(page.findChild<Overview *>()->isHidden());
    page.studyNow(); // then its segments are there to be seen
    auto *map = page.findChild<SpaceView *>();
    QVERIFY(map->isVisibleTo(&page));
    QVERIFY(map->emptyText().isEmpty());
    const auto *panel = page.findChild<PeakPanel *>(); // what it says is of a moment, not of a peak
    QVERIFY(panel->isVisibleTo(&page));
    QVERIFY(panel->text().startsWith(u"2.00 MiB in use when the snapshot was taken."_s));
    QVERIFY(!panel->text().contains(u"peak"_s, Qt::CaseInsensitive));
    for (const TraceView view : {TraceView::Active, TraceView::Bands, TraceView::Events})
        QVERIFY(!page.isAvailable(view));
    page.setView(TraceView::Stacks);
    QVERIFY(page.findChild<StacksView *>()->isVisibleTo(&page));
    const auto *table = page.findChild<LiveTable *>();
    QCOMPARE(table->model()->rowCount(), 1);
    QCOMPARE(table->total(), 2 * kMiB);
    QCOMPARE(page.statusText(), u"final state only"_s);
    devices->setCurrentIndex(0);
    Q_EMIT devices->activated(0);
    page.setView(TraceView::Active);
    QVERIFY(page.findChild<TimelineView *>()->isVisibleTo(&page));
}

// What a window of 1280 by 720 leaves the page.
void TracePageTest::aLowWindowLeavesTheCurveItsHeight()
{
    const QString file = test::projectFile(u"resources/examples/training-out-of-memory.pickle"_s);
    useTheme(lightTheme());
    TracePage page(analyse(*readTrace(file.toStdString())));
    page.studyNow();
    page.setAttribute(Qt::WA_DontShowOnScreen);
    page.resize(1280, 656);
    page.show();
    settle();
    const auto *curve = qobject_cast<const TimelineView *>(page.viewWidget());
    const auto *table = page.findChild<LiveTable *>();
    const QWidget *card = curve->parentWidget()->parentWidget();
    QCOMPARE(card->property("role").toString(), u"card"_s);
    QVERIFY2(card->height() >= page.height() * 55 / 100,
             qPrintable(QString::number(card->height())));
    QVERIFY2(curve->plot().height() >= 200, qPrintable(QString::number(curve->plot().height())));
    QVERIFY(table->height() >= table->minimumSizeHint().height());
    // Chips without room beside the figures are in the menu, and those beside them are not.
    int beside = 0;
    for (const QPushButton *button : page.findChildren<QPushButton *>()) {
        const bool isChip = button->property("role").toString().endsWith(u"chip");
        beside += isChip && !button->menu() && button->isVisible();
        if (!isChip || !button->menu() || !button->isVisible())
            continue;
        const auto actions = button->menu()->actions();
        const auto hidden = std::ranges::count_if(actions, &QAction::isVisible);
        QCOMPARE(button->text(), u"%1 more"_s.arg(hidden));
        QVERIFY(hidden > 0);
    }
    QVERIFY(beside > 0);
    page.resize(1280, 900);
    settle();
    QVERIFY(curve->plot().height() > 360);
    QVERIFY(table->height() >= 150);
}

void TracePageTest::findingsKeepTheirTextInANarrowWindow()
{
    test::SampleTrace sample;
    TracePage page(analyse(sample.finish()));
    page.studyNow(); // what it finds would replace the chips meanwhile
    for (const int width : {1600, 860}) {
        page.resize(width, 700);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        int chips = 0;
        for (const QPushButton *button : page.findChildren<QPushButton *>()) {
            if (!button->property("role").toString().endsWith(u"chip") || !button->isVisible())
                continue;
            ++chips;
            QTRY_VERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
            QVERIFY(button->mapTo(&page, button->rect().bottomRight()).x() < page.width());
        }
        QVERIFY(chips > 0);
        QCOMPARE(page.width(), width);
    }
}

void TracePageTest::theMomentsOfTheTableKeepTheirTextInANarrowWindow()
{
    TracePage page(sampleDocument());
    page.studyNow();
    for (const int width : {1024, 960, 1600}) {
        page.resize(width, 700);
        page.show();
        QVERIFY(QTest::qWaitForWindowExposed(&page));
        settle();
        const auto *table = page.findChild<LiveTable *>();
        for (const QPushButton *button : table->findChildren<QPushButton *>())
            QTRY_VERIFY2(button->width() >= button->sizeHint().width(), qPrintable(button->text()));
    }
}

void TracePageTest::theDeviceThatRanOutOfMemoryIsShownFirst()
{
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    for (std::uint64_t at = 1; at < 5; ++at)
        builder.addEvent(
            0, {.action = Action::Alloc, .address = at * kMiB, .size = kMiB, .stream = stream});
    builder.addEvent(1, {.action = Action::Alloc, .address = 512, .size = 512, .stream = stream});
    builder.addEvent(1, {.action = Action::OutOfMemory, .size = kGiB, .deviceFree = 0});
    const auto document = analyse(std::move(*builder.finish()));
    QCOMPARE(document->mainDevice(), std::size_t(1));
    const TracePage page(document);
    const auto *devices = page.findChild<QComboBox *>();
    QCOMPARE(devices->currentText(), u"Device 1 · out of memory"_s);
}

void TracePageTest::anEmptySnapshotExplainsItself()
{
    TraceBuilder builder;
    TracePage page(analyse(*builder.finish()));
    const auto labels = page.findChildren<QLabel *>();
    QCOMPARE(labels.size(), 1);
    QVERIFY(labels.first()->text().contains(u"This snapshot is empty"));
    page.setUnit(ByteUnit::Decimal);
    QVERIFY(page.statusText().isEmpty());
}

void TracePageTest::aRecordingWithoutTimesIsShownByEvent()
{
    const auto document = sampleDocument({.times = false});
    QVERIFY(!document->devices[0]->hasTimes());
    TracePage page(document);
    page.resize(1200, 800);
    page.state()->select(12);
    QVERIFY(!page.grab().isNull());
    QVERIFY(page.statusText().startsWith(u"cursor: event"));
}

void TracePageTest::aCancelledAnalysisGivesNothing()
{
    QVERIFY(!analyse(test::SampleTrace().finish(), [](double) { return false; }));
}

void TracePageTest::aFilterDrivesEveryView()
{
    const auto document = sampleDocument();
    const Study &device = *document->devices[0];
    TracePage page(document);
    page.resize(1400, 800);
    page.show();
    page.studyNow();
    QVERIFY(QTest::qWaitForWindowActive(&page));
    QTest::keyClick(&page, Qt::Key_Slash);
    auto *field = page.findChild<FilterField *>();
    QTRY_VERIFY(field->hasFocus());
    QTest::keyClicks(field, u"size>=60MiB alive"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QTRY_VERIFY(page.state()->kept() != nullptr);
    const EventIndex cursor = page.state()->cursor();
    Bytes expected = 0;
    for (AllocationIndex at = 0; at < device.allocations().count(); ++at) {
        const bool kept = device.allocations().size[at] >= 60 * kMiB &&
                          device.allocations().birth[at] <= cursor &&
                          device.allocations().death[at] > cursor;
        QCOMPARE((*page.state()->kept())[at] != 0, kept);
        expected += kept ? device.allocations().size[at] : 0;
    }
    QVERIFY(expected > 0);
    QCOMPARE(page.findChild<LiveTable *>()->total(), expected);

    // "alive" follows the cursor.
    page.state()->setCursor(-1);
    QTRY_COMPARE(page.findChild<LiveTable *>()->total(), 12 * 64 * kMiB);
    QTest::keyClick(field, Qt::Key_Escape);
    QTRY_VERIFY(page.state()->kept() == nullptr);
    QVERIFY(field->text().isEmpty());
}

void TracePageTest::aFilterHoldsForEachDeviceOnItsOwn()
{
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    for (const int device : {0, 1}) { // a long one and a short one
        for (std::uint64_t at = 1; at < (device == 0 ? 500 : 20); ++at)
            builder.addEvent(device, {.action = Action::Alloc,
                                      .address = at << 20,
                                      .size = static_cast<Bytes>(at) * 1000,
                                      .stream = stream});
    }
    TracePage page(analyse(std::move(*builder.finish())));
    auto *field = page.findChild<FilterField *>();
    field->setText(u"size>10000B"_s);
    QTest::keyClick(field, Qt::Key_Return);
    for (const std::size_t device : {1U, 0U, 1U, 0U}) {
        page.showDevice(device);
        page.studyNow();
        page.setColorBy(device == 0 ? ColorBy::Size : ColorBy::Age);
        QTRY_VERIFY(page.state()->kept() != nullptr);
        const std::vector<std::uint8_t> kept = *page.state()->kept();
        QCOMPARE(kept.size(), std::size_t(device == 0 ? 499 : 19));
        QCOMPARE(static_cast<std::size_t>(std::ranges::count(kept, 1)), kept.size() - 10);
        QVERIFY(!page.grab().isNull());
    }
}

void TracePageTest::whatIsNoFilterIsSaidAndChangesNothing()
{
    TracePage page(sampleDocument());
    auto *field = page.findChild<FilterField *>();
    field->setText(u"size>much"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(field->complaint().contains(u"size>much"_s));
    QCOMPARE(field->toolTip(), field->complaint());
    QVERIFY(page.state()->kept() == nullptr);
    field->setText(u"size>1MiB"_s);
    QTest::keyClick(field, Qt::Key_Return);
    QVERIFY(field->complaint().isEmpty());
}

void TracePageTest::aColourOfTheLegendShowsItsGroupAlone()
{
    const auto document = sampleDocument();
    const Study &device = *document->devices[0];
    TracePage page(document);
    page.resize(1600, 900);
    page.show();
    page.studyNow();
    page.setColorBy(ColorBy::Age);
    auto *legend = page.findChild<LegendBar *>();
    const auto buttons = legend->findChildren<QToolButton *>();
    const auto before = std::ranges::find_if(buttons, [](const QToolButton *button) {
        return button->accessibleName() == u"from before the recording";
    });
    QVERIFY(before != buttons.end());
    (*before)->click();
    QTRY_VERIFY(page.state()->kept() != nullptr);
    for (AllocationIndex at = 0; at < device.allocations().count(); ++at)
        QCOMPARE((*page.state()->kept())[at] != 0, device.allocations().birth[at] < 0);
    (*before)->click();
    QTRY_VERIFY(page.state()->kept() == nullptr);
}

void TracePageTest::everyViewIsReachedByItsKeyOnceItIsKnown()
{
    TracePage page(sampleDocument());
    page.resize(1400, 800);
    page.show();
    QVERIFY(QTest::qWaitForWindowExposed(&page));
    QTRY_VERIFY(page.study() != nullptr);
    auto *timeline = page.findChild<TimelineView *>();
    QTest::keyClick(&page, Qt::Key_2, Qt::ControlModifier);
    QCOMPARE(page.view(), TraceView::Reserved);
    QCOMPARE(timeline->kind(), TimelineKind::Reserved);
    QTest::keyClick(&page, Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(timeline->kind(), TimelineKind::Bands);
    QVERIFY(!page.isAvailable(TraceView::Lanes)); // one pool, one stream
    QTest::keyClick(&page, Qt::Key_5, Qt::ControlModifier);
    QCOMPARE(timeline->kind(), TimelineKind::Bands);
    page.setAxisKind(EventAxis::Kind::Time);
    QCOMPARE(page.state()->axis().kind(), EventAxis::Kind::Time);
    QVERIFY(!timeline->grab().isNull());
}

void TracePageTest::anotherDeviceWaitsForItsStudyInAnyView()
{
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    for (const int device : {0, 1}) {
        for (std::uint64_t at = 1; at < 20; ++at)
            builder.addEvent(
                device,
                {.action = Action::Alloc, .address = at << 20, .size = kMiB, .stream = stream});
    }
    const std::shared_ptr<const Trace> trace = std::move(*builder.finish());
    for (const TraceView view : {TraceView::Reserved, TraceView::Bands, TraceView::State}) {
        TracePage page(analyse(trace)); // pages of one document share what is known of it
        page.studyNow();
        page.setView(view);
        page.showDevice(1); // not studied yet
        QCOMPARE(page.study(), nullptr);
        QVERIFY(!page.grab().isNull());
        QTRY_VERIFY(page.study() != nullptr);
        QVERIFY(page.isAvailable(view));
        QCOMPARE(page.view(), view);
        QVERIFY(!page.grab().isNull());
    }
}

void TracePageTest::theLegendFollowsTheUnit()
{
    TracePage page(sampleDocument());
    const auto tips = [&page] {
        QString all;
        for (const QToolButton *button :
             page.findChild<LegendBar *>()->findChildren<QToolButton *>())
            all += button->toolTip();
        return all;
    };
    QVERIFY2(tips().contains(u"MiB"), qPrintable(tips()));
    page.setUnit(ByteUnit::Decimal);
    QVERIFY2(!tips().contains(u"iB"), qPrintable(tips()));
}

void TracePageTest::looksRightInBothThemes()
{
    const auto document = sampleDocument();
    QVERIFY(document);
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        useTheme(*theme);
        TracePage page(document);
        page.resize(1600, 900);
        page.show();
        page.state()->select(20);
        settle();
        const QString name = test::pictureFolder() + u"/trace-page-sample-%1.png"_s;
        const QImage picture = page.grab().toImage();
        QVERIFY(picture.save(name.arg(theme->dark ? u"dark"_s : u"light"_s)));
        const QSize size(1200, 700);
        const QImage chart =
            image(paintingOf(document, 0, {}, size, *theme, ByteUnit::Binary), size);
        QVERIFY(chart.save(test::pictureFolder() + u"/active-memory-sample-%1.png"_s.arg(
                                                       theme->dark ? u"dark"_s : u"light"_s)));
    }
}

void TracePageTest::opensEveryRecording_data()
{
    QTest::addColumn<QString>("file");
    for (const char *file :
         {"big_27k_entries", "fsdp_oom_rank0", "oom_expandable_3of4gpus", "decomfl_windows_py_23k",
          "empty_no_segments", "diffusers_2dev_state_only"})
        QTest::newRow(file) << QString::fromLatin1(file);
}

void TracePageTest::opensEveryRecording()
{
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    QFETCH(QString, file);
    const QString path = u"%1/%2.pickle"_s.arg(test::corpusFolder(), file);
    const auto trace = readTrace(path.toStdString());
    QVERIFY2(trace.ok(), trace.ok() ? "" : trace.error().text().c_str());
    const auto document = analyse(*trace);
    for (const Theme *theme : {&lightTheme(), &darkTheme()}) {
        useTheme(*theme);
        TracePage page(document);
        page.resize(1600, 900);
        page.show();
        if (!document->devices.empty()) {
            const auto &device = *document->devices[document->mainDevice()];
            const auto live = device.allocations().liveAfter(device.curve().peakActiveEvent());
            page.state()->select(live.empty() ? kNoAllocation : live.back());
        }
        settle();
        const QString name = u"%1/trace-page-%2-%3.png"_s.arg(test::pictureFolder(), file,
                                                              theme->dark ? u"dark"_s : u"light"_s);
        QVERIFY(page.grab().toImage().save(name));
    }
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::TracePageTest)
#include "tst_trace_page.moc"
