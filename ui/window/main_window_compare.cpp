// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/read_document.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/help.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QMenu>
#include <QWhatsThisClickedEvent>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The open documents that satisfy `fits`, as actions; if none does, a line with that message.
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

bool takesPlan(const DocumentPage &page)
{
    return page.snapshot().has_value() || page.takesPlan();
}

} // namespace

void MainWindow::compareFiles(const QStringList &files)
{
    m_tabs->compare(toCompare(files));
}

std::vector<ComparedTrace> MainWindow::comparedNow() const
{
    const DocumentTab *current = m_tabs->current();
    return current && current->page() ? current->page()->compared() : std::vector<ComparedTrace>();
}

std::optional<ComparedTrace> MainWindow::snapshotNow() const
{
    const DocumentTab *current = m_tabs->current();
    return current && current->page() ? current->page()->snapshot() : std::nullopt;
}

void MainWindow::compareCurrentWith(std::vector<ComparedTrace> others)
{
    std::vector<ComparedTrace> traces = comparedNow();
    for (ComparedTrace &other : others)
        traces.push_back(std::move(other));
    m_tabs->compare(std::move(traces));
}

// The traces that are open in other tabs.
void MainWindow::showCompareMenu()
{
    const DocumentTab *current = m_tabs->current();
    fillMenu(
        m_commands->compareMenu(), *m_tabs, u"No other trace is open"_s,
        [current](const DocumentPage &page) {
            return (!current || current->page() != &page) && page.compared().size() == 1;
        },
        [this](DocumentTab *tab) {
            if (tab->page())
                compareCurrentWith(tab->page()->compared());
        });
}

void MainWindow::reconcileFiles(const QString &plan, const QString &recording)
{
    m_tabs->openFile(plan);
    m_tabs->hold(m_tabs->current(), toCompare({recording}).front());
}

// A log stays in its tab; a recording is compared in a tab of its own.
void MainWindow::setBeside(DocumentTab *plan, DocumentTab *other)
{
    const DocumentPage *page = other ? other->page() : nullptr;
    if (!page || plan == other)
        return;
    if (page->takesPlan()) {
        other->follow(plan);
        m_tabs->setCurrentWidget(other);
    } else if (std::optional<ComparedTrace> shown = page->snapshot()) {
        m_tabs->hold(plan, std::move(*shown));
    }
}

// The plan opens in a tab of its own, where it can be edited.
void MainWindow::setFileBeside(const QString &file, DocumentTab *other)
{
    m_tabs->openFile(file);
    setBeside(m_tabs->current(), other);
}

void MainWindow::showRecordingsMenu()
{
    DocumentTab *plan = m_tabs->current();
    fillMenu(m_commands->recordingsMenu(), *m_tabs, u"No recording or log is open"_s, takesPlan,
             [this, plan](DocumentTab *tab) { setBeside(plan, tab); });
}

void MainWindow::showPlansMenu()
{
    fillMenu(
        m_commands->plansMenu(), *m_tabs, u"No plan is open"_s,
        [](const DocumentPage &page) { return page.plan() != nullptr; },
        [this](DocumentTab *plan) { setBeside(plan, m_tabs->current()); });
}

void MainWindow::compareWithFile(DocumentTab *plan, const QString &file)
{
    if (fileKind(file) != FileKind::ServingLog)
        return m_tabs->hold(plan, toCompare({file}).front());
    m_tabs->openFile(file);
    m_tabs->current()->follow(plan);
}

QString MainWindow::helpTopic() const
{
    const DocumentTab *current = m_tabs->current();
    if (!current || !current->page())
        return current ? u"recording"_s
                       : u"index"_s; // of a file that is being read, or that failed to
    return current->page()->helpTopic();
}

void MainWindow::showHelp(const QString &page)
{
    if (!m_help)
        m_help = new HelpWindow(this);
    m_help->show(); // going to a heading needs a page that is laid out
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
