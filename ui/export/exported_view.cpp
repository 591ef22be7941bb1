// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/exported_view.h"

#include "ui/export/formats.h"
#include "ui/support/text.h"

#include <QFileInfo>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QPainter>

#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kMargin = 16;
constexpr int kGap = 6;
/// The minimum scale of raster parts in a vector file.
constexpr double kLeastScale = 2;

constexpr std::array<std::pair<QStringView, ViewFormat>, 6> kEndings = {{
    {u"png", ViewFormat::Png},
    {u"svg", ViewFormat::Svg},
    {u"pdf", ViewFormat::Pdf},
    {u"csv", ViewFormat::Csv},
    {u"md", ViewFormat::Markdown},
    {u"json", ViewFormat::Json},
}};

QFont titleFont()
{
    QFont font = QGuiApplication::font();
    font.setPointSizeF(font.pointSizeF() * 1.3);
    font.setWeight(QFont::DemiBold);
    return font;
}

int headHeight()
{
    return kMargin + QFontMetrics(titleFont()).height() + kGap;
}

int footHeight()
{
    return kGap + QFontMetrics(QGuiApplication::font()).height() + kMargin / 2;
}

QString sourceLine(const Caption &caption)
{
    QStringList parts{caption.source};
    if (caption.date.isValid())
        parts += caption.date.toUTC().toString(u"yyyy-MM-dd"_s);
    parts.removeAll(QString());
    return parts.join(u", "_s);
}

/// Draws one line, elided if too long.
void drawLine(QPainter &painter, const QRect &place, Qt::Alignment alignment, const QString &text)
{
    painter.drawText(place, static_cast<int>(alignment | Qt::TextSingleLine),
                     QFontMetrics(painter.font()).elidedText(text, Qt::ElideMiddle, place.width()));
}

/// Title above, source and capacity below.
void paintCaption(QPainter &painter, const ExportedView &exhibit, QSize whole)
{
    const Caption &caption = exhibit.caption;
    painter.setFont(titleFont());
    painter.setPen(exhibit.theme.text);
    const int width = whole.width() - 2 * kMargin;
    drawLine(painter, {kMargin, kMargin, width, headHeight() - kMargin - kGap},
             Qt::AlignLeft | Qt::AlignVCenter, caption.title);
    painter.setFont(QGuiApplication::font());
    painter.setPen(exhibit.theme.dim);
    const QRect foot(kMargin, whole.height() - footHeight() + kGap, width,
                     footHeight() - kGap - kMargin / 2);
    const QString right =
        caption.capacity.isEmpty() ? u"VRAMscope"_s : u"Capacity "_s + caption.capacity;
    const int taken = std::min(painter.fontMetrics().horizontalAdvance(right) + 1, width / 2);
    drawLine(painter, foot.adjusted(width - taken, 0, 0, 0), Qt::AlignRight | Qt::AlignVCenter,
             right);
    drawLine(painter, foot.adjusted(0, 0, -taken - kMargin, 0), Qt::AlignLeft | Qt::AlignVCenter,
             sourceLine(caption));
}

QSize wholeSize(const ExportedView &exhibit)
{
    return exhibit.captioned ? exhibit.size + QSize(0, headHeight() + footHeight()) : exhibit.size;
}

/// The exhibit with its caption and background.
Painting whole(const ExportedView &exhibit)
{
    return [&exhibit](QPainter &painter, double pixelRatio) {
        const QSize size = wholeSize(exhibit);
        painter.fillRect(QRect(QPoint(), size), exhibit.theme.window);
        if (exhibit.captioned) {
            paintCaption(painter, exhibit, size);
            painter.translate(0, headHeight());
        }
        exhibit.paint(painter, pixelRatio);
    };
}

} // namespace

QString endingOf(ViewFormat format)
{
    return kEndings[static_cast<std::size_t>(format)].first.toString();
}

std::optional<ViewFormat> viewFormatOf(const QString &fileName)
{
    const QString ending = QFileInfo(fileName).suffix().toLower();
    for (const auto &[each, format] : kEndings) {
        if (each == ending)
            return format;
    }
    return std::nullopt;
}

bool isPicture(ViewFormat format)
{
    return format == ViewFormat::Png || format == ViewFormat::Svg || format == ViewFormat::Pdf;
}

QSize sizeWithin(QSize whole, bool captioned)
{
    return captioned
               ? QSize(whole.width(), std::max(whole.height() - headHeight() - footHeight(), 1))
               : whole;
}

double pixelScale(ViewFormat format, double scale)
{
    return format == ViewFormat::Png ? scale : std::max(scale, kLeastScale);
}

QImage image(const Painting &paint, QSize size, double scale)
{
    constexpr int kMostPixels = 32767; // beyond this the painter paints nothing
    const QSize pixels = (QSizeF(size) * scale).toSize();
    if (std::max(pixels.width(), pixels.height()) > kMostPixels)
        return {};
    QImage image(pixels, QImage::Format_ARGB32_Premultiplied);
    if (image.isNull())
        return image;
    image.setDevicePixelRatio(scale);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    paint(painter, scale);
    painter.end();
    image.setDevicePixelRatio(1);
    return image;
}

QImage image(const ExportedView &exhibit, double scale)
{
    return image(whole(exhibit), wholeSize(exhibit), scale);
}

QString leftOutText(const QString &name, qsizetype leftOut)
{
    return leftOut == 0 ? QString()
                        : u"%1 holds the first rows of the table; %2 more are left out."_s.arg(
                              name, countText(leftOut));
}

Result<QByteArray> exported(const ExportedView &exhibit, ViewFormat format, double scale,
                            qsizetype most, qsizetype *leftOut)
{
    const bool pictured = isPicture(format);
    const Table table = pictured || !exhibit.table ? Table() : exhibit.table(most);
    if (!pictured && table.isEmpty())
        return Error{ErrorCode::OtherContent,
                     "This view has no table; export it as a picture: png, svg or pdf."};
    const About about{exhibit.caption.title, sourceLine(exhibit.caption), exhibit.caption.date};
    const auto drawing = [&] {
        return recorded(wholeSize(exhibit), [&](QPainter &painter) {
            whole(exhibit)(painter, pixelScale(format, scale));
        });
    };
    switch (format) {
    case ViewFormat::Png: {
        const QByteArray file = png(image(exhibit, scale));
        if (file.isEmpty())
            return Error{ErrorCode::Invalid,
                         "The picture has too many pixels to be painted; choose a smaller size "
                         "or scale."};
        return file;
    }
    case ViewFormat::Svg:
        return svg(drawing(), about);
    case ViewFormat::Pdf:
        return pdf(drawing(), about);
    case ViewFormat::Csv:
        if (leftOut)
            *leftOut = table.leftOut;
        return csv(table);
    case ViewFormat::Markdown:
        return markdown(table);
    case ViewFormat::Json:
        return json(table);
    }
    return QByteArray();
}

} // namespace vramscope
