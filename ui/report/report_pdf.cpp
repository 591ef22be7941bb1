// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/report_maker.h"

#include "core/document/html.h"
#include "core/planner/plan_json.h"
#include "ui/support/text.h"

#include <QBuffer>
#include <QPdfWriter>
#include <QTextDocument>
#include <QUrl>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPicture = 680; // pixels of 1/96 inch that a page has from margin to margin

// What QTextDocument knows of CSS; in the light appearance of the window.
constexpr QStringView kStyle = uR"(
body { color: #1d2430 }
h1 { font-size: 17pt; margin-top: 18pt; margin-bottom: 4pt }
h2 { font-size: 12pt; margin-top: 14pt; margin-bottom: 4pt }
h3 { font-size: 10pt; margin-top: 8pt; margin-bottom: 4pt; color: #5d6879 }
p { margin-top: 2pt; margin-bottom: 4pt }
p.answer { font-size: 13pt; font-weight: bold; margin-bottom: 8pt }
p.good { color: #1a7f4b }
p.bad { color: #b42318 }
p.warning { color: #9a6700 }
p.note { color: #5d6879 }
table { border-collapse: collapse; border-style: solid; border-color: #e2e5ea; border-width: 1px;
        margin-top: 2pt; margin-bottom: 6pt }
th { color: #5d6879; text-align: left; padding: 3pt 5pt; background-color: #f6f7f9 }
td { padding: 3pt 5pt; border-bottom: 1px solid #e2e5ea; vertical-align: top }
.n { text-align: right }
figcaption { color: #5d6879 }
pre { font-family: "DejaVu Sans Mono", monospace; font-size: 7pt; white-space: pre-wrap }
)";

/// The blocks, with the pictures as resources of the document.
void fill(QTextDocument &document, const IllustratedReport &it)
{
    const auto image = [&](const Figure &figure) -> std::string {
        const auto found = std::ranges::find(it.figures, figure.id, &ReportFigure::id);
        if (found == it.figures.end())
            return {};
        QImage picture = found->paint(kPicture, lightTheme());
        const int height = picture.height() / kFineness;
        picture.setDevicePixelRatio(1);
        const QString name = u"figure:"_s + toQString(figure.id);
        document.addResource(QTextDocument::ImageResource, QUrl(name), picture);
        return "<img src=\"" + name.toStdString() + "\" width=\"" + std::to_string(kPicture) +
               "\" height=\"" + std::to_string(height) + "\"><br>";
    };
    document.setHtml(toQString(htmlBlocks(it.report, image)));
}

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
        for (std::size_t at = 0; at < it.report.plans.size(); ++at)
            writer.addFileAttachment(u"plan-%1.vramplan"_s.arg(at + 1),
                                     QByteArray::fromStdString(planJson(it.report.plans[at])),
                                     u"application/json"_s);
        QTextDocument document;
        QFont font(u"DejaVu Sans"_s);
        font.setPointSizeF(8.5);
        document.setDefaultFont(font);
        document.setDefaultStyleSheet(kStyle.toString());
        fill(document, it);
        document.print(&writer);
    }
    return bytes;
}

} // namespace vramscope
