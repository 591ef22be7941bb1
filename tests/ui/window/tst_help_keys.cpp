// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/rank_run.h"
#include "tests/support/test.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plan_view.h"
#include "ui/projection/projection_view.h"
#include "ui/trace/coloring.h"
#include "ui/trace/render.h"
#include "ui/trace/trace_view.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/help.h"
#include "ui/window/main_window.h"

#include <QAbstractButton>
#include <QAction>
#include <QApplication>
#include <QListView>
#include <QShortcut>
#include <QTableView>
#include <QTemporaryDir>
#include <QUndoStack>

using namespace vramscope;
using namespace Qt::StringLiterals;

namespace {

const QString kPlan = u":/examples/gpt2-large-2xh100.vramplan"_s;
const QString kTrace = u":/examples/training-out-of-memory.pickle"_s;

struct ListedKey
{
    QString section;
    QKeySequence key;
};

/// The first column of every table, with the heading above it.
QList<ListedKey> listedKeys()
{
    QList<ListedKey> keys;
    QString section;
    for (const QString &line : helpMarkdown(u"keys"_s).split(u'\n')) {
        if (line.startsWith(u'#'))
            section = line.section(u' ', 1);
        if (!line.startsWith(u"| ") || line.startsWith(u"| Key"))
            continue;
        for (const QString &key : line.section(u" | "_s, 0, 0).mid(2).split(u", "_s))
            keys += {section, QKeySequence(key)};
    }
    return keys;
}

QKeyEvent pressOf(const QKeySequence &key)
{
    const QKeyCombination combination = key[0];
    return {QEvent::KeyPress, combination.key(), combination.keyboardModifiers()};
}

/// Whether a widget itself takes a key, whatever those around it do.
bool takes(QWidget *widget, const QKeySequence &key)
{
    QKeyEvent press = pressOf(key);
    static_cast<QObject *>(widget)->event(&press);
    return press.isAccepted();
}

} // namespace

/// Holds the page of keys against a window in which everything is open.
class HelpKeysTest : public test::Test
{
    Q_OBJECT

    QTemporaryDir m_folder;
    std::unique_ptr<MainWindow> m_window;
    QSet<QString> m_shortcuts; ///< of actions and shortcuts of the window and of what it opens

    DocumentTab *open(const QString &path)
    {
        m_window->openFiles({path});
        DocumentTab *tab = m_window->tabs()->current();
        if (!QTest::qWaitFor([tab] { return tab->state() == DocumentTab::State::Ready; }, 20'000))
            qFatal("not read");
        return tab;
    }

    /// The widgets that a section is about.
    QWidgetList widgetsOf(const QString &section) const
    {
        static const QMap<QString, const char *> kClasses = {
            {u"Number with a slider"_s, "vramscope::NumberBox"},
            {u"Bars"_s, "vramscope::StackedBarChart"},
            {u"One step"_s, "vramscope::StepChart"},
            {u"Sweep"_s, "vramscope::ColumnChart"},
            {u"Layouts"_s, "vramscope::TradeChart"},
            {u"Scale"_s, "vramscope::LineChart"},
            {u"Compare"_s, "vramscope::WaterfallChart"},
            {u"Timeline"_s, "vramscope::TimelineWidget"},
            {u"Allocator state"_s, "vramscope::SpaceView"},
            {u"Flame graph"_s, "vramscope::FlameView"},
            {u"Steps"_s, "vramscope::StepsPlot"},
            {u"Ranks"_s, "vramscope::RankGrid"},
            {u"Heat map"_s, "vramscope::HeatMap"},
            {u"How far to trust it"_s, "vramscope::ScatterChart"},
            {u"Presentation"_s, "vramscope::StageWindow"},
        };
        QWidgetList found;
        for (QWidget *widget : m_window->findChildren<QWidget *>()) {
            const char *name = kClasses.value(section);
            const bool list = section == u"Ways to fit" && widget->inherits("QListWidget") &&
                              widget->accessibleName() == section;
            if ((name && widget->inherits(name)) || list)
                found += widget;
        }
        return found;
    }

private Q_SLOTS:
    void initTestCase()
    {
        MainWindow::Options options;
        options.preferencesFile = m_folder.filePath(u"settings.ini"_s);
        m_window = std::make_unique<MainWindow>(std::move(options));
        m_window->resize(1600, 1000);
        m_window->show();
        QDir().mkpath(m_folder.filePath(u"ranks"_s));
        for (const int rank : {0, 1})
            QVERIFY(QFile::copy(kTrace, m_folder.filePath(u"ranks/rank%1.pickle"_s.arg(rank))));
        open(m_folder.filePath(u"ranks"_s));
        QDir().mkpath(m_folder.filePath(u"many"_s));
        const test::RankRun many{.ranks = 72, .stages = 8, .failing = 7, .beside = 12, .later = 30};
        for (int rank = 0; rank < many.ranks; ++rank) {
            QFile file(m_folder.filePath(u"many/"_s + QString::fromStdString(many.fileName(rank))));
            QVERIFY(file.open(QIODevice::WriteOnly));
            const std::string bytes = test::rankSnapshot(many, rank).bytes;
            QCOMPARE(file.write(bytes.data(), static_cast<qint64>(bytes.size())),
                     static_cast<qint64>(bytes.size()));
        }
        open(m_folder.filePath(u"many"_s));
        open(u":/trust"_s);
        DocumentTab *trace = open(kTrace);
        for (auto view = std::ssize(traceViews()) - 1; view >= 0; --view)
            trace->page()->traceUse()->showView({.view = static_cast<TraceView>(view)});
        DocumentTab *plan = open(kPlan);
        plan->page()->plansBeside()->addPlan({*plan->page()->plan(), u"another"_s});
        const auto *page = qobject_cast<PlanPage *>(plan->page());
        QVERIFY(page);
        page->layoutsView()->ask(LayoutsView::Best);
        page->projectionView()->calibrateBySpeed(30'000); // a plan in fp32 has no rates of its own
        for (const PlanView view :
             {PlanView::Compare, PlanView::Scale, PlanView::Layouts, PlanView::Sweep}) {
            plan->page()->planEditing()->showPlanView(view);
            plan->page()->workNow();
            const QWidgetList charts = widgetsOf(u"Layouts"_s);
            if (view == PlanView::Layouts)
                QTRY_VERIFY(std::ranges::any_of(charts, [](QWidget *chart) {
                    return takes(chart, QKeySequence(Qt::Key_Left));
                }));
        }
        m_window->run(Command::ArrangeOrder);
        m_window->run(Command::Present);
        m_window->run(Command::Help);
        for (const QAction *action : m_window->findChildren<QAction *>()) {
            for (const QKeySequence &key : action->shortcuts())
                m_shortcuts += key.toString();
        }
        for (const QShortcut *shortcut : m_window->findChildren<QShortcut *>())
            m_shortcuts += shortcut->key().toString();
        for (const auto *button : m_window->findChildren<QAbstractButton *>()) {
            if (const QString key = button->shortcut().toString(); key.startsWith(u"Ctrl"))
                m_shortcuts += key; // others are the letters of menus and labels
        }
        QVERIFY(m_shortcuts.size() > 30);
    }

    void cleanupTestCase() { m_window.reset(); }

    void everyKeyStandsInTheHelp()
    {
        QSet<QString> listed;
        for (const ListedKey &each : listedKeys())
            listed += each.key.toString();
        const QSet<QString> missing = m_shortcuts - listed;
        QVERIFY2(missing.isEmpty(), qPrintable(QStringList(missing.values()).join(u", "_s)));
    }

    void noKeyIsListedThatNothingAnswers()
    {
        // Views of tables and lists answer these themselves.
        const QStringList byItemViews = {u"Bookmarks Return"_s, u"Bookmarks F2"_s,
                                         u"What if Space"_s, u"How far to trust it Return"_s,
                                         u"This window Esc"_s};
        int checked = 0;
        for (const auto &[section, key] : listedKeys()) {
            const QString name = key.toString();
            QVERIFY2(!name.isEmpty(), qPrintable(section));
            if (byItemViews.contains(section + u' ' + name) || name == u"Esc")
                continue;
            const QWidgetList widgets = widgetsOf(section);
            const bool taken = std::ranges::any_of(
                widgets, [&key = key](QWidget *widget) { return takes(widget, key); });
            QVERIFY2(taken || (widgets.isEmpty() && m_shortcuts.contains(name)),
                     qPrintable(u"%1 of “%2”"_s.arg(name, section)));
            ++checked;
        }
        QVERIFY(checked > 90);
    }

    void escapeEndsWhatItIsSaidToEnd()
    {
        int checked = 0;
        for (const auto &[section, key] : listedKeys()) {
            const QWidgetList widgets = widgetsOf(section);
            if (key.toString() != u"Esc" || widgets.isEmpty())
                continue;
            QVERIFY2(takes(widgets.front(), key), qPrintable(section));
            ++checked;
        }
        QCOMPARE(checked, 4); // timeline, allocator state, flame graph, presentation
    }
};

VRAMSCOPE_TEST(HelpKeysTest)
#include "tst_help_keys.moc"
