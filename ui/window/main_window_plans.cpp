// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "ui/offscreen/read_document.h"
#include "ui/planner/export_dialog.h"
#include "ui/support/text.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"
#include "ui/window/plan_settings.h"
#include "ui/window/recovery.h"

#include <QClipboard>
#include <QFileInfo>
#include <QGuiApplication>

namespace vramscope {

using namespace Qt::StringLiterals;

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
