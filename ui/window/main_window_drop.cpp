// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"

#include <QLabel>

// Handles files that are dropped on a page.

namespace vramscope {

using namespace Qt::StringLiterals;

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

} // namespace vramscope
