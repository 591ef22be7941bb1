// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/chart_axes.h"

#include "ui/support/text.h"
#include "ui/timeline/axis_text.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

double lineHeight(const QPainter &painter)
{
    return std::ceil(QFontMetricsF(painter.font()).height());
}

double tickWidth(const QPainter &painter)
{
    return QFontMetricsF(painter.font()).horizontalAdvance(u"000,000,000"_s) * 1.3;
}

int mostTicks(const ChartArea &area, double tickWidth)
{
    return std::max(1, static_cast<int>(area.plot.width() / tickWidth));
}

void paintTick(QPainter &painter, const ChartArea &area, double widest, double value,
               const QString &first, const QString &second)
{
    const QRectF &plot = area.plot;
    const double at = area.x(value);
    const double height = lineHeight(painter);
    painter.setPen(area.style.theme.line);
    painter.drawLine(QPointF(crisp(at), plot.bottom()), QPointF(crisp(at), plot.bottom() + 4));
    painter.setPen(area.style.theme.dim);
    QRectF place(at - widest / 2, plot.bottom() + kChartGap, widest, height);
    const double over = place.right() - (plot.right() + kChartGap);
    Qt::Alignment alignment = Qt::AlignHCenter;
    if (over > widest / 4) { // the last label would leave the picture
        place.moveRight(plot.right() + kChartGap);
        alignment = Qt::AlignRight;
    }
    painter.drawText(place, static_cast<int>(alignment | Qt::AlignTop), first);
    painter.drawText(place.translated(0, height), static_cast<int>(alignment | Qt::AlignTop),
                     second);
}

void paintGround(QPainter &painter, const ChartArea &area)
{
    painter.setPen(area.style.theme.dim);
    painter.drawLine(QPointF(area.plot.left(), crisp(area.plot.bottom())),
                     QPointF(area.plot.right(), crisp(area.plot.bottom())));
}

} // namespace

Theme chartTheme(const QWidget *chart)
{
    Theme theme = themeOf(chart);
    for (const QWidget *part = chart; part; part = part->parentWidget()) {
        if (part->property("role") == u"card"_s)
            theme.window = theme.card;
    }
    return theme;
}

QFont smallFont(const QFont &font)
{
    QFont small = font;
    small.setPointSizeF(font.pointSizeF() * typePixels(Type::Small) / typePixels(Type::Body));
    return small;
}

double byteAxisWidth(const QFont &font)
{
    return std::ceil(QFontMetricsF(smallFont(font)).horizontalAdvance(u"000.00"_s) + kChartGap);
}

QRectF plotBetweenLines(const QRectF &chart, const QFont &font)
{
    const double line = std::ceil(QFontMetricsF(smallFont(font)).height()) + kChartGap;
    return chart.adjusted(byteAxisWidth(font), line, -kChartGap, -line).toAlignedRect();
}

void paintPeakMark(QPainter &painter, QPointF at, const QColor &color)
{
    painter.save();
    painter.setClipping(false); // whole at an edge of the plot too
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.5));
    painter.setBrush(Qt::NoBrush); // the sample that it marks stays visible
    painter.drawEllipse(at, 4, 4);
    painter.restore();
}

void paintByteAxis(QPainter &painter, const ChartArea &area)
{
    const QRectF &plot = area.plot;
    const double height = lineHeight(painter);
    const ByteAxis axis(area.viewport.bytes, area.style.unit,
                        static_cast<int>(plot.height() / (height * 3)));
    for (const double bytes : axis.values()) {
        const double at = crisp(area.y(bytes));
        painter.fillRect(QRectF(plot.left(), at - 0.5, plot.width(), 1), area.style.theme.line);
        painter.setPen(area.style.theme.dim);
        const QRectF place(0, at - height / 2, plot.left() - kChartGap, height);
        painter.drawText(place, Qt::AlignRight | Qt::AlignVCenter, axis.text(bytes));
    }
    painter.drawText(QRectF(0, plot.top() - height - kChartGap, plot.left() - kChartGap, height),
                     Qt::AlignRight | Qt::AlignTop, axis.unit());
}

void paintTimeAxis(QPainter &painter, const ChartArea &area)
{
    const double widest = tickWidth(painter);
    const TimeAxis axis(area.viewport.x, mostTicks(area, widest));
    for (const double value : axis.values()) {
        if (value >= 0)
            paintTick(painter, area, widest, value, axis.text(value), {});
    }
    paintGround(painter, area);
}

void paintEventAxis(QPainter &painter, const ChartArea &area, std::span<const std::int64_t> times)
{
    if (area.axis.kind() == EventAxis::Kind::Time)
        return paintTimeAxis(painter, area);
    const double widest = tickWidth(painter);
    for (const double value : niceTicks(area.viewport.x, mostTicks(area, widest), 1).values) {
        if (value < 0)
            continue;
        const auto event = static_cast<std::int64_t>(value);
        QString time;
        if (!times.empty()) {
            const auto last = static_cast<std::int64_t>(times.size()) - 1;
            const auto index = static_cast<std::size_t>(std::min(event, last));
            time = toQString(formatMicroseconds(times[index] - times[0]));
        }
        paintTick(painter, area, widest, value, countText(event), time);
    }
    paintGround(painter, area);
}

void paintChartLabel(QPainter &painter, const ChartArea &area, QPointF baseline,
                     const QString &text, const QColor &color)
{
    const QFontMetricsF metrics(painter.font());
    QColor patch = area.style.theme.window;
    patch.setAlpha(205);
    const QRectF box(baseline.x() - 3, baseline.y() - metrics.ascent() - 1,
                     metrics.horizontalAdvance(text) + 6, metrics.height() + 1);
    painter.fillRect(box, patch);
    painter.setPen(color);
    painter.drawText(baseline, text);
}

} // namespace vramscope
