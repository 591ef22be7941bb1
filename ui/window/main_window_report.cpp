// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/comparison.h"
#include "ui/jobs/job.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/scenario_list.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/support/text.h"
#include "ui/window/caption.h"
#include "ui/window/document_tab.h"
#include "ui/window/examples.h"
#include "ui/window/main_window.h"
#include "ui/window/report_command.h"

#include <QGuiApplication>
#include <QStatusBar>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The plan of a page, and those that are pinned beside it, each once.
/// The file, whose folders may name who is to stay unnamed; what has none goes by its title.
QString fileOf(const QString &path, const QString &title)
{
    return path.isEmpty() || isExample(path) ? title : path;
}

std::vector<ReportSource> plansOf(const PlanPage &page, const QString &title, const QDateTime &date)
{
    std::vector<ReportSource> sources{{title, page.plan(), 0, date}};
    for (const Scenario &scenario : page.scenarios()->all()) {
        if (scenario.plan == page.plan())
            continue;
        Plan plan = scenario.plan;
        plan.name = scenario.title().toStdString(); // else all had one
        sources.push_back({title, std::move(plan)});
    }
    return sources;
}

std::vector<ReportSource> sourcesOf(const std::vector<ComparedTrace> &traces)
{
    std::vector<ReportSource> sources;
    for (const ComparedTrace &trace : traces)
        sources.push_back(
            {fileOf(trace.path, trace.title), trace.document, trace.device, dateOf(trace.path)});
    return sources;
}

} // namespace

std::vector<ReportSource> MainWindow::reportedNow() const
{
    const DocumentTab *current = m_tabs->current();
    if (!current || !current->page())
        return {};
    const DocumentPage &page = *current->page();
    const QDateTime date = dateOf(current->path());
    const QString file = fileOf(current->path(), current->title());
    if (const auto *plan = qobject_cast<const PlanPage *>(page.widget()))
        return plansOf(*plan, file, date);
    if (const auto *held = qobject_cast<const ReconcilePage *>(page.widget())) {
        std::vector<ReportSource> sources = sourcesOf({held->recording()});
        if (held->plan())
            sources.insert(sources.begin(), {held->planTitle(), *held->plan()});
        return sources;
    }
    if (const auto traces = page.compared(); !traces.empty())
        return sourcesOf(traces);
    auto sources = reportSources(file, page.document());
    for (std::size_t at = 0; sources && at < sources->size(); ++at)
        (*sources)[at].date = date;
    return sources ? std::move(sources).value() : std::vector<ReportSource>();
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
    // The recordings are studied beside the window; pictures are painted where widgets may be.
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
