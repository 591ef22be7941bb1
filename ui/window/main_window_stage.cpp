// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stage/order_dialog.h"
#include "ui/stage/stage_window.h"
#include "ui/window/document_page.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"

// The document in front as a presentation.

namespace vramscope {

void MainWindow::present()
{
    const DocumentTab *current = m_tabs->current();
    if (!current || !current->page() || !current->page()->isPresentable())
        return;
    auto *stage = new StageWindow(arranged(current->page()->stageItems(), current->runningOrder()),
                                  current->title(), this);
    stage->setAttribute(Qt::WA_DeleteOnClose);
    stage->present(screen());
}

void MainWindow::arrangeOrder()
{
    DocumentTab *current = m_tabs->current();
    if (!current || !current->page() || !current->page()->isPresentable())
        return;
    auto *dialog = new OrderDialog(current->page()->stageItems(), current->runningOrder(), current);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &QDialog::accepted, current,
            [current, dialog] { current->setRunningOrder(dialog->order()); });
    connect(dialog, &OrderDialog::presentWanted, this, &MainWindow::present);
    dialog->open();
}

} // namespace vramscope
