// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/order_dialog.h"
#include "ui/stage/stage_window.h"
#include "ui/support/theme.h"
#include "ui/window/appearance.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"

// The document in front as a presentation.

namespace vramscope {

void MainWindow::present()
{
    const DocumentTab *current = m_tabs->current();
    if (!current || !current->page() || !current->page()->isPresentable())
        return;
    if (auto *running = findChild<StageWindow *>(); running && running->isVisible())
        return running->activateWindow();
    auto *stage = new StageWindow(arranged(current->page()->stageItems(), current->runningOrder()),
                                  current->title(), this);
    stage->setAttribute(Qt::WA_DeleteOnClose);
    // Projectors differ: for as long as it lasts, the colours may be others than those chosen.
    connect(stage, &StageWindow::otherColorsWanted, this,
            [this] { applyTheme(themeOf(this).dark ? lightTheme() : darkTheme()); });
    connect(stage, &StageWindow::ended, this, [this, before = &themeOf(this)] {
        if (&themeOf(this) != before)
            applyTheme(*before);
    });
    stage->present(screen());
}

void MainWindow::arrangeOrder()
{
    DocumentTab *current = m_tabs->current();
    if (!current || !current->page() || !current->page()->isPresentable())
        return;
    DocumentPage &page = *current->page();
    const BookmarkUse *marking = page.bookmarkUse();
    auto *dialog = new OrderDialog(page.stageItems(), current->runningOrder(),
                                   marking ? marking->viewItem() : std::nullopt, current);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, current, [current, dialog] {
        if (dialog->isViewWanted())
            current->page()->bookmarkUse()->addBookmark();
        current->setRunningOrder(dialog->order());
    });
    connect(dialog, &OrderDialog::presentWanted, this, &MainWindow::present);
    dialog->open();
}

} // namespace vramscope
