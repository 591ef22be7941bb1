// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/render.h"

#include "ui/compare/comparison.h"
#include "ui/planner/breakdown_picture.h"
#include "ui/series/series_document.h"
#include "ui/support/text.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/stacks_view.h"
#include "ui/trace/trace_document.h"
#include "ui/window/appearance.h"
#include "ui/window/document_page.h"
#include "ui/window/examples.h"

#include <QCoreApplication>
#include <QImageWriter>
#include <QSaveFile>
#include <QWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

using TraceDocumentPointer = std::shared_ptr<const TraceDocument>;
using ComparisonPointer = std::shared_ptr<const ComparisonDocument>;
using RankFolderPointer = std::shared_ptr<const RankFolder>;
using SeriesDocumentPointer = std::shared_ptr<const SeriesDocument>;

/// Index of the device asked for; the count of devices where it is not in the trace.
std::size_t deviceIndex(const TraceDocument &document, int ordinal)
{
    if (ordinal < 0)
        return document.mainDevice();
    std::size_t at = 0;
    while (at < document.devices.size() && document.devices[at]->recorded.device != ordinal)
        ++at;
    return at;
}

/// The same; any device where none is asked for.
std::size_t deviceIndex(const SeriesDocument &document, int ordinal)
{
    std::size_t at = 0;
    while (ordinal >= 0 && at < document.devices.size() &&
           document.devices[at].recorded->ordinal != ordinal)
        ++at;
    return at;
}

/// Why a document has no such view; empty where it has.
QString unfitText(const Document &document, RenderView view)
{
    const bool ofPlan = view == RenderView::Plan || view == RenderView::Breakdown;
    if (std::holds_alternative<ComparisonPointer>(document))
        return {};
    if (std::holds_alternative<std::shared_ptr<const Validation>>(document))
        return view == RenderView::Trust
                   ? QString()
                   : u"These are the measured figures; their view is trust."_s;
    if (std::holds_alternative<RankFolderPointer>(document))
        return view == RenderView::Ranks ? QString()
                                         : u"This is a folder of ranks; its view is ranks."_s;
    if (std::holds_alternative<Plan>(document))
        return ofPlan ? QString()
                      : u"This is a plan; its views are plan, plan/VIEW and breakdown."_s;
    if (std::holds_alternative<SeriesDocumentPointer>(document))
        return view == RenderView::Series
                   ? QString()
                   : u"This is a recording of curves over time; its view is series."_s;
    return ofPlan || view == RenderView::Series || view == RenderView::Ranks
               ? u"This is a trace; its views are trace, active-memory and others; see --help."_s
               : QString();
}

/// A plan that stands beside the one of the page.
struct PinnedPlan
{
    Plan plan;
    QString name;
};

/// The plans of the files after the first. The error names its file.
Result<std::vector<PinnedPlan>> pinnedPlans(const RenderRequest &request)
{
    std::vector<PinnedPlan> pinned;
    for (const QString &file : request.files.mid(1)) {
        const auto failed = [&](ErrorCode code, const std::string &sentence) {
            return Error{code, file.toStdString() + ": " + sentence, -1};
        };
        auto document = readDocument(file, {});
        if (!document)
            return failed(document.error().code, document.error().text());
        const Plan *plan = std::get_if<Plan>(&*document);
        if (!plan)
            return failed(ErrorCode::OtherContent, "This is no plan to stand beside another.");
        const QString name = toQString(plan->name.value_or(std::string()));
        pinned.push_back({*plan, name.isEmpty() ? documentTitle(file) : name});
    }
    return pinned;
}

/// The whole page of a document, shown on no screen.
QImage pagePicture(Document document, std::size_t device, const RenderRequest &request,
                   const std::vector<PinnedPlan> &pinned)
{
    QWidget holder;
    holder.setAttribute(Qt::WA_DontShowOnScreen);
    const QString file = request.files.first();
    const auto page = DocumentPage::make(std::move(document), documentTitle(file), file, &holder);
    page->setUnit(request.unit);
    if (request.device >= 0)
        page->showDevice(device);
    // A picture has the size asked for, be it less than a window would allow.
    page->widget()->setMinimumSize(1, 1);
    holder.resize(request.size);
    page->widget()->setGeometry(QRect(QPoint(), request.size));
    for (const PinnedPlan &one : pinned)
        page->pinPlan(one.plan, one.name);
    if (request.planView)
        page->showPlanView(*request.planView);
    page->showTraceView(request.trace.view, request.trace.colorBy);
    if (TimelineState *state = page->timeline(); state && request.trace.range)
        state->showEvents(request.trace.range->first, request.trace.range->last);
    if (TimelineState *state = page->timeline(); state && request.trace.event)
        state->setCursor(*request.trace.event);
    if (auto *stacks = page->widget()->findChild<StacksView *>())
        stacks->setCost(request.trace.cost);
    page->workNow();
    holder.show();
    QCoreApplication::processEvents();
    workNow(*page->widget());
    // What was found may be of more lines than what stood there.
    QCoreApplication::sendPostedEvents(nullptr, QEvent::LayoutRequest);
    return page->picture();
}

Outcome writePicture(const QImage &picture, const QString &name)
{
    QSaveFile file(name);
    if (file.open(QIODevice::WriteOnly)) {
        QImageWriter writer(&file, "png");
        if (writer.write(picture) && file.commit())
            return {};
    }
    return {1, u"%1: The picture could not be written: %2."_s.arg(name, file.errorString())};
}

} // namespace

Outcome render(const RenderRequest &request)
{
    const bool compares = request.view == RenderView::Compare;
    // An error of a comparison names the file itself.
    const auto failed = [&](const QString &sentence) {
        return Outcome{1, compares ? sentence : u"%1: %2"_s.arg(request.files.first(), sentence)};
    };
    auto document = compares ? readComparison(toCompare(request.files), readDocument, {})
                             : readDocument(request.files.first(), {});
    if (!document)
        return failed(toQString(document.error().text()));
    const Theme &theme = themeFor(request.dark ? Appearance::Dark : Appearance::Light, false);
    applyTheme(theme);

    if (const QString unfit = unfitText(*document, request.view); !unfit.isEmpty())
        return failed(unfit);
    const Plan *plan = std::get_if<Plan>(&*document);
    const auto *trace = std::get_if<TraceDocumentPointer>(&*document);
    const auto *series = std::get_if<SeriesDocumentPointer>(&*document);
    const std::size_t device = trace    ? deviceIndex(**trace, request.device)
                               : series ? deviceIndex(**series, request.device)
                                        : 0;
    const std::size_t devices = trace    ? (*trace)->devices.size()
                                : series ? (*series)->devices.size()
                                         : 0;
    if ((trace || series) && request.device >= 0 && device == devices)
        return failed(u"It holds no device %1."_s.arg(request.device));

    if (trace && device < devices) {
        const QString unfit = unfitText(*(*trace)->devices[device], request.trace);
        if (!unfit.isEmpty())
            return failed(unfit);
    }
    const auto pinned = compares ? Result(std::vector<PinnedPlan>()) : pinnedPlans(request);
    if (!pinned)
        return {1, toQString(pinned.error().text())};
    QImage picture;
    if (request.view == RenderView::Breakdown)
        picture = renderBreakdown(*plan, estimate(*plan), request.size, theme, request.unit);
    else if (request.view == RenderView::Alone)
        picture = renderView(*trace, device, request.trace, request.size, theme, request.unit);
    else
        picture = pagePicture(std::move(document).value(), device, request, *pinned);
    return writePicture(picture, request.out);
}

} // namespace vramscope
