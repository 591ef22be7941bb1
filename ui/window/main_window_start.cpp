// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked_kind.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"
#include "ui/window/start_page.h"

// Requests from the start page, and from the line above an open plan.

namespace vramscope {

using namespace Qt::StringLiterals;

void MainWindow::connectStartPage()
{
    const StartPage *page = m_tabs->startPage();
    connect(page, &StartPage::commandWanted, this, &MainWindow::run);
    connect(page, &StartPage::commandOnWanted, this, &MainWindow::runOn);
    connect(page, &StartPage::planWanted, this,
            [this](const Plan &plan) { m_tabs->startPlan(plan); });
    connect(page, &StartPage::settingsWanted, this,
            [this](const QString &text) { takeText(text, u"The line"_s, nullptr); });
    connect(m_tabs, &DocumentTabs::settingsWanted, this, [this](const QString &text) {
        if (askedKind(text.toStdString()) == AskedKind::Path)
            return importFiles({text});
        takeText(text, u"The line"_s, m_tabs->current());
    });
    connect(page, &StartPage::pairWanted, this,
            [this](const QString &first, const QString &second) {
                if (first.endsWith(u".vramplan"))
                    reconcileFiles(first, second);
                else
                    compareFiles({first, second});
            });
}

void MainWindow::runOn(Command command, const QString &example)
{
    m_tabs->openFile(example);
    DocumentTab *tab = m_tabs->current();
    if (!tab || tab->state() == DocumentTab::State::Ready)
        return run(command);
    auto *once = new QObject(tab);
    connect(tab, &DocumentTab::changed, once, [this, tab, once, command] {
        if (tab->state() == DocumentTab::State::Loading)
            return;
        once->deleteLater();
        tab->disconnect(once);
        // Not within the tab's own signal: a command may ask, and wait.
        QMetaObject::invokeMethod(
            this,
            [this, tab, command] {
                if (m_tabs->current() == tab && tab->state() == DocumentTab::State::Ready)
                    run(command);
            },
            Qt::QueuedConnection);
    });
}

} // namespace vramscope
