// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/render.h"

#include "ui/planner/breakdown_picture.h"
#include "ui/support/text.h"
#include "ui/trace/render.h"
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

/// The whole page of a document, shown on no screen.
QImage pagePicture(Document document, std::size_t device, const RenderRequest &request)
{
    QWidget holder;
    holder.setAttribute(Qt::WA_DontShowOnScreen);
    const auto page = DocumentPage::make(std::move(document), documentTitle(request.file), &holder);
    page->setUnit(request.unit);
    if (request.device >= 0)
        page->showDevice(device);
    // A picture has the size asked for, be it less than a window would allow.
    page->widget()->setMinimumSize(1, 1);
    holder.resize(request.size);
    page->widget()->setGeometry(QRect(QPoint(), request.size));
    page->showTraceView(request.traceView, request.colorBy);
    holder.show();
    QCoreApplication::processEvents();
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
    const auto failed = [&](const QString &sentence) {
        return Outcome{1, u"%1: %2"_s.arg(request.file, sentence)};
    };
    auto document = readDocument(request.file, {});
    if (!document)
        return failed(toQString(document.error().text()));
    const Theme &theme = themeFor(request.dark ? Appearance::Dark : Appearance::Light, false);
    applyTheme(theme);

    const bool wantsPlan =
        request.view == RenderView::Plan || request.view == RenderView::Breakdown;
    const Plan *plan = std::get_if<Plan>(&*document);
    if (wantsPlan != (plan != nullptr))
        return failed(
            plan
                ? u"This is a plan; its views are plan and breakdown."_s
                : u"This is a trace; its views are trace, active-memory and others; see --help."_s);
    const auto *trace = std::get_if<TraceDocumentPointer>(&*document);
    const std::size_t device = trace ? deviceIndex(**trace, request.device) : 0;
    if (trace && request.device >= 0 && device == (*trace)->devices.size())
        return failed(u"It holds no device %1."_s.arg(request.device));

    QImage picture;
    if (request.view == RenderView::Breakdown)
        picture = renderBreakdown(*plan, estimate(*plan), request.size, theme, request.unit);
    else if (request.view == RenderView::Timeline)
        picture = renderTimeline(*timelineKind(request.traceView), request.colorBy, **trace, device,
                                 request.size, theme, request.unit);
    else
        picture = pagePicture(std::move(document).value(), device, request);
    return writePicture(picture, request.out);
}

} // namespace vramscope
