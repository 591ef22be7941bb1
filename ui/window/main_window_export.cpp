// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/deck/deck.h"
#include "ui/jobs/job.h"
#include "ui/offscreen/output.h"
#include "ui/offscreen/present_command.h"
#include "ui/offscreen/report_command.h"
#include "ui/stage/order_dialog.h"
#include "ui/stage/stage_window.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"
#include "ui/window/preferences.h"
#include "ui/window/view_export_dialog.h"

#include <QGuiApplication>
#include <QStatusBar>

namespace vramscope {

using namespace Qt::StringLiterals;

void MainWindow::exportView()
{
    DocumentTab *current = m_tabs->current();
    if (!current || !current->page())
        return;
    const DocumentPage &page = *current->page();
    const auto content = std::make_shared<const PageContent>(page, current->path());
    const auto prepare = [this, &page, content](const ViewExport &how,
                                                const ExportedViewUser &use) {
        withExportedView(page, *content, how, use);
    };
    auto *dialog = new ViewExportDialog(*content, prepare, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ViewExportDialog::exportWanted, this,
            [this, prepare, title = current->title()](const ViewExport &how) {
                const QString name = how.redacted ? u"view"_s : QString(title).replace(u'/', u'-');
                writeView(name, how, prepare);
            });
    dialog->open(); // no tab can be closed meanwhile
}

// The colours are those of the whole program: for a moment they are the export's.
void MainWindow::withExportedView(const DocumentPage &page, const PageContent &content,
                                  const ViewExport &how, const ExportedViewUser &use)
{
    const Theme &own = themeFor(m_preferences.appearance(), m_desktopDark);
    const bool recolored = how.dark != own.dark;
    if (recolored)
        applyTheme(how.dark ? darkTheme() : lightTheme());
    use(exportedView(page, content, m_preferences.unit(), how, recolored));
    if (recolored)
        applyTheme(own);
}

void MainWindow::writeView(const QString &title, const ViewExport &how,
                           const ExportedViewMaker &prepare)
{
    const QString name = m_questions.askForName(title + u'.' + endingOf(how.format));
    if (name.isEmpty())
        return;
    prepare(how, [&](const ExportedView &exhibit) {
        qsizetype leftOut = 0;
        const auto bytes = exported(exhibit, how.format, how.scale, kMostRows, &leftOut);
        if (!bytes)
            return m_questions.tell(toQString(bytes.error().text()));
        if (write(name, *bytes) && leftOut > 0)
            m_questions.tell(leftOutText(name, leftOut));
    });
}

// What is open in a tab is read again from its file; nothing that leaves the window replaces it.
bool MainWindow::write(const QString &name, const QByteArray &bytes)
{
    QStringList open;
    for (const DocumentTab *tab : m_tabs->documents()) {
        open += tab->path();
        if (!tab->page())
            continue;
        open += tab->page()->document()->files();
        for (const ComparedTrace &trace : tab->page()->compared())
            open += trace.path;
    }
    open.removeAll(QString());
    const QString failed = writeOutput(name, bytes, open);
    if (!failed.isEmpty()) {
        m_questions.tell(failed);
        return false;
    }
    if (DocumentTab *current = m_tabs->current(); current && m_questions.openWritten)
        current->notice()->showNotice(u"Written to %1."_s.arg(name), u"Open"_s,
                                      [open = m_questions.openWritten, name] { open(name); });
    return true;
}

std::vector<ReportSource> MainWindow::reportedNow() const
{
    const DocumentTab *current = m_tabs->current();
    if (!current || !current->page())
        return {};
    return current->page()->reportSources(reportedFile(current->path(), current->title()),
                                          dateOf(current->path()));
}

void MainWindow::report(bool redact)
{
    std::vector<ReportSource> sources = reportedNow();
    if (sources.empty())
        return;
    const QString title = redact ? u"report"_s : m_tabs->current()->title().replace(u'/', u'-');
    const QString name = m_questions.askForName(title + u".html"_s);
    if (name.isEmpty())
        return;
    const auto format = reportFormatOf(name);
    if (!format)
        return m_questions.tell(noReportFormat(name));
    const ReportOptions options{m_preferences.unit(), redact};
    statusBar()->showMessage(u"Making the report…"_s);
    // Recordings are studied off the GUI thread; pictures are painted on it, where widgets are
    // allowed.
    const auto make = [sources = std::move(sources), options](const Progress &progress) {
        return makeReport(sources, options, progress);
    };
    m_report = std::make_unique<Job>(make, [this, name, format](const IllustratedReport &made) {
        QGuiApplication::setOverrideCursor(Qt::WaitCursor);
        const QByteArray bytes = reportFile(*format, made, PageColors::Both);
        QGuiApplication::restoreOverrideCursor();
        statusBar()->clearMessage();
        write(name, bytes);
    });
    connect(m_report.get(), &Job::failed, statusBar(), &QStatusBar::clearMessage);
    connect(m_report.get(), &Job::progressed, this, [this](double share) {
        statusBar()->showMessage(u"Making the report… %1 %"_s.arg(static_cast<int>(share * 100)));
    });
}

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
