// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/event_order.h"
#include "tests/support/test.h"
#include "tests/ui/trace/sample_trace.h"
#include "ui/models/data_table_model.h"
#include "ui/support/editor.h"
#include "ui/trace/allocation_panel.h"
#include "ui/trace/events_view.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/live_table.h"
#include "ui/trace/stack_view.h"
#include "ui/trace/stacks_view.h"
#include "ui/trace/trace_page.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>
#include <QFile>
#include <QHeaderView>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTemporaryDir>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// Allocations at two addresses, one after the other, freed in two steps.
std::shared_ptr<const TraceDocument> reusedPlace()
{
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    const FrameId frames[] = {builder.internFrame("forward", "/home/me/model.py", 12)};
    const StackId stack = builder.internStack(frames);
    const auto record = [&](Action action, std::uint64_t address, Bytes size) {
        builder.addEvent(
            0,
            {.action = action, .address = address, .size = size, .stack = stack, .stream = stream});
    };
    for (const Bytes size : {3 * kMiB, 2 * kMiB, 1 * kMiB}) {
        record(Action::Alloc, 0x1000000, size);
        record(Action::Alloc, 0x9000000, kKiB);
        record(Action::FreeRequested, 0x1000000, size);
        record(Action::FreeRequested, 0x9000000, kKiB);
        record(Action::FreeCompleted, 0x9000000, kKiB);
        record(Action::FreeCompleted, 0x1000000, size);
    }
    return analyse(std::move(*builder.finish()));
}

QPushButton *buttonWith(const QWidget &parent, QStringView text)
{
    for (QPushButton *button : parent.findChildren<QPushButton *>()) {
        if (button->text().contains(text))
            return button;
    }
    return nullptr;
}

void show(QWidget &page)
{
    page.resize(1400, 900);
    page.show();
    QVERIFY(QTest::qWaitForWindowActive(&page));
}

} // namespace

class SelectionTest : public test::Test
{
    Q_OBJECT

private Q_SLOTS:
    void bracketsStepThroughTheEventsOfTheSelection();
    void whoHadTheAddressIsALinkAway();
    void theStackOfTheSelectionIsShownAlone();
    void aRowOfTheTableIsShownAlone();
    void theTableTellsWhatTheRangeAllocates();
    void theRangeOfAnotherDeviceIsNotThatOfTheLast();
    void whatIsSelectedIsText();
    void aFrameOpensInAnEditor();
    void theListOfEventsFollowsSortAndCursor();
    void theListOfEventsFollowsTheFilter();
};

void SelectionTest::bracketsStepThroughTheEventsOfTheSelection()
{
    TracePage page(reusedPlace());
    show(page);
    page.state()->select(2); // born at event 6, free asked for at 8, freed at 11
    page.state()->setCursor(0);
    for (const EventIndex expected : {6, 8, 11, 11}) {
        QTest::keyClick(&page, Qt::Key_BracketRight);
        QCOMPARE(page.state()->cursor(), expected);
        QVERIFY(page.state()->visible().x.contains(expected));
    }
    for (const EventIndex expected : {8, 6, 6}) {
        QTest::keyClick(&page, Qt::Key_BracketLeft);
        QCOMPARE(page.state()->cursor(), expected);
    }
    page.state()->select(kNoAllocation);
    QTest::keyClick(&page, Qt::Key_BracketRight);
    QCOMPARE(page.state()->cursor(), EventIndex(6));
    auto *filter = page.findChild<FilterField *>();
    filter->setFocus();
    QTest::keyClicks(filter, u"[a]"_s);
    QCOMPARE(filter->text(), u"[a]"_s); // typing is typing
}

void SelectionTest::whoHadTheAddressIsALinkAway()
{
    TracePage page(reusedPlace());
    show(page);
    const auto *panel = page.findChild<AllocationPanel *>();
    page.state()->select(2);
    QVERIFY2(panel->text().contains(u"Before it: 3.00 MiB, freed at event 5"),
             qPrintable(panel->text()));
    QVERIFY2(panel->text().contains(u"After it: 1.00 MiB, from event 12"),
             qPrintable(panel->text()));
    buttonWith(*panel, u"freed at event 5")->click();
    QCOMPARE(page.state()->selected(), AllocationIndex(0));
    QCOMPARE(page.state()->cursor(), EventIndex(0));
    QVERIFY(!panel->text().contains(u"Before it"));
    buttonWith(*panel, u"from event 6")->click();
    QCOMPARE(page.state()->selected(), AllocationIndex(2));
}

void SelectionTest::theStackOfTheSelectionIsShownAlone()
{
    const auto document = analyse(test::SampleTrace().finish());
    const Allocations &allocations = document->devices[0]->allocations();
    TracePage page(document);
    show(page);
    auto *filter = page.findChild<FilterField *>();
    filter->setText(u"size>1KiB stack:3 alive"_s);
    page.state()->select(20);
    buttonWith(*page.findChild<AllocationPanel *>(), u"Show only these")->click();
    const StackId stack = allocations.stack[20];
    QCOMPARE(filter->text(), u"size>1KiB alive stack:%1"_s.arg(static_cast<int>(stack)));
    filter->setText(filter->text().remove(u" alive"_s));
    QTRY_VERIFY(page.state()->kept() != nullptr && (*page.state()->kept())[20]);
    for (AllocationIndex at = 0; at < allocations.count(); ++at)
        QCOMPARE((*page.state()->kept())[at] != 0, allocations.stack[at] == stack);
}

void SelectionTest::aRowOfTheTableIsShownAlone()
{
    TracePage page(analyse(test::SampleTrace().finish()));
    show(page);
    auto *table = page.findChild<LiveTable *>();
    table->view()->setCurrentIndex(table->model()->index(0, 0));
    const StackId stack = table->groups()[0].stack;
    QCOMPARE(table->view()->actions().size(), 1);
    table->view()->actions().first()->trigger();
    QCOMPARE(page.findChild<FilterField *>()->text(), u"stack:%1"_s.arg(static_cast<int>(stack)));
    QTRY_COMPARE(table->model()->rowCount(), 1);
    QCOMPARE(table->groups()[0].stack, stack);
}

void SelectionTest::theTableTellsWhatTheRangeAllocates()
{
    const auto document = analyse(test::SampleTrace().finish());
    const Allocations &allocations = document->devices[0]->allocations();
    TracePage page(document);
    show(page);
    auto *table = page.findChild<LiveTable *>();
    buttonWith(*table, u"In the range")->click();
    for (const auto &[first, last] : {std::pair(10, 60), std::pair(61, 62), std::pair(0, 300)}) {
        page.state()->showEvents(first, last);
        const EventAxis &axis = page.state()->axis();
        const EventIndex low = std::max(axis.eventAt(page.state()->visible().x.low), 0);
        const EventIndex high = axis.eventAt(page.state()->visible().x.high);
        Bytes expected = 0;
        std::int64_t count = 0;
        for (AllocationIndex at = 0; at < allocations.count(); ++at) {
            if (allocations.birth[at] >= low && allocations.birth[at] <= high) {
                expected += allocations.size[at];
                ++count;
            }
        }
        QTRY_COMPARE(table->total(), expected);
        QTRY_COMPARE(table->allocations(), count);
    }
}

void SelectionTest::theRangeOfAnotherDeviceIsNotThatOfTheLast()
{
    TraceBuilder builder;
    const StreamId stream = builder.internStream(0);
    for (const int device : {0, 1}) { // a long one and a short one
        for (std::uint64_t at = 1; at < (device == 0 ? 500 : 20); ++at)
            builder.addEvent(
                device,
                {.action = Action::Alloc, .address = at << 20, .size = kMiB, .stream = stream});
    }
    TracePage page(analyse(std::move(*builder.finish())));
    auto *table = page.findChild<LiveTable *>();
    buttonWith(*table, u"In the range")->click();
    QTRY_COMPARE(table->allocations(), std::int64_t(499));
    page.showDevice(1);
    QCOMPARE(table->model()->rowCount(), 0); // nothing to choose that this device does not have
    QTRY_COMPARE(table->allocations(), std::int64_t(19));
}

void SelectionTest::whatIsSelectedIsText()
{
    TracePage page(analyse(test::SampleTrace().finish()));
    show(page);
    page.studyNow();
    QVERIFY(page.selectedText().isEmpty());
    page.state()->select(12);
    QVERIFY2(page.selectedText().contains(u"Attention.forward"), qPrintable(page.selectedText()));
}

void SelectionTest::aFrameOpensInAnEditor()
{
    QTemporaryDir folder;
    const QString source = folder.filePath(u"a model.py"_s);
    const QString log = folder.filePath(u"log"_s);
    for (const auto &[name, content] :
         {std::pair(source, QByteArray("pass\n")),
          std::pair(folder.filePath(u"code"_s), "#!/bin/sh\nprintf '%s\\n' \"$@\" > '" +
                                                    log.toUtf8() + ".part'\nmv '" + log.toUtf8() +
                                                    ".part' '" + log.toUtf8() + "'\n")}) {
        QFile file(name);
        QVERIFY(file.open(QIODevice::WriteOnly));
        file.write(content);
        file.setPermissions(QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
    }
    const QByteArray path = qgetenv("PATH");
    qputenv("PATH", folder.path().toUtf8() + ":" + path);
    const auto restore = qScopeGuard([&path] { qputenv("PATH", path); });
    QCOMPARE(openInEditor(source, 12), QString());
    QTRY_VERIFY(QFile::exists(log));
    QFile written(log);
    QVERIFY(written.open(QIODevice::ReadOnly));
    QCOMPARE(written.readAll(), "--goto\n" + source.toUtf8() + ":12\n");
    QVERIFY(openInEditor(u"/home/me/model.py"_s, 12).contains(u"not on this machine"));
    QVERIFY(openInEditor(u"model.py"_s, 12).contains(u"not on this machine"));

    // The place of a frame is the link that leads there.
    TracePage page(reusedPlace());
    show(page);
    page.state()->select(0);
    auto *stack = page.findChild<StackView *>();
    QSignalSpy wanted(stack, &StackView::placeWanted);
    bool clicked = false;
    for (int x = 0; x < stack->width() && !clicked; x += 4) {
        if (!stack->anchorAt({x, 6}).isEmpty()) {
            QTest::mouseClick(stack->viewport(), Qt::LeftButton, {}, {x, 6});
            clicked = true;
        }
    }
    QVERIFY(clicked);
    QCOMPARE(wanted.size(), 1);
    QCOMPARE(wanted.first().at(0).toString(), u"/home/me/model.py"_s);
    QCOMPARE(wanted.first().at(1).toInt(), 12);
}

void SelectionTest::theListOfEventsFollowsSortAndCursor()
{
    const auto document = analyse(test::SampleTrace().finish());
    const Study &device = *document->devices[0];
    TracePage page(document);
    show(page);
    page.setView(TraceView::Events);
    auto *view = page.findChild<EventsView *>();
    const QAbstractItemModelTester tester(view->model(),
                                          QAbstractItemModelTester::FailureReportingMode::QtTest);
    QTRY_COMPARE(view->model()->rowCount(), static_cast<int>(device.device().events.count()));
    QCOMPARE(view->eventAt(view->table()->currentIndex().row()), page.state()->cursor());
    page.state()->setCursor(17);
    QCOMPARE(view->table()->currentIndex().row(), 17);

    view->table()->horizontalHeader()->setSortIndicator(view->model()->columnOf("bytes"),
                                                        Qt::DescendingOrder);
    const std::vector<Bytes> &sizes = device.device().events.size;
    const auto sizeAt = [&](int row) {
        return sizes[static_cast<std::size_t>(view->eventAt(row))];
    };
    QTRY_COMPARE(sizeAt(0), std::ranges::max(sizes));
    for (int row = 1; row < view->model()->rowCount(); ++row)
        QVERIFY(sizeAt(row) <= sizeAt(row - 1));
    QTRY_COMPARE(view->eventAt(view->table()->currentIndex().row()), EventIndex(17));

    // Choosing a row selects what it is about.
    int row = 0;
    while (device.device().events.action[static_cast<std::size_t>(view->eventAt(row))] !=
           Action::FreeRequested)
        ++row;
    const EventIndex event = view->eventAt(row);
    view->table()->setCurrentIndex(view->model()->index(row, 0));
    QCOMPARE(page.state()->cursor(), event);
    const AllocationIndex selected = page.state()->selected();
    QVERIFY(selected != kNoAllocation);
    QCOMPARE(device.allocations().freeRequested[selected], event);
}

void SelectionTest::theListOfEventsFollowsTheFilter()
{
    const auto document = analyse(test::SampleTrace().finish());
    const Study &device = *document->devices[0];
    TracePage page(document);
    show(page);
    page.setView(TraceView::Events);
    auto *view = page.findChild<EventsView *>();
    page.findChild<FilterField *>()->setText(u"softmax"_s);
    int expected = 0;
    for (AllocationIndex at = 0; at < device.allocations().count(); ++at)
        expected +=
            device.allocations().size[at] == 90 * kMiB ? 3 : 0; // taken, returned in two steps
    QTRY_COMPARE(view->model()->rowCount(), expected);
    page.setUnit(ByteUnit::Decimal);
    QCOMPARE(view->model()->index(0, view->model()->columnOf("bytes")).data().toString(),
             u"94.4 MB"_s);
    page.findChild<FilterField *>()->clear();
    QTRY_COMPARE(view->model()->rowCount(), static_cast<int>(device.device().events.count()));
}

} // namespace vramscope

VRAMSCOPE_TEST(vramscope::SelectionTest)
#include "tst_selection.moc"
