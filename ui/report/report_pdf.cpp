// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/plan_json.h"
#include "ui/export/exported_view.h"
#include "ui/export/formats.h"
#include "ui/report/illustrated_report.h"
#include "ui/report/page_writer.h"
#include "ui/support/text.h"

#include <QPdfWriter>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPicture = 680; // pixels of 1/96 inch that a page has from margin to margin

/// The one that a figure names, its many shapes as pixels where vectors would be too large.
struct FigureDrawings
{
    const std::vector<ReportFigure> &figures;

    Drawing operator()(const Figure &figure) const
    {
        const auto found = std::ranges::find(figures, figure.id, &ReportFigure::id);
        if (found == figures.end())
            return {};
        Drawing drawing = found->paint(kPicture, lightTheme());
        if (staysVectors(drawing))
            return drawing;
        const QImage pixels = image([&](QPainter &painter, double) { paint(painter, drawing); },
                                    drawing.size, kFineness);
        Drawing::Item whole;
        whole.what = Drawing::Image{QRectF(QPointF(), QSizeF(drawing.size)), pixels};
        return {drawing.size, {whole}};
    }
};

} // namespace

QByteArray reportPdf(const IllustratedReport &it)
{
    return pdfFile(it.date, [&](QPdfWriter &writer) {
        writer.setTitle(toQString(it.report.title));
        writer.setCreator(u"VRAMscope"_s);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(14, 14, 14, 14), QPageLayout::Millimeter);
        writer.setResolution(kPageResolution);
        for (std::size_t at = 0; at < it.report.plans.size(); ++at)
            writer.addFileAttachment(attachedName(at + 1),
                                     QByteArray::fromStdString(planJson(it.report.plans[at])),
                                     u"application/json"_s);
        PageWriter(writer, FigureDrawings{it.figures}).write(it.report);
    });
}

} // namespace vramscope
