// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/help.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QMenu>
#include <QWhatsThisClickedEvent>

// A plan compared with a recording, and the help.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The open documents that `fits` is true of, as actions; a line that says so where there are none.
template<class Fits, class Chosen>
void fillMenu(QMenu *menu, const DocumentTabs &tabs, const QString &none, const Fits &fits,
              const Chosen &chosen)
{
    menu->clear();
    for (DocumentTab *tab : tabs.documents()) {
        if (!tab->page() || !fits(*tab->page()))
            continue;
        QString name = tab->title();
        QObject::connect(menu->addAction(name.replace(u'&', u"&&"_s)), &QAction::triggered, tab,
                         [tab, chosen] { chosen(tab); });
    }
    if (menu->isEmpty())
        menu->addAction(none)->setEnabled(false);
}

bool showsRecording(const DocumentPage &page)
{
    return page.snapshot().has_value();
}

} // namespace

void MainWindow::reconcileFiles(const QString &plan, const QString &recording)
{
    reconcileWithPlan(plan, toCompare({recording}).front());
}

// The plan opens in a tab of its own, where it can be edited.
void MainWindow::reconcileWithPlan(const QString &file, std::optional<ComparedTrace> recording)
{
    m_tabs->openFile(file);
    if (recording)
        m_tabs->hold(m_tabs->current(), std::move(*recording));
}

void MainWindow::showRecordingsMenu()
{
    DocumentTab *plan = m_tabs->current();
    fillMenu(
        m_commands->recordingsMenu(), *m_tabs, u"No recording is open"_s, showsRecording,
        [this, plan](const DocumentTab *tab) { m_tabs->hold(plan, *tab->page()->snapshot()); });
}

void MainWindow::showPlansMenu()
{
    fillMenu(
        m_commands->plansMenu(), *m_tabs, u"No plan is open"_s,
        [](const DocumentPage &page) { return page.plan() != nullptr; },
        [this](DocumentTab *plan) {
            if (std::optional<ComparedTrace> shown = snapshotNow())
                m_tabs->hold(plan, std::move(*shown));
        });
}

QString MainWindow::helpTopic() const
{
    const DocumentTab *current = m_tabs->current();
    if (!current || !current->page())
        return current ? u"recording"_s : u"index"_s; // what is being read, or could not be
    return current->page()->helpTopic();
}

void MainWindow::showHelp(const QString &page)
{
    if (!m_help)
        m_help = new HelpWindow(this);
    m_help->show(); // a heading is gone to in a page that is laid out
    m_help->showPage(page);
    m_help->raise();
    m_help->activateWindow();
}

bool MainWindow::event(QEvent *event)
{
    if (event->type() != QEvent::WhatsThisClicked)
        return QMainWindow::event(event);
    showHelp(static_cast<QWhatsThisClickedEvent *>(event)->href());
    return true;
}

} // namespace vramscope
