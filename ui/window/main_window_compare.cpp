// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"

#include <QAction>
#include <QMenu>

namespace vramscope {

using namespace Qt::StringLiterals;

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
    QMenu *menu = m_commands->compareMenu();
    menu->clear();
    for (DocumentTab *tab : m_tabs->documents()) {
        if (tab == m_tabs->current() || !tab->page())
            continue;
        const std::vector<ComparedTrace> traces = tab->page()->compared();
        if (traces.size() != 1)
            continue;
        QString name = tab->title();
        connect(menu->addAction(name.replace(u'&', u"&&"_s)), &QAction::triggered, this,
                [this, traces] { compareCurrentWith(traces); });
    }
    if (menu->isEmpty())
        menu->addAction(u"No other trace is open"_s)->setEnabled(false);
}

} // namespace vramscope
