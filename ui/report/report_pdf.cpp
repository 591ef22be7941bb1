// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/plan_json.h"
#include "ui/report/page_writer.h"
#include "ui/report/report_maker.h"
#include "ui/support/text.h"

#include <QBuffer>
#include <QPdfWriter>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPicture = 680; // pixels of 1/96 inch that a page has from margin to margin

struct FigureImages
{
    const std::vector<ReportFigure> &figures;

    QImage operator()(const Figure &figure) const
    {
        const auto found = std::ranges::find(figures, figure.id, &ReportFigure::id);
        return found == figures.end() ? QImage() : found->paint(kPicture, lightTheme());
    }
};

} // namespace

QByteArray reportPdf(const IllustratedReport &it)
{
    QByteArray bytes;
    QBuffer buffer(&bytes);
    buffer.open(QIODevice::WriteOnly);
    {
        QPdfWriter writer(&buffer);
        writer.setTitle(toQString(it.report.title));
        writer.setCreator(u"VRAMscope"_s);
        writer.setPageSize(QPageSize(QPageSize::A4));
        writer.setPageMargins(QMarginsF(14, 14, 14, 14), QPageLayout::Millimeter);
        writer.setResolution(kPageResolution);
        for (std::size_t at = 0; at < it.report.plans.size(); ++at)
            writer.addFileAttachment(u"plan-%1.vramplan"_s.arg(at + 1),
                                     QByteArray::fromStdString(planJson(it.report.plans[at])),
                                     u"application/json"_s);
        PageWriter(writer, FigureImages{it.figures}).write(it.report);
    }
    return bytes;
}

} // namespace vramscope
