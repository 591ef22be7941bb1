// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/render.h"

#include "ui/offscreen/examples.h"
#include "ui/offscreen/offscreen_page.h"
#include "ui/offscreen/output.h"
#include "ui/offscreen/read_document.h"
#include "ui/offscreen/redacted.h"
#include "ui/planner/breakdown_picture.h"
#include "ui/planner/plan_document.h"
#include "ui/report/illustrated_report.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/trace_document.h"

#include <QWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The plan in a file. Without one, the error names the file and what the plan was `wanted` for.
Result<NamedPlan> namedPlan(const QString &file, const std::string &wanted)
{
    const auto failed = [&](ErrorCode code, const std::string &sentence) {
        return Error{code, file.toStdString() + ": " + sentence, -1};
    };
    auto document = readDocument(file, {});
    if (!document)
        return failed(document.error().code, document.error().text());
    const Plan *plan = (*document)->plan();
    if (!plan)
        return failed(ErrorCode::OtherContent, "This is no plan " + wanted + ".");
    const QString name = toQString(plan->name.value_or(std::string()));
    return NamedPlan{*plan, name.isEmpty() ? documentTitle(file) : name};
}

/// The plans of a request shown next to the document: the one compared with the recording, or those
/// of the files after the first.
Result<std::vector<NamedPlan>> namedPlans(const RenderRequest &request)
{
    const bool holds = request.view == u"reconcile"_s;
    const bool ofLog = request.view == u"serving-log"_s;
    std::vector<NamedPlan> plans;
    if (request.view == u"compare"_s)
        return plans;
    for (const QString &file : holds ? request.files.first(1) : request.files.mid(1)) {
        auto plan = namedPlan(file, holds   ? "to compare with a recording"
                                    : ofLog ? "to stand beside a log"
                                            : "to stand beside another");
        if (!plan)
            return plan.error();
        plans.push_back(std::move(plan).value());
    }
    return plans;
}

/// Sets the page up as requested.
void setUp(DocumentPage &page, std::size_t device, const RenderRequest &request,
           const std::vector<NamedPlan> &plans)
{
    page.setUnit(request.unit);
    if (request.device >= 0)
        page.showDevice(device);
    if (PlansBeside *beside = page.plansBeside()) {
        for (const NamedPlan &plan : plans)
            beside->addPlan(plan);
    }
    if (PlanEditing *editing = page.planEditing(); editing && request.planView)
        editing->showPlanView(*request.planView);
    if (!request.place.isEmpty())
        page.goTo(request.place);
    if (TraceUse *trace = page.traceUse())
        return trace->showView(request.trace);
    if (TimelineState *state = page.timeline(); state && request.trace.range)
        state->showEvents(request.trace.range->first, request.trace.range->last);
    if (TimelineState *state = page.timeline(); state && request.trace.event)
        state->setCursor(*request.trace.event);
}

/// The part of a document to export.
ExportedView exportedView(const Document &document, std::size_t device,
                          const RenderRequest &request, const std::vector<NamedPlan> &plans,
                          const Theme &theme, ViewFormat format)
{
    const QString file = request.files.first();
    ExportedView exhibit;
    exhibit.theme = theme;
    exhibit.captioned = request.captioned;
    exhibit.size = sizeWithin(request.size, request.captioned);
    if (request.view == u"breakdown"_s) {
        const Estimate answer = estimate(*document.plan());
        exhibit.paint =
            breakdownPainting(*document.plan(), answer, exhibit.size, theme, request.unit);
        exhibit.table = [answer, unit = request.unit](qsizetype) {
            return breakdownTable(answer, unit);
        };
        return exhibit;
    }
    if (traceViewNamed(request.view) && isPicture(format)) {
        exhibit.paint = paintingOf(documentAs<TraceDocument>(document.shared_from_this()), device,
                                   request.trace, exhibit.size, theme, request.unit);
        return exhibit;
    }
    const auto page = std::make_shared<OffscreenPage>(
        document, documentTitle(file), file, exhibit.size, pixelScale(format, request.scale));
    setUp(page->page(), device, request, plans);
    page->finish();
    exhibit.paint = [page](QPainter &painter, double) { page->paint(painter); };
    exhibit.table = [page](qsizetype most) { return page->page().table(most); };
    return exhibit;
}

} // namespace

Outcome render(const RenderRequest &request)
{
    const bool compares = request.view == u"compare"_s;
    const bool holds = request.view == u"reconcile"_s;
    // An error of several files names the file itself.
    const auto failed = [&](const QString &sentence) {
        if (!compares && !holds)
            return Outcome{1, complaint(request.files.first(), sentence, request.redacted)};
        return Outcome{1,
                       request.redacted ? sentenceWithoutNames(sentence, request.files) : sentence};
    };
    if (const auto kept = keepInputs(request.out, request.files); !kept)
        return {1, u"%1: %2"_s.arg(request.out, toQString(kept.error().text()))};
    auto document =
        compares ? readComparison(toCompare(request.files), readDocument, {})
        : holds  ? readReconciliation(toCompare(request.files.mid(1)).front(), readDocument, {})
                 : readDocument(request.files.first(), {});
    if (!document)
        return failed(toQString(document.error().text()));
    const QStringList inputs = request.files + (*document)->files();
    const Theme &theme = request.dark ? darkTheme() : lightTheme();
    applyTheme(theme);

    if (const QString unfit = (*document)->unfitText(request.view); !unfit.isEmpty())
        return failed(unfit);
    auto plans = namedPlans(request);
    if (!plans) {
        const QString why = toQString(plans.error().text());
        return {1, request.redacted ? sentenceWithoutNames(why, request.files) : why};
    }
    RenderRequest shown = request;
    if (request.redacted) {
        const ExportedContent leaving{*document, *plans, request.files};
        ExportedContent without = redacted(leaving, redactionOf(leaving));
        *document = std::move(without.document);
        *plans = std::move(without.plans);
        shown.files = std::move(without.files);
    }
    const std::optional<std::size_t> device = (*document)->deviceIndex(request.device);
    if (!device)
        return failed(u"It holds no device %1."_s.arg(request.device));
    if (const auto trace = documentAs<TraceDocument>(*document);
        trace && *device < trace->devices.size()) {
        const QString unfit = unfitText(*trace->devices[*device], request.trace);
        if (!unfit.isEmpty())
            return failed(unfit);
    }
    const auto format = request.format ? request.format : viewFormatOf(request.out);
    if (!format)
        return {1, u"%1: The ending says which format to write: png, svg, pdf, csv, md or json; "
                   u"or name it with --format."_s.arg(request.out)};
    ExportedView exhibit = exportedView(**document, *device, shown, *plans, theme, *format);
    exhibit.caption = captionOf(**document, shown.files.first(), request.unit);
    exhibit.caption.date = dateOf(request.files.first());
    if (!request.title.isEmpty())
        exhibit.caption.title = request.title;
    qsizetype leftOut = 0;
    const auto bytes = exported(exhibit, *format, request.scale, kMostRows, &leftOut);
    if (!bytes)
        return failed(toQString(bytes.error().text()));
    const QString unwritten = writeOutput(request.out, *bytes, inputs);
    if (!unwritten.isEmpty())
        return {1, unwritten};
    return {0, leftOutText(request.out, leftOut)};
}

} // namespace vramscope
