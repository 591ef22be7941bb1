// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/test.h"
#include "ui/offscreen/examples.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plan_view.h"
#include "ui/trace/coloring.h"
#include "ui/trace/render.h"
#include "ui/trace/trace_view.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"

#include <QHeaderView>
#include <QLabel>
#include <QTemporaryDir>

using namespace vramscope;
using namespace Qt::StringLiterals;

/// Opens every kind of document, and looks whether the numbers that it shows say what they are.
class ExplainedTest : public test::Test
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;

    DocumentTab *ready()
    {
        DocumentTab *tab = m_window->tabs()->current();
        if (!QTest::qWaitFor([tab] { return tab->state() == DocumentTab::State::Ready; }, 20'000))
            qFatal("not read");
        return tab;
    }

private Q_SLOTS:
    void initTestCase()
    {
        MainWindow::Options options;
        options.preferencesFile = m_folder.filePath(u"settings.ini"_s);
        m_window = std::make_unique<MainWindow>(std::move(options));
        m_window->resize(1600, 1000);
        m_window->show();
        const ExamplePair held = examplePairs()[0];
        const ExamplePair compared = examplePairs()[1];
        m_window->reconcileFiles(held.first, held.second);
        ready();
        m_window->compareFiles({compared.first, compared.second});
        ready()->page()->workNow();
        m_window->openFiles({compared.first});
        for (auto view = std::ssize(traceViews()) - 1; view >= 0; --view)
            ready()->page()->traceUse()->showView({.view = static_cast<TraceView>(view)});
        m_window->openFiles({held.first});
        auto *plan = qobject_cast<PlanPage *>(ready()->page());
        QVERIFY(plan);
        plan->layoutsView()->ask(LayoutsView::Best);
        for (const PlanView view : {PlanView::Layouts, PlanView::Allocator, PlanView::Compare})
            plan->showPlanView(view);
        m_window->openFiles({trustPath()});
        ready();
    }

    void cleanupTestCase() { m_window.reset(); }

    void everyColumnOfNumbersSaysWhatItIs()
    {
        QSet<QString> titles;
        for (const QHeaderView *header : m_window->findChildren<QHeaderView *>()) {
            if (header->orientation() != Qt::Horizontal || header->isHidden())
                continue;
            const QAbstractItemModel *model = header->model();
            for (int section = 0; model && section < header->count(); ++section) {
                const auto about = [&](int role) {
                    return model->headerData(section, Qt::Horizontal, role);
                };
                const QString title = about(Qt::DisplayRole).toString();
                const bool number = about(Qt::TextAlignmentRole).toInt() & Qt::AlignRight;
                if (!number || title.isEmpty())
                    continue;
                titles += title;
                const QString tip = about(Qt::ToolTipRole).toString();
                QVERIFY2(tip.size() > title.size(),
                         qPrintable(u"“%1” of %2"_s.arg(
                             title, QString::fromLatin1(model->metaObject()->className()))));
            }
        }
        QVERIFY(titles.size() > 20);
    }

    void theLevelsOfAnAnswerSayWhatTheyAre()
    {
        int said = 0;
        for (const QLabel *label : m_window->findChildren<QLabel *>()) {
            if (!label->text().startsWith(u"allocated "))
                continue;
            for (const QString &word :
                 {u"nvidia-smi"_s, u"first step"_s, u"at rest"_s, u" bytes"_s})
                QVERIFY2(label->toolTip().contains(word), qPrintable(word));
            ++said;
        }
        QVERIFY(said >= 1);
    }
};

VRAMSCOPE_TEST(ExplainedTest)
#include "tst_explained.moc"
