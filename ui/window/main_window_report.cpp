// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/jobs/job.h"
#include "ui/offscreen/report_command.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/window/document_tab.h"
#include "ui/window/main_window.h"

#include <QGuiApplication>
#include <QStatusBar>

namespace vramscope {

using namespace Qt::StringLiterals;

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

} // namespace vramscope
