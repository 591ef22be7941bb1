// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job.h"
#include "ui/support/text.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"
#include "ui/window/report_command.h"

#include <QGuiApplication>
#include <QSaveFile>
#include <QStatusBar>

namespace vramscope {

using namespace Qt::StringLiterals;

std::vector<ReportSource> MainWindow::reportedNow() const
{
    const DocumentTab *current = m_tabs->current();
    if (!current || !current->page())
        return {};
    if (const Plan *plan = current->page()->plan())
        return {{current->title(), *plan, 0}};
    std::vector<ReportSource> sources;
    for (const ComparedTrace &trace : current->page()->compared())
        sources.push_back({trace.title, trace.document, trace.device});
    return sources;
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
    const ReportOptions options{m_preferences.unit(), redact};
    statusBar()->showMessage(tr("Making the report…"));
    // The recordings are studied beside the window; pictures are painted where widgets may be.
    const auto make = [sources = std::move(sources), options](const Progress &) {
        return makeReport(sources, options);
    };
    m_report = std::make_unique<Job>(make, [this, name](const IllustratedReport &made) {
        QGuiApplication::setOverrideCursor(Qt::WaitCursor);
        QSaveFile file(name);
        const bool written = file.open(QIODevice::WriteOnly) &&
                             file.write(reportFile(name, made, PageColors::Both)) >= 0 &&
                             file.commit();
        QGuiApplication::restoreOverrideCursor();
        statusBar()->clearMessage();
        if (!written)
            m_questions.tell(u"%1 could not be written. Choose another folder."_s.arg(name));
    });
}

} // namespace vramscope
