// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/illustrated_report.h"

#include "core/analysis/replayed/summary.h"
#include "core/estimate/lifecycle.h"
#include "core/page/comparison_data.h"
#include "core/page/plan_data.h"
#include "core/reconcile/reconcile.h"
#include "core/report/comparison_sections.h"
#include "core/report/tables.h"
#include "core/trace/redaction.h"
#include "ui/charts/stacked_bar_chart.h"
#include "ui/charts/step_chart.h"
#include "ui/charts/waterfall.h"
#include "ui/compare/compare_items.h"
#include "ui/document/document.h"
#include "ui/planner/plan_bars.h"
#include "ui/planner/step_curves.h"
#include "ui/reconcile/reconcile_rows.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/trace/render.h"

#include <QDir>
#include <QFileInfo>
#include <QLayout>
#include <QPainter>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Takes the names that any source holds out of all of them. False when `progress` cancels: then
/// they may hold some.
bool redact(std::vector<ReportSource> &sources, const Progress &progress)
{
    bool goesOn = true;
    const Progress asked = [&](double) { return goesOn = goesOn && (!progress || progress(0)); };
    Redaction redaction;
    for (const ReportSource &source : sources) {
        for (const QString &file : QStringList(source.file) + source.document->files())
            redaction.gatherFileName(file.toStdString());
        source.document->gatherNames(redaction);
        if (!asked(0))
            return false;
    }
    for (ReportSource &source : sources) {
        source.file = fileWithoutNames(source.file, redaction);
        source.document = source.document->withoutNames(redaction, asked);
        if (!asked(0))
            return false;
    }
    return goesOn;
}

/// Puts the sections one after the other, and their pictures beside them.
class ReportBuilder
{
public:
    /// Keeps a reference to `progress`. What is made is incomplete when it cancels.
    ReportBuilder(const std::vector<ReportSource> &sources, const ReportOptions &options,
                  const Progress &progress)
        : m_options(options)
        , m_unit(options.unit)
        , m_progress(progress)
        , m_parts(2 * sources.size() + 1) // each is studied, and then told
    {
        for (std::size_t at = 0; at < sources.size() && goesOn(); ++at) {
            m_name = QDir(sources[at].file).dirName();
            m_number = at + 1;
            m_device = sources[at].device;
            addOrigin(sources[at].date);
            add(sources[at].document);
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
            for (std::size_t at = 0; at < m_traces.size() && asks(); ++at)
                reconcile(at);
        }
        if (m_traces.size() > 1) {
            addTracesComparison(m_made.report, m_reportedTraces, m_unit);
            std::vector<std::size_t> numbers;
            for (const ReportedTrace &trace : m_reportedTraces)
                numbers.push_back(trace.number);
            illustrate(tracesFigures(m_traces, numbers, m_options));
        }
        for (std::size_t at = 0; at < m_plans.size() && goesOn(); ++at) {
            addPlanSection(m_made.report, m_planSubjects[at], m_unit);
            illustrate(planFigures(m_plans[at], m_planSubjects[at].number, m_unit));
        }
        for (std::size_t at = 0; at < m_traces.size() && goesOn(); ++at) {
            addTraceSection(m_made.report, m_reportedTraces[at], m_unit);
            illustrate(traceFigures(m_traces[at], m_reportedTraces[at].number, m_options));
        }
        for (const auto &[document, name, number] : m_others) {
            if (!goesOn())
                break;
            document->addReportSection(m_made.report, name, number, m_unit);
            illustrate(document->reportFigures(number, {m_unit, m_options.largest}));
        }
        return std::move(m_made);
    }

private:
    /// Whether to go on, `share` into the part that is made.
    [[nodiscard]] bool asks(double share = 0) const
    {
        return !m_progress ||
               m_progress((static_cast<double>(m_done) + share) / static_cast<double>(m_parts));
    }
    /// The same, as the next part begins.
    [[nodiscard]] bool goesOn()
    {
        m_done = std::min(m_done + 1, m_parts - 1);
        return asks();
    }

    void addOrigin(const QDateTime &date)
    {
        m_origin +=
            m_origin.isEmpty() ? u"Made by VRAMscope " VRAMSCOPE_VERSION " from "_s : u", "_s;
        m_origin += m_name;
        if (!date.isValid())
            return;
        m_origin += u" of %1"_s.arg(date.toUTC().toString(u"yyyy-MM-dd"_s));
        if (!m_made.date.isValid() || m_made.date < date)
            m_made.date = date;
    }

    void add(const DocumentPointer &document)
    {
        if (const Plan *plan = document->plan())
            return add(*plan);
        if (const auto trace = documentAs<TraceDocument>(document))
            return add(trace);
        m_names << m_name;
        m_others.push_back({document, m_name.toStdString(), m_number});
    }

    void add(const Plan &plan)
    {
        const auto kept =
            std::make_shared<ReportedPlan>(ReportedPlan{plan, estimate(plan), QString()});
        const PlanSubject subject{kept->plan, kept->estimate, m_name.toStdString(), m_number};
        kept->title = toQString(planTitle(subject));
        m_names << kept->title;
        m_plans.push_back(kept);
        m_planSubjects.push_back(subject);
    }

    void add(const std::shared_ptr<const TraceDocument> &document)
    {
        auto studied = study(*document, m_device, [this](double share) { return asks(share); });
        if (!studied)
            return;
        m_names << m_name;
        m_traces.push_back({m_name, {}, document, m_device});
        m_reportedTraces.push_back({std::move(studied), m_name.toStdString(), m_number});
    }

    void reconcile(std::size_t trace)
    {
        const ReportedTrace &it = m_reportedTraces[trace];
        const Reconciliation reconciled = vramscope::reconcile(m_plans.front()->plan, *it.study);
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
        constexpr qsizetype kNamed = 3;
        const QString rest = m_names.size() > kNamed
                                 ? QStringLiteral(" and %1 more").arg(m_names.size() - kNamed)
                                 : QString();
        return m_names.mid(0, kNamed).join(QStringLiteral(", ")) + rest;
    }

    const ReportOptions &m_options;
    ByteUnit m_unit;
    const Progress &m_progress;
    std::size_t m_parts;
    std::size_t m_done = 0;
    // Of the source that is added.
    QString m_name;
    std::size_t m_number = 0;
    std::size_t m_device = 0;

    std::vector<ReportedPlanPointer> m_plans; ///< kept by their figures too
    std::vector<PlanSubject> m_planSubjects;
    std::vector<ComparedTrace> m_traces; ///< for their figures
    std::vector<ReportedTrace> m_reportedTraces;
    struct Other
    {
        DocumentPointer document;
        std::string name;
        std::size_t number;
    };
    std::vector<Other> m_others; ///< neither plans nor traces
    QStringList m_names;
    QString m_origin;
    IllustratedReport m_made;
};

} // namespace

IllustratedReport makeReport(std::vector<ReportSource> sources, const ReportOptions &options,
                             const Progress &progress)
{
    if (options.redact && !redact(sources, progress))
        return {};
    return ReportBuilder(sources, options, progress).made();
}

IllustratedReport onlyPicture(IllustratedReport report)
{
    std::vector<ReportBlock> kept;
    const std::vector<ReportFigure> &figures = report.figures;
    const auto isDrawn = [&](const Figure &figure) {
        return std::ranges::any_of(figures, [&](const auto &each) { return each.id == figure.id; });
    };
    bool isAnswered = false;
    for (ReportBlock &block : report.report.blocks) {
        const auto *heading = std::get_if<Heading>(&block);
        const auto *paragraph = std::get_if<Paragraph>(&block);
        const auto *figure = std::get_if<Figure>(&block);
        const bool isMain = figure && isDrawn(*figure);
        const bool isFirstHeading = heading && heading->level == 1 && kept.empty();
        const bool isFirstAnswer = paragraph && paragraph->isAnswer && !isAnswered;
        isAnswered |= isFirstAnswer;
        if (isMain || isFirstHeading || isFirstAnswer)
            kept.push_back(block);
        if (!isMain)
            continue;
        std::erase_if(report.figures, [&](const auto &each) { return each.id != figure->id; });
        report.figures.front().data = nullptr;
        break;
    }
    report.report.blocks = std::move(kept);
    report.report.plans.clear();
    return report;
}

QByteArray reportHtml(const IllustratedReport &report, PageColors colors)
{
    return QByteArray::fromStdString(
        htmlPage(report.report, picturesOf(report.figures, colors), colors));
}

QString complaint(const QString &file, const QString &why, bool redact)
{
    Redaction redaction;
    redaction.gatherFileName(file.toStdString());
    return redact ? QStringLiteral("%1: %2").arg(fileWithoutNames(file, redaction),
                                                 toQString(redaction.sentence(why.toStdString())))
                  : QStringLiteral("%1: %2").arg(file, why);
}

QString sentenceWithoutNames(QString sentence, const QStringList &files)
{
    Redaction redaction;
    for (const QString &file : files) {
        redaction.gatherFileName(file.toStdString());
        const QString name = QFileInfo(file).fileName();
        sentence.replace(file, fileWithoutNames(file, redaction));
        sentence.replace(name, fileWithoutNames(name, redaction));
    }
    return toQString(redaction.sentence(sentence.toStdString()));
}

namespace {

constexpr int kHeight = 420;
constexpr int kFlameHeight = 900; // stacks are deep, but must stand on a page

/// A flame graph without what is empty below its boxes.
Drawing cutBelowBoxes(Drawing drawing)
{
    constexpr double kLabelMargin = 10;
    constexpr double kTallest = 60; // of a box; what is taller is background
    double bottom = 0;
    for (const Drawing::Item &item : drawing.items) {
        const auto *shape = std::get_if<Drawing::Shape>(&item.what);
        const QRectF bounds = shape ? shape->path.boundingRect() : QRectF();
        if (bounds.height() < kTallest)
            bottom = std::max(bottom, bounds.bottom() + kLabelMargin);
    }
    drawing.size.setHeight(std::min(drawing.size.height(), static_cast<int>(bottom)));
    return drawing;
}

ReportFigure viewFigure(const ComparedTrace &trace, std::string_view kind, std::size_t number,
                        TraceView view, ByteUnit unit)
{
    TraceShot shot;
    shot.view = view;
    shot.titled = false; // the report says it
    const int height = view == TraceView::Stacks ? kFlameHeight : kHeight;
    return {figureId(kind, number), [trace, shot, unit, height](int width, const Theme &theme) {
                const Drawing drawing = pageDrawing({width, height}, theme, [&](QPainter &painter) {
                    paintView(painter, QRect(0, 0, width, height), trace.document, trace.device,
                              shot, theme, unit, trace.document->devices[trace.device], kFineness);
                });
                return shot.view == TraceView::Stacks ? cutBelowBoxes(drawing) : drawing;
            }};
}

RecordingDataOptions recordingOptions(const ReportOptions &options)
{
    RecordingDataOptions data{options.largest, options.unit, {}, {}};
    for (std::size_t at = 0; at < kRecordedCategoryCount; ++at)
        data.categoryColors.push_back(
            categoryColor(static_cast<Category>(at)).name().toStdString());
    for (const QRgb color : seriesColors())
        data.seriesColors.push_back(QColor::fromRgb(color).name().toStdString());
    return data;
}

Drawing comparedDrawing(const std::vector<ComparedTrace> &traces, ByteUnit unit, int width,
                        const Theme &theme)
{
    StagedComparison comparison;
    comparison.document.traces = traces;
    comparison.unit = unit;
    ComparedCurves curves(comparison, false);
    curves.layout()->unsetContentsMargins(); // it fills no slide
    return widgetDrawing(curves, {width, kHeight}, theme);
}

/// The lines of a comparison, which the page draws from the documents of its recordings.
std::vector<ComparedLine> comparedLines(const std::vector<ComparedTrace> &traces,
                                        const std::vector<std::size_t> &numbers)
{
    std::vector<ComparedLine> lines;
    for (std::size_t at = 0; at < traces.size(); ++at) {
        if (!traces[at].shown().hasHistory())
            continue;
        const QList<double> &strokes = strokesOf(at);
        lines.push_back({figureId("active", numbers[at]),
                         titleOf(traces[at], at).toStdString(),
                         QColor::fromRgb(colorOf(at)).name().toStdString(),
                         {strokes.begin(), strokes.end()}});
    }
    return lines;
}

} // namespace

std::vector<ReportFigure> traceFigures(const ComparedTrace &trace, std::size_t number,
                                       const ReportOptions &options)
{
    const Study &device = trace.shown();
    const ByteUnit unit = options.unit;
    std::vector<ReportFigure> figures;
    const auto add = [&](std::string_view kind, TraceView view) {
        figures.push_back(viewFigure(trace, kind, number, view, unit));
    };
    if (device.hasHistory()) {
        add("active", TraceView::Active);
        if (options.largest > 0)
            figures.back().data = [trace, data = recordingOptions(options)] {
                return recordingData(trace.shown(), data);
            };
    }
    if (device.hasHistory() && device.summary().isReservedKnown)
        add("bands", TraceView::Bands);
    if (trace.document->trace->stackCount() > 0)
        add("stacks", TraceView::Stacks);
    if (device.summary().isReservedKnown)
        add("state", TraceView::State);
    return figures;
}

std::vector<ReportFigure> tracesFigures(const std::vector<ComparedTrace> &traces,
                                        const std::vector<std::size_t> &numbers,
                                        const ReportOptions &options)
{
    const auto drawn = std::ranges::count_if(
        traces, [](const ComparedTrace &trace) { return trace.shown().hasHistory(); });
    if (drawn < 2 || traces.size() > kMostCompared)
        return {};
    ReportFigure figure{figureId("traces", 0),
                        [traces, unit = options.unit](int width, const Theme &theme) {
                            return comparedDrawing(traces, unit, width, theme);
                        }};
    if (options.largest > 0)
        figure.data = [lines = comparedLines(traces, numbers), unit = options.unit] {
            return comparisonData(lines, unit);
        };
    return {std::move(figure)};
}

namespace {

constexpr int kStepHeight = 320;
constexpr int kRowHeight = 30; // of a waterfall
constexpr int kWaterfallEnds = 20;

Drawing barsDrawing(const StackedBars &bars, ByteUnit unit, int width, const Theme &theme)
{
    StackedBarChart chart(Qt::Horizontal);
    chart.setUnit(unit);
    chart.setContent(bars);
    chart.setLegendVisible(true);
    return widgetDrawing(chart, {width, std::max(chart.heightForWidth(width), 120)}, theme);
}

Drawing waterfallDrawing(const std::vector<WaterfallBar> &bars, ByteUnit unit, int width,
                         const Theme &theme)
{
    WaterfallChart chart;
    chart.setUnit(unit);
    chart.setCutOff(true);
    chart.setBars(bars, u"nothing differs"_s);
    const int rows = static_cast<int>(bars.size());
    return widgetDrawing(chart, {width, kWaterfallEnds + kRowHeight * rows}, theme);
}

StepCurve curveOf(const ReportedPlan &it)
{
    return it.estimate.inference && !it.estimate.ofSteps()
               ? cacheCurve(it.plan, it.estimate)
               : stepCurve(lifecycle(it.estimate), it.estimate, StepKind::Steady);
}

std::vector<NamedEstimate> named(const std::vector<ReportedPlanPointer> &plans)
{
    std::vector<NamedEstimate> estimates;
    estimates.reserve(plans.size());
    for (const ReportedPlanPointer &plan : plans)
        estimates.push_back({plan->title, &plan->estimate});
    return estimates;
}

PartBytes peakParts(const ReportedPlan &it)
{
    return partBytes(it.estimate, it.estimate.peakMoment);
}

/// The parts with their names and colours, and one moment in parts, as a page shows them.
std::vector<NamedColor> namedParts()
{
    std::vector<NamedColor> parts;
    for (std::size_t part = 0; part <= kOutsidePart; ++part)
        parts.push_back({partName(part).toStdString(), partColor(part).name().toStdString()});
    return parts;
}

std::vector<DividedMoment::Component> dividedParts(const PartBytes &parts)
{
    std::vector<DividedMoment::Component> components;
    for (std::size_t part = 0; part <= kOutsidePart; ++part) {
        if (parts[part] > 0)
            components.push_back({part, parts[part], partName(part).toStdString(), {}, {}});
    }
    return components;
}

/// What the chart shows of the step of a plan, or as more sequences are served, for a page.
DividedMemory steps(const ReportedPlan &it, ByteUnit unit)
{
    const StepCurve curve = curveOf(it);
    const Lifecycle points = lifecycle(it.estimate);
    DividedMemory memory;
    memory.layout = "columns";
    memory.subject = "Memory through the step by part";
    memory.unit = unit;
    memory.parts = namedParts();
    memory.peak = static_cast<std::size_t>(curve.marked.value_or(0));
    memory.capacity = curve.limit.value_or(0);
    // The columns of a plan that serves are counts of sequences; the last that fits is marked.
    const auto named = static_cast<int>(curve.columns.size()) / 6; // fewer have no room for a name
    for (const StepCurvePhase &phase : curve.phases) {
        if (phase.count > named)
            memory.phases.emplace_back(phase.first, phase.title.toStdString());
    }
    const bool isOfPoints = curve.columns.size() == points.steadyStep.size();
    for (std::size_t at = 0; at < curve.columns.size(); ++at) {
        const StepColumn &column = curve.columns[at];
        DividedMoment moment{column.name.toStdString(), {}};
        if (isOfPoints && at == memory.peak)
            moment.name += kAtPeak;
        if (isOfPoints)
            moment.components = componentsAt(it.estimate, points, points.steadyStep[at], unit);
        else
            moment.components = dividedParts(column.parts);
        memory.moments.push_back(std::move(moment));
    }
    return memory;
}

/// The peaks of several plans, for a page.
DividedMemory peaks(const std::vector<ReportedPlanPointer> &plans, ByteUnit unit)
{
    DividedMemory memory;
    memory.subject = "Memory of each plan at its peak by part";
    memory.unit = unit;
    memory.parts = namedParts();
    memory.peak = plans.size();
    for (const ReportedPlanPointer &plan : plans) {
        DividedMoment moment{plan->title.toStdString(), {}};
        const Estimate &estimate = plan->estimate;
        if (estimate.computed) {
            for (const Component &each : estimate.moments[estimate.peakMoment].components)
                moment.components.push_back({static_cast<std::size_t>(each.category), each.bytes,
                                             each.name, each.formula, each.source});
            for (const Component &each : estimate.outside)
                moment.components.push_back(
                    {kOutsidePart, each.bytes, each.name, each.formula, each.source});
        }
        memory.moments.push_back(std::move(moment));
    }
    return memory;
}

} // namespace

std::vector<ReportFigure> planFigures(const ReportedPlanPointer &plan, std::size_t number,
                                      ByteUnit unit)
{
    if (!plan->estimate.computed)
        return {};
    const auto bars = [plan, unit](int width, const Theme &theme) {
        return barsDrawing(scenarioBars(named({plan})), unit, width, theme);
    };
    const auto step = [plan, unit](int width, const Theme &theme) {
        StepChart chart;
        chart.setUnit(unit);
        chart.setCurve(curveOf(*plan));
        return widgetDrawing(chart, {width, kStepHeight}, theme);
    };
    const auto data = [plan, unit] { return planData(plan->estimate, {unit, namedParts()}); };
    const auto points = [plan, unit] { return dividedData(steps(*plan, unit)); };
    return {{figureId("bars", number), bars, data}, {figureId("step", number), step, points}};
}

namespace {

/// A bar each; the capacity only where it is that of all.
StackedBars barsOf(const std::vector<ReportedPlanPointer> &plans)
{
    StackedBars bars = scenarioBars(named(plans));
    const auto other = [&](const ReportedPlanPointer &plan) {
        return plan->estimate.capacity != bars.capacity;
    };
    if (std::ranges::any_of(plans, other))
        bars.capacity.reset();
    return bars;
}

} // namespace

std::vector<ReportFigure> plansFigures(const std::vector<ReportedPlanPointer> &plans, ByteUnit unit)
{
    std::vector<ReportFigure> figures;
    figures.push_back({figureId("plans", 0),
                       [plans, unit](int width, const Theme &theme) {
                           return barsDrawing(barsOf(plans), unit, width, theme);
                       },
                       [plans, unit] { return dividedData(peaks(plans, unit)); }});
    if (plans.size() != 2 || !plans[0]->estimate.computed || !plans[1]->estimate.computed)
        return figures;
    figures.push_back({figureId("waterfall", 0), [plans, unit](int width, const Theme &theme) {
                           return waterfallDrawing(waterfall(u"A"_s, peakParts(*plans[0]), u"B"_s,
                                                             peakParts(*plans[1])),
                                                   unit, width, theme);
                       }});
    return figures;
}

std::vector<ReportFigure> reconciledFigures(const Reconciliation &it, std::size_t number,
                                            ByteUnit unit)
{
    std::vector<WaterfallBar> bars = reconcileWaterfall(it);
    if (bars.empty())
        return {};
    return {{figureId("reconciled", number),
             [bars = std::move(bars), unit](int width, const Theme &theme) {
                 return waterfallDrawing(bars, unit, width, theme);
             }}};
}

} // namespace vramscope
