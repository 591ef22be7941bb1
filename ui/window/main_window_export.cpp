// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/output.h"
#include "ui/support/text.h"
#include "ui/window/appearance.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"
#include "ui/window/notice_bar.h"
#include "ui/window/view_export_dialog.h"

// What leaves the window as a picture or a table.

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

} // namespace vramscope
