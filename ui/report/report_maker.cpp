// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_maker.h"

#include "core/document/comparison_sections.h"
#include "core/document/redacted_plan.h"
#include "core/reconcile/reconcile.h"
#include "ui/report/plan_figures.h"
#include "ui/report/trace_figures.h"
#include "ui/support/text.h"
#include "ui/trace/findings.h"

#include <QFileInfo>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Takes the names that any source holds out of all of them.
void redact(std::vector<ReportSource> &sources)
{
    Redaction redaction;
    for (const ReportSource &source : sources) {
        redaction.gatherFileName(source.file.toStdString());
        if (const Plan *plan = std::get_if<Plan>(&source.content))
            gatherPlan(redaction, *plan);
        else
            redaction.gather(
                *std::get<std::shared_ptr<const TraceDocument>>(source.content)->trace);
    }
    for (ReportSource &source : sources) {
        source.file = toQString(redaction.path(source.file.toStdString()));
        if (Plan *plan = std::get_if<Plan>(&source.content)) {
            *plan = redactedPlan(redaction, std::move(*plan));
            continue;
        }
        auto &document = std::get<std::shared_ptr<const TraceDocument>>(source.content);
        document = analyse(redaction.applied(*document->trace));
    }
}

std::vector<RecordedFinding> findingsOf(const ReportedTrace &it, ByteUnit unit)
{
    std::vector<RecordedFinding> found;
    for (const Finding &finding : findings(*it.document, it.device, it.studied.get(), unit))
        found.push_back(
            {finding.text.toStdString(), finding.explanation.toStdString(), finding.bad});
    return found;
}

/// Puts the sections one after the other, and their pictures beside them.
class Maker
{
public:
    Maker(const std::vector<ReportSource> &sources, ByteUnit unit)
        : m_unit(unit)
    {
        for (std::size_t at = 0; at < sources.size(); ++at) {
            const QString name = QFileInfo(sources[at].file).fileName();
            addOrigin(name, sources[at].date);
            if (const Plan *plan = std::get_if<Plan>(&sources[at].content))
                addPlan(*plan, name, at + 1);
            else
                addTrace(std::get<std::shared_ptr<const TraceDocument>>(sources[at].content),
                         sources[at].device, name, at + 1);
        }
    }

    IllustratedReport made()
    {
        m_made.report.title = title().toStdString();
        m_made.report.origin = m_origin.toStdString();
        if (m_plans.size() > 1) {
            addPlansComparison(m_made.report, m_planSubjects, m_unit);
            illustrate(plansFigures(m_plans, m_unit));
        }
        if (m_plans.size() == 1) {
            for (std::size_t at = 0; at < m_traces.size(); ++at)
                holdAgainst(at);
        }
        if (m_traces.size() > 1) {
            addTracesComparison(m_made.report, m_traceSubjects, m_unit);
            illustrate(tracesFigures(m_traces, m_unit));
        }
        for (std::size_t at = 0; at < m_plans.size(); ++at) {
            addPlanSection(m_made.report, m_planSubjects[at], m_unit);
            illustrate(planFigures(m_plans[at], m_planSubjects[at].number, m_unit));
        }
        for (std::size_t at = 0; at < m_traces.size(); ++at) {
            addTraceSection(m_made.report, m_traceSubjects[at], m_unit);
            illustrate(traceFigures(m_traces[at], m_traceSubjects[at].number, m_unit));
        }
        return std::move(m_made);
    }

private:
    void addOrigin(const QString &name, const QDateTime &date)
    {
        m_origin +=
            m_origin.isEmpty() ? u"Made by VRAMscope " VRAMSCOPE_VERSION " from "_s : u", "_s;
        m_origin += name;
        if (!date.isValid())
            return;
        m_origin += u" of %1"_s.arg(date.toUTC().toString(u"yyyy-MM-dd"_s));
        if (!m_made.date.isValid() || m_made.date < date)
            m_made.date = date;
    }

    void addPlan(const Plan &plan, const QString &name, std::size_t number)
    {
        const auto kept =
            std::make_shared<ReportedPlan>(ReportedPlan{plan, estimate(plan), QString()});
        const PlanSubject subject{kept->plan, kept->estimate, name.toStdString(), number};
        kept->title = toQString(planTitle(subject));
        m_plans.push_back(kept);
        m_planSubjects.push_back(subject);
    }

    void addTrace(const std::shared_ptr<const TraceDocument> &document, std::size_t device,
                  const QString &name, std::size_t number)
    {
        const auto kept = std::make_shared<const ReportedTrace>(
            ReportedTrace{document, device, study(*document, device), name});
        const DeviceDocument &of = kept->shown();
        const DeviceStudy &studied = *kept->studied;
        m_traces.push_back(kept);
        m_traceSubjects.push_back({*document->trace, of.recorded, of.allocations, of.curve,
                                   of.summary, *studied.space, studied.steps, studied.categories,
                                   studied.leaks, studied.outOfMemory, studied.rules,
                                   findingsOf(*kept, m_unit), name.toStdString(), number});
    }

    void holdAgainst(std::size_t trace)
    {
        const TraceSubject &it = m_traceSubjects[trace];
        const Reconciliation reconciled =
            reconcile(m_plans.front()->plan,
                      {it.trace, it.device, it.allocations, it.curve, it.steps, it.categories});
        addReconciliation(m_made.report, reconciled, m_planSubjects.front(), it, m_unit);
        illustrate(reconciledFigures(reconciled, it.number, m_unit));
    }

    void illustrate(std::vector<ReportFigure> figures)
    {
        for (ReportFigure &figure : figures)
            m_made.figures.push_back(std::move(figure));
    }

    [[nodiscard]] QString title() const
    {
        QStringList names;
        for (const ReportedPlanPointer &plan : m_plans)
            names << plan->title;
        for (const ReportedTracePointer &trace : m_traces)
            names << trace->file;
        constexpr qsizetype kNamed = 3;
        const QString rest = names.size() > kNamed
                                 ? QStringLiteral(" and %1 more").arg(names.size() - kNamed)
                                 : QString();
        return names.mid(0, kNamed).join(QStringLiteral(", ")) + rest;
    }

    ByteUnit m_unit;
    std::vector<ReportedPlanPointer> m_plans; ///< kept by their figures too
    std::vector<PlanSubject> m_planSubjects;
    std::vector<ReportedTracePointer> m_traces;
    std::vector<TraceSubject> m_traceSubjects;
    QString m_origin;
    IllustratedReport m_made;
};

} // namespace

IllustratedReport makeReport(std::vector<ReportSource> sources, const ReportOptions &options)
{
    if (options.redact)
        redact(sources);
    return Maker(sources, options.unit).made();
}

QByteArray reportHtml(const IllustratedReport &report, PageColors colors)
{
    return QByteArray::fromStdString(
        htmlPage(report.report, picturesOf(report.figures, colors), colors));
}

} // namespace vramscope
