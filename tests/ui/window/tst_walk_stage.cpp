// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui/window/walk.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/document/document_page.h"
#include "ui/offscreen/examples.h"
#include "ui/planner/answer_view.h"
#include "ui/planner/plan_page.h"
#include "ui/stage/order_dialog.h"
#include "ui/stage/stage_window.h"
#include "ui/support/theme.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/coloring.h"
#include "ui/trace/render.h"
#include "ui/trace/trace_view.h"
#include "ui/window/commands.h"

#include <QApplication>
#include <QListWidget>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QScreen>
#include <QUndoStack>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

constexpr QSize kProjector(1280, 720);

} // namespace

/// Talks before a projector: a plan with its scenarios, a recording with its bookmarks, and one
/// compared with the other, five things each.
class TestWalkStage : public test::Walk
{
    Q_OBJECT

private Q_SLOTS:
    void init() override;
    void arrangeAndPresentAPlan();
    void presentARecording();
    void presentAPlanHeldAgainstARecording();
    void cancelLeavesTheOrderAndTheViewIsAddedAsABookmark();
    void theTalkGoesOnWhenItsDocumentIsClosed();
    void theColoursOfATalkEndWithIt();

private:
    [[nodiscard]] DocumentTab *ready() const;
    [[nodiscard]] OrderDialog *arrange();
    [[nodiscard]] DocumentTab *open(const QString &example);
    void present();
    /// The presentation that has begun, on the projector.
    [[nodiscard]] StageWindow *stage() const;
    /// Steps through from the first to the last, with a picture of each in both colours.
    void walk(const QString &name, const QStringList &headlines);
};

void TestWalkStage::init()
{
    Walk::init();
    start({1100, 700});
}

DocumentTab *TestWalkStage::open(const QString &example)
{
    window().openFiles({u":/examples/"_s + example});
    return ready();
}

DocumentTab *TestWalkStage::ready() const
{
    DocumentTab *tab = window().tabs()->current();
    const auto isRead = [tab] { return tab->state() != DocumentTab::State::Loading; };
    return QTest::qWaitFor(isRead, 20'000) ? tab : nullptr;
}

OrderDialog *TestWalkStage::arrange()
{
    window().run(Command::ArrangeOrder);
    auto *dialog = window().findChild<OrderDialog *>();
    if (!dialog)
        return nullptr;
    dialog->activateWindow();
    const auto isActive = [dialog] { return QApplication::activeWindow() == dialog; };
    return QTest::qWaitFor(isActive) ? dialog : nullptr;
}

void TestWalkStage::present()
{
    window().activateWindow();
    QVERIFY(QTest::qWaitForWindowActive(&window()));
    QTest::keyClick(test::handleOf(window()), Qt::Key_F5);
}

StageWindow *TestWalkStage::stage() const
{
    auto *stage = window().findChild<StageWindow *>();
    if (!stage || !QTest::qWaitForWindowActive(stage))
        return nullptr;
    if (stage->screen()->size() != kProjector) { // no projector: in a window of its size
        stage->showNormal();
        stage->resize(kProjector);
    }
    return QTest::qWaitFor([stage] { return stage->size() == kProjector; }) ? stage : nullptr;
}

void TestWalkStage::walk(const QString &name, const QStringList &headlines)
{
    QPointer<StageWindow> shown = stage();
    QVERIFY(shown);
    QCOMPARE(qsizetype(shown->count()), headlines.size());
    for (qsizetype at = 0; at < headlines.size(); ++at) {
        QVERIFY2(shown->headline().startsWith(headlines[at]), qPrintable(shown->headline()));
        QVERIFY(shown->footer().endsWith(u"%1 / %2"_s.arg(at + 1).arg(headlines.size())));
        for (const Command colors : {Command::AppearanceDark, Command::AppearanceLight}) {
            window().run(colors);
            QApplication::processEvents();
            const QString look = colors == Command::AppearanceDark ? u"-dark"_s : QString();
            QVERIFY(shown->grab().save(test::pictureFolder() +
                                       u"/stage-%1-%2%3.png"_s.arg(name).arg(at + 1).arg(look)));
        }
        QTest::keyClick(test::handleOf(*shown), at % 2 == 0 ? Qt::Key_Right : Qt::Key_PageDown);
    }
    QTest::keyClick(test::handleOf(*shown), Qt::Key_Escape);
    QTRY_VERIFY(!shown);
    QVERIFY(window().isVisible());
}

void TestWalkStage::arrangeAndPresentAPlan()
{
    DocumentTab *tab = open(QFileInfo(examples().front().path).fileName());
    QVERIFY(tab && tab->page());
    auto *page = qobject_cast<PlanPage *>(tab->page());
    page->pinScenario();
    const std::int64_t twice = 2 * page->plan().batch.microBatch.value_or(1);
    QVERIFY(page->edit(*findField("batch.micro_batch"), twice).ok());
    page->pinScenario();

    OrderDialog *dialog = arrange();
    QVERIFY(dialog);
    QListWidget *list = dialog->list();
    QStringList titles;
    for (int row = 0; row < list->count(); ++row)
        titles += list->item(row)->text();
    const auto rowOf = [&](const QString &title) { return titles.indexOf(title); };
    for (const QString &title : {u"Which of them?"_s, u"What decides"_s, u"The options"_s})
        QVERIFY2(rowOf(title) >= 0, qPrintable(titles.join(u", "_s)));
    list->item(static_cast<int>(rowOf(u"What differs"_s)))->setCheckState(Qt::Unchecked);
    list->setCurrentRow(static_cast<int>(rowOf(u"One step"_s)));
    const int before = list->currentRow();
    list->currentItem()->setCheckState(Qt::Checked); // shown only where somebody wants it
    for (int step = 0; step < 3; ++step)
        QTest::keyClick(test::handleOf(*dialog), Qt::Key_Up, Qt::AltModifier);
    QCOMPARE(list->currentRow(), before - 3);
    list->setCurrentRow(0);
    dialog->note()->setPlainText(u"Half of it is logits: a chunked loss would not keep them."_s);
    dialog->accept();
    QCOMPARE(tab->runningOrder().front().note.substr(0, 10), std::string("Half of it"));
    QStringList headlines;
    for (const StageItem &item : arranged(page->stageItems(), tab->runningOrder())) {
        if (item.shown)
            headlines += item.scene().headline;
    }
    QVERIFY(headlines.size() >= 3);
    QVERIFY2(headlines.join(u'|').contains(u" stay all the time; the peak, "),
             qPrintable(headlines.join(u'|')));
    QVERIFY(!headlines.join(u'|').contains(u" most: ")); // what differs was unticked
    present();
    walk(u"plan"_s, headlines);
}

void TestWalkStage::presentARecording()
{
    DocumentTab *tab = open(u"training-out-of-memory.pickle"_s);
    QVERIFY(tab && tab->page());
    TimelineState *timeline = tab->page()->timeline();
    const EventIndex count = timeline->axis().count();
    timeline->setCursor(count / 3);
    timeline->showEvents(count / 4, count / 2);
    tab->page()->bookmarkUse()->addBookmark();
    tab->page()->bookmarks()->rename(0, u"The second step begins"_s);
    tab->page()->bookmarks()->setNote(0, u"What the first step left behind is still there."_s);
    tab->page()->traceUse()->showView({.view = TraceView::Stacks, .colorBy = ColorBy::Stack});
    tab->page()->bookmarkUse()->addBookmark();
    tab->page()->bookmarks()->rename(1, u"Who allocated it"_s);
    present();
    walk(u"trace"_s,
         {u"Out of memory: "_s, u"At the peak "_s, u"The second step begins"_s,
          u"Who allocated it"_s, u"Out of memory at event "_s, u"Most of it is activations: "_s,
          u"First: half the micro-batch. It gives "_s});
}

void TestWalkStage::presentAPlanHeldAgainstARecording()
{
    window().reconcileFiles(u":/examples/training-out-of-memory-as-planned.vramplan"_s,
                            u":/examples/training-out-of-memory.pickle"_s);
    DocumentTab *tab = ready();
    QVERIFY(tab && tab->page());
    OrderDialog *dialog = arrange();
    QVERIFY(dialog);
    QListWidget *list = dialog->list();
    for (int row = 0; row < list->count(); ++row) {
        if (list->item(row)->text() == u"Moment: At the loss")
            list->item(row)->setCheckState(Qt::Checked);
    }
    dialog->accept();
    present();
    walk(u"held"_s, {u"At the loss: "_s, u"2 of 6 moments were found"_s,
                     u"From predicted to recorded, at the loss: "_s, u"Why they differ: "_s,
                     u"At the loss: 14.3 GiB predicted, 24.1 GiB recorded."_s});
}

void TestWalkStage::cancelLeavesTheOrderAndTheViewIsAddedAsABookmark()
{
    DocumentTab *tab = open(u"training-expandable-segments.pickle"_s);
    QVERIFY(tab && tab->page());
    const BookmarkModel *bookmarks = tab->page()->bookmarks();
    for (const bool accepted : {false, true}) {
        const QPointer<OrderDialog> dialog = arrange();
        QVERIFY(dialog);
        dialog->list()->setCurrentRow(0);
        QVERIFY(dialog->add()->isEnabled());
        QTest::keyClick(test::handleOf(*dialog), Qt::Key_Insert);
        QTRY_COMPARE(dialog->list()->currentRow(), 1);
        if (accepted) {
            dialog->accept();
        } else {
            QTest::keyClick(test::handleOf(*dialog), Qt::Key_Escape);
            QTRY_VERIFY(!dialog || dialog->isHidden());
        }
        QCOMPARE(bookmarks->rowCount(), accepted ? 1 : 0);
        QCOMPARE(tab->runningOrder().empty(), !accepted);
        QTRY_VERIFY(!window().findChild<OrderDialog *>());
    }
    present();
    QPointer<StageWindow> shown = stage();
    QVERIFY(shown);
    QTest::keyClick(test::handleOf(*shown), Qt::Key_2);
    QTest::keyClick(test::handleOf(*shown), Qt::Key_Return);
    QCOMPARE(shown->headline(), bookmarks->index(0).data().toString());
    QTest::keyClick(test::handleOf(*shown), Qt::Key_Escape);
    QTRY_VERIFY(!shown);
    tab->page()->undoStack()->undo();
    QCOMPARE(bookmarks->rowCount(), 0);
}

void TestWalkStage::theTalkGoesOnWhenItsDocumentIsClosed()
{
    DocumentTab *tab = open(u"training-expandable-segments.pickle"_s);
    QVERIFY(tab && tab->page());
    present();
    QPointer<StageWindow> shown = stage();
    QVERIFY(shown);
    QPointer<DocumentTab> closed = tab;
    window().run(Command::CloseTab);
    QTRY_VERIFY(!closed);
    QTest::keyClick(test::handleOf(*shown), Qt::Key_Right);
    QVERIFY(shown->headline().startsWith(u"At the peak "));
    QVERIFY(!shown->grab().isNull());
    QTest::keyClick(test::handleOf(*shown), Qt::Key_Escape);
    QTRY_VERIFY(!shown);
}

void TestWalkStage::theColoursOfATalkEndWithIt()
{
    QVERIFY(open(QFileInfo(examples().front().path).fileName()));
    const QByteArray geometry = window().saveGeometry();
    const DocumentTab *tab = window().tabs()->current();
    present();
    QPointer<StageWindow> shown = stage();
    QVERIFY(shown);
    QVERIFY(!themeOf(shown).dark);
    QTest::keyClick(test::handleOf(*shown), Qt::Key_T);
    QTRY_VERIFY(themeOf(shown).dark);
    QTest::keyClick(test::handleOf(*shown), Qt::Key_Escape);
    QTRY_VERIFY(!shown);
    QVERIFY(!themeOf(&window()).dark);
    QCOMPARE(window().saveGeometry(), geometry);
    QCOMPARE(window().tabs()->current(), tab);
}

VRAMSCOPE_TEST(TestWalkStage)
#include "tst_walk_stage.moc"
