// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/deck.h"
#include "ui/jobs/job.h"
#include "ui/offscreen/caption.h"
#include "ui/offscreen/present_command.h"
#include "ui/stage/order_dialog.h"
#include "ui/stage/stage_window.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/window/appearance.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"

#include <QGuiApplication>
#include <QStatusBar>

// Presents the current document.

namespace vramscope {

using namespace Qt::StringLiterals;

void MainWindow::present()
{
    const DocumentTab *current = m_tabs->current();
    if (!current || !current->page() || !current->page()->isPresentable())
        return;
    if (auto *running = findChild<StageWindow *>(); running && running->isVisible())
        return running->activateWindow();
    auto *stage =
        new StageWindow(arranged(current->page()->stageItems(), current->runningOrder()),
                        presentationTitle(*current->page()->document(), current->title()), this);
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

void MainWindow::exportPresentation()
{
    DocumentTab *current = m_tabs->current();
    if (!current || !current->page() || !current->page()->isPresentable())
        return;
    const DocumentPointer document = current->page()->document();
    const QString title = presentationTitle(*document, current->title());
    const QString name = m_questions.askForName(QString(title).replace(u'/', u'-') + u".pptx"_s);
    if (name.isEmpty())
        return;
    const std::optional<DeckFormat> format = deckFormatOf(name);
    if (!format)
        return m_questions.tell(noDeckFormat(name));
    statusBar()->showMessage(u"Making the presentation…"_s);
    const auto work = [document](const Progress &progress) { return workOut(*document, progress); };
    m_report = std::make_unique<Job>(work, [this, name, format, tab = QPointer(current)](bool) {
        statusBar()->clearMessage();
        if (tab && tab->page())
            writeDeck(*tab, name, *format);
    });
    connect(m_report.get(), &Job::failed, statusBar(), &QStatusBar::clearMessage);
}

// In light colours, whatever the window's are: pages are for others.
void MainWindow::writeDeck(const DocumentTab &tab, const QString &name, DeckFormat format)
{
    DocumentPage &page = *tab.page();
    QGuiApplication::setOverrideCursor(Qt::WaitCursor);
    const Theme &own = themeOf(this);
    applyTheme(lightTheme());
    const auto bytes =
        deckFile({presentationTitle(*page.document(), tab.title()),
                  captionOf(*page.document(), tab.path(), m_preferences.unit()).source,
                  dateOf(tab.path()), arranged(page.stageItems(), tab.runningOrder())},
                 format);
    applyTheme(own);
    QGuiApplication::restoreOverrideCursor();
    if (!bytes.ok())
        return m_questions.tell(toQString(bytes.error().text()));
    write(name, *bytes);
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
