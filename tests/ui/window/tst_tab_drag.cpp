// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "tests/support/test.h"
#include "tests/ui/window/system_events.h"
#include "ui/planner/plan_page.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"

#include <QApplication>
#include <QDrag>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTimer>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

std::unique_ptr<MainWindow> makeWindow(const QString &folder, const QPoint &place)
{
    MainWindow::Options options;
    options.preferencesFile = folder + u"/settings.ini"_s;
    Questions questions;
    questions.askToSave = [](const QString &) { return SaveAnswer::Discard; };
    questions.tell = [](const QString &text) { QFAIL(qPrintable(text)); };
    options.questions = std::move(questions);
    auto window = std::make_unique<MainWindow>(std::move(options));
    window->setGeometry(QRect(place, QSize(740, 500)));
    window->show();
    return window;
}

} // namespace

/// Without a display Qt drags nothing; the test runs on one as well.
#define NEEDS_A_DISPLAY()                                                                          \
    if (QGuiApplication::platformName() == u"offscreen"_s)                                         \
    QSKIP("Qt's offscreen platform has no drags")

/// A plan's tab taken by the mouse from one window to another.
class TestTabDrag : public test::Test
{
    Q_OBJECT

private:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<MainWindow> m_first;
    std::unique_ptr<MainWindow> m_second;

    static QTabBar *bar(const MainWindow &window) { return window.tabs()->tabBar(); }
    static QPoint placeOf(const QWidget &widget, QPoint at)
    {
        return widget.mapTo(widget.window(), at);
    }
    static void move(const MainWindow &window, QPoint place)
    {
        QTest::mouseMove(test::handleOf(window), place);
    }

    /// The tab in front, down out of its row and on to a place of a window, and let go there. The
    /// drag has a loop of its own: what happens in it is planned before.
    void dragTo(const MainWindow &target, QPoint place)
    {
        const QPoint start =
            placeOf(*bar(*m_first), bar(*m_first)->tabRect(bar(*m_first)->currentIndex()).center());
        QTimer steps;
        int step = 0;
        connect(&steps, &QTimer::timeout, this, [&] {
            const bool dragging = m_first->tabs()->findChild<QDrag *>() != nullptr;
            if (!dragging && step > 3)
                return steps.stop();
            if (!dragging)
                return; // it has not begun yet
            if (++step <= 3)
                return move(target, place + QPoint(step, step));
            QTest::mouseRelease(test::handleOf(target), Qt::LeftButton, {}, place + QPoint(3, 3));
        });
        steps.start(30);
        QTest::mousePress(test::handleOf(*m_first), Qt::LeftButton, {}, start);
        for (const int down : {10, 30, 60, 120})
            move(*m_first, start + QPoint(0, down));
        QTRY_VERIFY(!steps.isActive());
    }

private Q_SLOTS:
    void init() override
    {
        test::Test::init();
        m_folder = std::make_unique<QTemporaryDir>();
        m_first = makeWindow(m_folder->path(), {10, 30});
        m_second = makeWindow(m_folder->path(), {780, 30});
        for (const MainWindow *window : {m_first.get(), m_second.get()})
            QVERIFY(QTest::qWaitForWindowExposed(window->windowHandle()));
        m_first->activateWindow();
        m_first->run(Command::NewPlan);
        auto *page = qobject_cast<PlanPage *>(m_first->tabs()->current()->page());
        QVERIFY(page->edit(*findField("batch.micro_batch"), std::int64_t(4)).ok());
        QCoreApplication::processEvents();
    }
    void cleanup()
    {
        m_first.reset();
        m_second.reset();
    }

    void anUnsavedPlanOpensInTheOtherWindow()
    {
        NEEDS_A_DISPLAY();
        dragTo(*m_second, {300, 300});
        QTRY_COMPARE(m_second->tabs()->documents().size(), 1);
        const DocumentTab *taken = m_second->tabs()->current();
        QVERIFY(*taken->page()->plan() == *m_first->tabs()->current()->page()->plan());
        QCOMPARE(m_first->tabs()->documents().size(), 1); // and stays where it was
        QCOMPARE(bar(*m_first)->currentIndex(), 1);
    }

    void aPlanOfAFileOpensAsThatFile()
    {
        NEEDS_A_DISPLAY();
        const QString path = m_folder->filePath(u"mine.vramplan"_s);
        QVERIFY(m_first->tabs()->current()->saveAs(path).ok());
        dragTo(*m_second, {300, 300});
        QTRY_COMPARE(m_second->tabs()->documents().size(), 1);
        QTRY_COMPARE(m_second->tabs()->current()->state(), DocumentTab::State::Ready);
        QCOMPARE(m_second->tabs()->current()->path(), path);
    }

    void itOpensBesideAPlanThatIsThereAlready()
    {
        NEEDS_A_DISPLAY();
        m_second->run(Command::NewPlan);
        const Plan before = *m_second->tabs()->current()->page()->plan();
        QCoreApplication::processEvents();
        dragTo(*m_second, {300, 300});
        QTRY_COMPARE(m_second->tabs()->documents().size(), 2);
        QVERIFY(*m_second->tabs()->documents().front()->page()->plan() == before);
    }

    void letGoOverItsOwnWindowItStays()
    {
        NEEDS_A_DISPLAY();
        dragTo(*m_first, {300, 300});
        QCoreApplication::processEvents();
        QCOMPARE(m_first->tabs()->documents().size(), 1);
        QVERIFY(m_second->tabs()->documents().isEmpty());
    }

    void theTabCanBeClickedAfterADrag()
    {
        NEEDS_A_DISPLAY();
        dragTo(*m_second, {300, 300});
        QTRY_COMPARE(m_second->tabs()->documents().size(), 1);
        test::click(*bar(*m_first), bar(*m_first)->tabRect(0).center());
        QCOMPARE(bar(*m_first)->currentIndex(), 0);
        test::click(*bar(*m_first), bar(*m_first)->tabRect(1).center());
        QCOMPARE(bar(*m_first)->currentIndex(), 1);
    }

    void alongTheRowItOnlyMovesThere()
    {
        m_first->run(Command::NewPlan);
        QCoreApplication::processEvents();
        DocumentTab *moved = m_first->tabs()->current();
        QTabBar *row = bar(*m_first);
        const QPoint from = placeOf(*row, row->tabRect(2).center());
        const QPoint to = placeOf(*row, row->tabRect(1).center());
        QTest::mousePress(test::handleOf(*m_first), Qt::LeftButton, {}, from);
        for (int part = 1; part <= 4; ++part)
            move(*m_first, from + (to - QPoint(12, 0) - from) * part / 4);
        QTest::mouseRelease(test::handleOf(*m_first), Qt::LeftButton, {}, to - QPoint(12, 0));
        QTRY_COMPARE(m_first->tabs()->indexOf(moved), 1);
        QVERIFY(m_second->tabs()->documents().isEmpty());
    }

    void theStartPageStaysInItsWindow()
    {
        m_first->tabs()->setCurrentIndex(0);
        QTabBar *row = bar(*m_first);
        const QPoint start = placeOf(*row, row->tabRect(0).center());
        QTest::mousePress(test::handleOf(*m_first), Qt::LeftButton, {}, start);
        for (const int down : {10, 60, 120})
            move(*m_first, start + QPoint(0, down));
        QTest::mouseRelease(test::handleOf(*m_first), Qt::LeftButton, {}, start + QPoint(0, 120));
        QCOMPARE(m_first->tabs()->indexOf(m_first->tabs()->widget(0)), 0);
        QVERIFY(m_second->tabs()->documents().isEmpty());
    }
};

VRAMSCOPE_TEST(TestTabDrag)
#include "tst_tab_drag.moc"
