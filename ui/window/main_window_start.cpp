// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ask/asked_kind.h"
#include "core/plan/plan_json.h"
#include "core/print/recipes.h"
#include "ui/offscreen/examples.h"
#include "ui/offscreen/read_document.h"
#include "ui/planner/export_dialog.h"
#include "ui/support/text.h"
#include "ui/window/commands.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"
#include "ui/window/plan_settings.h"
#include "ui/window/recovery.h"
#include "ui/window/start_page.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>
#include <QLabel>
#include <QMenu>
#include <QStatusBar>

#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

void MainWindow::connectStartPage()
{
    const StartPage *page = m_tabs->startPage();
    connect(page, &StartPage::commandWanted, this, &MainWindow::run);
    connect(page, &StartPage::planWanted, this,
            [this](const Plan &plan) { m_tabs->startPlan(plan); });
    connect(page, &StartPage::settingsWanted, this,
            [this](const QString &text) { takeText(text, u"The line"_s, nullptr); });
    connect(m_tabs, &DocumentTabs::settingsWanted, this, [this](const QString &text) {
        if (askedKind(text.toStdString()) == AskedKind::Path)
            return importFiles({text});
        takeText(text, u"The line"_s, m_tabs->current());
    });
    connect(page, &StartPage::pairWanted, this, &MainWindow::openPair);
    m_tabs->startPage()->setMenus(m_commands->recentMenu(), m_commands->examplesMenu());
    fillExamplesMenu();
}

void MainWindow::openPair(const QString &first, const QString &second)
{
    if (first.endsWith(u".vramplan"))
        reconcileFiles(first, second);
    else
        compareFiles({first, second});
}

void MainWindow::fillExamplesMenu()
{
    QMenu *menu = m_commands->examplesMenu();
    const auto add = [&](const QString &title, const QString &shows, auto open) {
        connect(menu->addAction(u"%1\t%2"_s.arg(title, shows).replace(u'&', u"&&"_s)),
                &QAction::triggered, this, open);
    };
    bool plans = true;
    for (const Example &each : examples()) {
        if (std::exchange(plans, each.plan) != each.plan)
            menu->addSeparator();
        add(each.title, each.shows, [this, path = each.path] { m_tabs->openFile(path); });
    }
    menu->addSeparator();
    for (const ExamplePair &pair : examplePairs())
        add(pair.title, pair.shows, [this, pair] { openPair(pair.first, pair.second); });
}

void MainWindow::copyRecipe()
{
    constexpr int kShown = 6000; // milliseconds
    QGuiApplication::clipboard()->setText(toQString(recipeText(*recipe("pytorch"))));
    statusBar()->showMessage(u"Copied: run these lines before the model is made."_s, kShown);
}

// The tab whose page would take the dropped files: a plan, a recording, or a log; Shift opens files
// like any others.
DocumentTab *MainWindow::dropTarget(QPoint place, Qt::KeyboardModifiers keys) const
{
    DocumentTab *current = m_tabs->current();
    const DocumentPage *page = current ? current->page() : nullptr;
    if (!page || keys.testFlag(Qt::ShiftModifier) ||
        (!page->takesLog() && !page->plan() && !page->snapshot() && !page->takesPlan()))
        return nullptr;
    const bool over = page->isVisible() && page->rect().contains(page->mapFrom(this, place));
    return over ? current : nullptr;
}

void MainWindow::showDropHint(const DocumentTab *target, Qt::KeyboardModifiers keys)
{
    const bool comparable = !comparedNow().empty();
    if (comparable && keys.testFlag(Qt::ControlModifier))
        m_status->setText(u"Drop here to compare the recording with what this tab shows."_s);
    else if (target && target->page()->plan())
        m_status->setText(u"Drop here to compare this plan with a recording or a log, or to put "
                          u"another tool's settings into it; with Shift they open in a tab."_s);
    else if (target && target->page()->takesPlan())
        m_status->setText(u"Drop here to put a plan beside this log; with Shift files open in a "
                          u"tab."_s);
    else if (target && target->page()->takesLog())
        m_status->setText(u"Drop here to compare a plan with this recording, or to draw a log of "
                          u"nvidia-smi over it; with Ctrl a recording is compared with it, with "
                          u"Shift files open in a tab."_s);
    else if (target)
        m_status->setText(u"Drop here to compare a plan with this recording; with Ctrl a recording "
                          u"is compared with it, with Shift files open in a tab."_s);
    else
        showCurrent();
}

void MainWindow::drop(const QStringList &files, DocumentTab *target, bool compares)
{
    if (compares && (!comparedNow().empty() || files.size() > 1))
        return compareCurrentWith(toCompare(files));
    const DocumentPage *page = target ? target->page() : nullptr;
    const bool plan = page && page->plan();
    for (const QString &file : files) {
        const FileKind kind = page ? fileKind(file) : FileKind::Other;
        if (plan && (kind == FileKind::Snapshot || kind == FileKind::Packed ||
                     kind == FileKind::ServingLog))
            compareWithFile(target, file);
        else if (plan)
            importFiles({file});
        else if (kind == FileKind::Plan)
            setFileBeside(file, target);
        else if (kind == FileKind::SmiLog && page->takesLog())
            target->takeLog(file);
        else
            m_tabs->openFile(file);
    }
}

const Plan *MainWindow::planInFront() const
{
    const DocumentTab *current = m_tabs->current();
    return current && current->page() ? current->page()->plan() : nullptr;
}

// Imports files of other tools into the current plan; opens everything else.
void MainWindow::importFiles(const QStringList &files)
{
    for (const QString &file : files) {
        const Plan *plan = planInFront();
        const auto imported = plan ? importedFile(*plan, file) : std::nullopt;
        if (imported)
            m_tabs->current()->takeSettings(QFileInfo(file).fileName(), *imported);
        else
            m_tabs->openFile(file);
    }
}

// A whole plan opens in a tab; settings of another tool go into the plan, or make a new one.
void MainWindow::takeText(const QString &text, const QString &name, DocumentTab *target)
{
    const std::string bytes = text.toStdString();
    if (const auto plan = parsePlan(bytes))
        return m_tabs->startUnsaved(*plan);
    const Plan *base = target && target->page() ? target->page()->plan() : nullptr;
    const auto imported = importInto(base ? *base : Plan(), bytes);
    if (!imported)
        return m_questions.tell(
            u"%1 cannot be used: %2"_s.arg(name, toQString(imported.error().text())));
    if (base)
        return target->takeSettings(name, *imported);
    m_tabs->startImported(name, *imported);
}

void MainWindow::paste()
{
    takeText(QGuiApplication::clipboard()->text(), u"The pasted text"_s, m_tabs->current());
}

void MainWindow::tellUnreadable(const QStringList &files)
{
    const QString text =
        files.size() == 1
            ? u"A copy of an unsaved plan is damaged and cannot be opened: %1"_s.arg(files.front())
            : u"%1 copies of unsaved plans are damaged and cannot be opened:\n%2"_s
                  .arg(files.size())
                  .arg(files.join(u'\n'));
    if (m_questions.confirm(text + u"\nWhat is kept may still be read as text."_s, u"Delete"_s))
        Recovery::discard(files);
}

void MainWindow::exportPlan()
{
    const Plan *plan = planInFront();
    if (!plan)
        return;
    auto *dialog = new ExportDialog(*plan, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ExportDialog::saveWanted, this,
            [this](const QString &text, const QString &suggestion) {
                const QString name = m_questions.askForName(suggestion);
                if (!name.isEmpty())
                    write(name, text.toUtf8());
            });
    dialog->open();
}

} // namespace vramscope
