// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison/compare.h"
#include "core/session/session_json.h"
#include "tests/ui/window/walk.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/bookmarks/bookmark_panel.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/comparison.h"
#include "ui/compare/sites_table.h"
#include "ui/document/document_page.h"
#include "ui/models/data_table_model.h"
#include "ui/support/text.h"
#include "ui/trace/allocation_panel.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/live_table.h"
#include "ui/trace/trace_page.h"
#include "ui/window/export_preview.h"
#include "ui/window/view_export_dialog.h"

#include <QListView>
#include <QPushButton>
#include <QTableView>

using namespace vramscope;
using namespace Qt::StringLiterals;
using test::click;
using test::doubleClick;
using test::drop;

namespace {

QPushButton *buttonHolding(const QWidget &parent, QStringView text)
{
    for (QPushButton *button : parent.findChildren<QPushButton *>()) {
        if (button->isVisible() && button->text().contains(text))
            return button;
    }
    return nullptr;
}

} // namespace

/// A new user's way through the trace page, on the recording of a run that ran out of memory.
class TestWalkTrace : public test::Walk
{
    Q_OBJECT

private Q_SLOTS:
    void init() override;
    void openByDrop();
    void goToTheOutOfMemoryEvent();
    void findTheLargestStackAtThePeak();
    void filterToIt();
    void bookmarkItAndComeBack();
    void compareWithAnotherRank();
    void exportThePicture();

private:
    // The way to where the functions above look around.
    [[nodiscard]] bool open();
    void selectLargestStack();
    [[nodiscard]] bool showOnlyThese();
    [[nodiscard]] bool compare();

    [[nodiscard]] TracePage *page() const { return m_page; }
    [[nodiscard]] const Study &device() const { return *m_device; }
    [[nodiscard]] QString file(int rank) const
    {
        return inFolder(u"fsdp_oom_rank%1.pickle"_s.arg(rank));
    }

    QStringList m_chosen;
    QString m_name;
    TracePage *m_page = nullptr;
    const Study *m_device = nullptr;
    StackId m_largest = StackId::None;
};

void TestWalkTrace::init()
{
    Walk::init();
    if (test::corpusFolder().isEmpty())
        QSKIP("The recordings are not there (VRAMSCOPE_CORPUS).");
    for (const int rank : {0, 1}) // a session is written beside them
        QVERIFY(QFile::copy(u"%1/fsdp_oom_rank%2.pickle"_s.arg(test::corpusFolder()).arg(rank),
                            file(rank)));
    Questions questions;
    questions.askForFiles = [this] { return m_chosen; };
    questions.askForName = [this](const QString &) { return m_name; };
    questions.tell = [](const QString &text) { QFAIL(qPrintable(text)); };
    start({1440, 900}, std::move(questions));
}

bool TestWalkTrace::open()
{
    drop(window(), file(0));
    const bool shown = waitFor([this] {
        m_page = tabIsReady() ? qobject_cast<TracePage *>(tab()->page()) : nullptr;
        return m_page && m_page->study();
    });
    if (!shown || tab()->page()->compared().size() != 1)
        return false;
    m_device = tab()->page()->compared().front().document->devices[m_page->device()].get();
    return true;
}

void TestWalkTrace::selectLargestStack()
{
    auto *table = page()->findChild<LiveTable *>();
    click(*buttonHolding(*table, u"At the peak"));
    click(*table->view()->viewport(),
          table->view()->visualRect(table->model()->index(0, 0)).center());
    m_largest = table->groups()[0].stack;
}

bool TestWalkTrace::showOnlyThese()
{
    click(*buttonHolding(*page()->findChild<AllocationPanel *>(), u"Show only these"));
    return waitFor([this] { return page()->state()->kept() != nullptr; });
}

bool TestWalkTrace::compare()
{
    m_chosen = {file(1)};
    key(Qt::Key_O, Qt::ControlModifier | Qt::ShiftModifier);
    return waitFor([this] {
        const auto *page = tabIsReady() ? qobject_cast<ComparePage *>(tab()->page()) : nullptr;
        return page && page->pair();
    });
}

void TestWalkTrace::openByDrop()
{
    QVERIFY(open());
    QCOMPARE(window().windowTitle(), u"fsdp_oom_rank0.pickle[*] – VRAMscope"_s);
    QCOMPARE(page()->view(), TraceView::Active);
}

void TestWalkTrace::goToTheOutOfMemoryEvent()
{
    QVERIFY(open());
    const EventIndex failed = device().device().outOfMemory.front().event;
    page()->state()->setCursor(0);
    auto *answer = page()->findChild<QLabel *>(u"answer"_s);
    QVERIFY2(answer->text().contains(u"Ran out of memory</a>: asked for 3.91 GiB"_s),
             qPrintable(answer->text()));
    click(*answer, QPoint(20, answer->height() / 2));
    QCOMPARE(page()->state()->cursor(), failed);
    QVERIFY(page()->state()->visible().x.contains(failed));
    QVERIFY(tab()->statusText().contains(u"cursor: event %1"_s.arg(countText(failed))));
}

void TestWalkTrace::findTheLargestStackAtThePeak()
{
    QVERIFY(open());
    std::map<StackId, Bytes> stacks;
    for (const AllocationIndex live :
         device().allocations().liveAfter(device().curve().peakActiveEvent()))
        stacks[device().allocations().stack[live]] += device().allocations().size[live];
    const auto largest =
        std::ranges::max_element(stacks, {}, [](const auto &stack) { return stack.second; });

    selectLargestStack();
    const auto *table = page()->findChild<LiveTable *>();
    QCOMPARE(m_largest, largest->first);
    QCOMPARE(table->groups()[0].bytes, largest->second);
    QCOMPARE(device().allocations().stack[page()->state()->selected()], m_largest);
    QCOMPARE(page()->state()->cursor(), device().curve().peakActiveEvent());
    QVERIFY(page()->findChild<AllocationPanel *>()->text().contains(u"model.py:340"));
}

void TestWalkTrace::filterToIt()
{
    QVERIFY(open());
    selectLargestStack();
    QVERIFY(showOnlyThese());
    for (AllocationIndex at = 0; at < device().allocations().count(); ++at)
        QCOMPARE((*page()->state()->kept())[at] != 0,
                 device().allocations().stack[at] == m_largest);
    const auto *table = page()->findChild<LiveTable *>();
    QCOMPARE(table->model()->rowCount(), 1);
    QCOMPARE(table->groups()[0].stack, m_largest);
}

void TestWalkTrace::bookmarkItAndComeBack()
{
    QVERIFY(open());
    selectLargestStack();
    QVERIFY(showOnlyThese());
    const Viewport seen = page()->state()->visible();
    const AllocationIndex selected = page()->state()->selected();
    key(Qt::Key_D, Qt::ControlModifier);
    QCOMPARE(page()->bookmarks()->rowCount(), 1);
    const QString session = file(0) + u".vramscope.json"_s;
    QTRY_VERIFY(QFile::exists(session));
    QFile written(session);
    QVERIFY(written.open(QIODevice::ReadOnly));
    const auto parsed = parseSession(written.readAll().toStdString());
    QVERIFY(parsed.ok());
    QCOMPARE(parsed->bookmarks.size(), std::size_t(1));

    // Elsewhere, and back by the list.
    key(Qt::Key_4, Qt::ControlModifier);
    QCOMPARE(page()->view(), TraceView::Bands);
    auto *filter = page()->findChild<FilterField *>();
    click(*filter);
    key(Qt::Key_Escape);
    QTRY_VERIFY(page()->state()->kept() == nullptr);
    page()->state()->showEvents(10, 50);
    page()->state()->select(kNoAllocation);
    auto *list = page()->findChild<BookmarkPanel *>()->findChild<QListView *>();
    doubleClick(*list->viewport(), list->visualRect(list->model()->index(0, 0)).center());
    QCOMPARE(page()->view(), TraceView::Active);
    QTRY_VERIFY(page()->state()->kept() != nullptr);
    QCOMPARE(page()->state()->selected(), selected);
    QVERIFY(std::abs(page()->state()->visible().x.low - seen.x.low) < 1);
    QVERIFY(std::abs(page()->state()->visible().x.high - seen.x.high) < 1);
}

void TestWalkTrace::compareWithAnotherRank()
{
    QVERIFY(open());
    QVERIFY(compare());
    const auto *comparison = qobject_cast<ComparePage *>(tab()->page());
    const auto &traces = comparison->traces();
    QCOMPARE(traces.size(), std::size_t(2));
    QCOMPARE(traces[0].document->devices[traces[0].device].get(), m_device); // not read again
    const auto peakOf = [](const ComparedTrace &trace) {
        return peakMoment(*trace.document->devices[trace.device]);
    };
    const Comparison expected = compareTraces(peakOf(traces[0]), peakOf(traces[1]));
    const TracePair &shown = *comparison->pair();
    QCOMPARE(shown.sites.size(), expected.sites.size());
    Bytes sum = 0;
    for (const ComparedSite &site : shown.sites)
        sum += site.delta();
    QCOMPARE(sum, expected.b.active - expected.a.active);
    QCOMPARE(shown.bytesB - shown.bytesA, sum);
    QVERIFY(comparison->findChild<SitesTable *>()->isVisible());
}

void TestWalkTrace::exportThePicture()
{
    QVERIFY(open());
    QVERIFY(compare());
    m_name = inFolder(u"comparison.png"_s);
    key(Qt::Key_E, Qt::ControlModifier);
    QTRY_VERIFY(QApplication::activeModalWidget());
    auto *dialog = qobject_cast<ViewExportDialog *>(QApplication::activeModalWidget());
    QVERIFY(dialog);
    QTRY_VERIFY(!dialog->preview()->image().isNull());
    const QSize expected = dialog->preview()->image().size();
    QTest::keyClick(dialog, Qt::Key_Return);
    const QImage picture(m_name);
    QCOMPARE(picture.size(), expected);
    QCOMPARE(picture.width(), tab()->page()->width());
    QVERIFY(picture.save(test::pictureFolder() + u"/walk-comparison.png"_s));
    QCOMPARE(window().tabs()->count(), 3); // start, rank 0, the comparison
    window().tabs()->setCurrentIndex(1);
    look(u"trace"_s);
}

VRAMSCOPE_TEST(TestWalkTrace)
#include "tst_walk_trace.moc"
