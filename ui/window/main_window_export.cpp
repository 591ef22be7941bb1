// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/text.h"
#include "ui/window/appearance.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"
#include "ui/window/view_export_dialog.h"

#include <QSaveFile>

// What leaves the window as a picture or a table.

namespace vramscope {

using namespace Qt::StringLiterals;

void MainWindow::exportView()
{
    DocumentTab *current = m_tabs->current();
    if (!current || !current->page())
        return;
    const auto prepare = [this, current](const ViewExport &how, const ExhibitUser &use) {
        withExhibit(*current, how, use);
    };
    auto *dialog = new ViewExportDialog(*current->page(), current->path(), prepare, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &ViewExportDialog::exportWanted, this,
            [this, current](const ViewExport &how) { writeView(current, how); });
    dialog->open();
}

// The colours are those of the whole program: for a moment they are the export's.
void MainWindow::withExhibit(const DocumentTab &tab, const ViewExport &how, const ExhibitUser &use)
{
    const Theme &own = themeFor(m_preferences.appearance(), m_desktopDark);
    const Theme &wanted = how.dark ? darkTheme() : lightTheme();
    ViewExport exact = how;
    if (wanted.dark != own.dark) {
        applyTheme(wanted);
        if (exact.size.isEmpty())
            exact.size = tab.page()->widget()->size();
    }
    use(exhibitOf(*tab.page(), tab.path(), m_preferences.unit(), exact));
    if (wanted.dark != own.dark)
        applyTheme(own);
}

void MainWindow::writeView(DocumentTab *tab, const ViewExport &how)
{
    const QString title = how.redacted ? u"view"_s : tab->title().replace(u'/', u'-');
    const QString name = m_questions.askForName(title + u'.' + endingOf(how.format));
    if (name.isEmpty())
        return;
    withExhibit(*tab, how, [&](const Exhibit &exhibit) {
        const auto bytes = exported(exhibit, how.format, how.scale);
        if (!bytes)
            return m_questions.tell(toQString(bytes.error().text()));
        QSaveFile file(name);
        if (!file.open(QIODevice::WriteOnly) || file.write(*bytes) != bytes->size() ||
            !file.commit())
            m_questions.tell(u"%1 could not be written. Choose another folder."_s.arg(name));
    });
}

} // namespace vramscope
