// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/text.h"
#include "ui/timeline/chart_axes.h"
#include "ui/timeline/steps_plot.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <limits>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kMostNames = 4;

QColor bandColor()
{
    QColor color = QColor::fromRgb(seriesColors()[0]);
    color.setAlpha(90);
    return color;
}

QPen penOf(const QColor &color, double width, Qt::PenStyle style = Qt::SolidLine)
{
    QPen pen(color, width, style);
    pen.setJoinStyle(Qt::BevelJoin);
    pen.setCapStyle(Qt::FlatCap);
    return pen;
}

} // namespace

void StepsChart::paint(QPainter &painter) const
{
    painter.fillRect(m_place, m_area.style.theme.window);
    if (plot().width() < 1 || plot().height() < 1)
        return;
    painter.setFont(m_area.style.font);
    paintByteAxis(painter, m_area);
    if (m_data.times.empty())
        paintEventAxis(painter, m_area, {});
    else
        paintTimeAxis(painter, m_area);
    painter.save();
    painter.setClipRect(plot());
    if (m_counted > 1)
        paintBand(painter);
    paintLines(painter);
    painter.restore();
    paintNames(painter);
    paintLegend(painter);
}

// In one piece: Qt is slow at filling a thousand translucent rectangles of this height.
void StepsChart::paintBand(QPainter &painter) const
{
    const std::vector<StepFold::Place> &places = m_data.fold->places;
    QPolygonF upper;
    QPolygonF lower;
    for (std::size_t at = 0; at < places.size() && places[at].steps > 0; ++at) {
        const double top = std::floor(y(places[at].highest));
        const double bottom = std::ceil(y(places[at].lowest));
        upper << QPointF(left(at), top) << QPointF(left(at + 1), top);
        lower << QPointF(left(at), bottom) << QPointF(left(at + 1), bottom);
    }
    std::ranges::reverse(lower);
    painter.setPen(Qt::NoPen);
    painter.setBrush(bandColor());
    painter.drawPolygon(upper + lower);
    painter.setBrush(Qt::NoBrush);
}

void StepsChart::paintLines(QPainter &painter) const
{
    const Theme &theme = m_area.style.theme;
    QColor quiet = theme.dim;
    quiet.setAlpha(m_steps.size() > 8 ? 90 : 150);
    for (const std::size_t step : m_steps) {
        if (step > 0 && !isHighest(step))
            paintStep(painter, step, quiet, 1);
    }
    if (m_counted > 1) {
        QPolygonF median;
        const std::vector<StepFold::Place> &places = m_data.fold->places;
        for (std::size_t at = 0; at < places.size() && places[at].steps > 0; ++at)
            median << QPointF((left(at) + left(at + 1)) / 2, crisp(y(places[at].median)));
        painter.setPen(penOf(theme.text, 2));
        painter.drawPolyline(median);
    }
    if (isHighest(m_data.fold->highest))
        paintStep(painter, m_data.fold->highest, theme.bad, 1.5);
    if (!isHighest(0))
        paintStep(painter, 0, theme.text, 1.5);
}

void StepsChart::paintStep(QPainter &painter, std::size_t step, const QColor &color,
                           double width) const
{
    painter.setPen(penOf(color, width, styleOf(step)));
    painter.drawPolyline(line(step));
}

// Marks the pixels within three of the line, column by column and in one piece: on whole pixels, as
// smooth edges take many times as long.
void StepsChart::markStep(QPainter &painter, std::size_t step, QColor color) const
{
    constexpr int kAround = 3;
    struct Column
    {
        double top = std::numeric_limits<double>::max();
        double bottom = std::numeric_limits<double>::lowest();
    };
    const QPolygonF points = line(step);
    std::vector<Column> columns(static_cast<std::size_t>(std::ceil(plot().width())));
    const auto columnAt = [&](double x) {
        return static_cast<std::size_t>(
            std::clamp(std::floor(x - plot().left()), 0.0, static_cast<double>(columns.size())));
    };
    for (qsizetype at = 1; at < points.size(); ++at) {
        const auto [left, right] = std::minmax({points[at - 1].x(), points[at].x()});
        const auto [top, bottom] = std::minmax({points[at - 1].y(), points[at].y()});
        for (std::size_t x = columnAt(left - kAround); x < columnAt(right + kAround + 1); ++x)
            columns[x] = {std::min(columns[x].top, std::floor(top) - kAround),
                          std::max(columns[x].bottom, std::floor(bottom) + kAround + 1)};
    }
    QPolygonF upper;
    QPolygonF lower;
    for (std::size_t x = 0; x < columns.size() && columns[x].top < columns[x].bottom; ++x) {
        const double left = plot().left() + static_cast<double>(x);
        upper << QPointF(left, columns[x].top) << QPointF(left + 1, columns[x].top);
        lower << QPointF(left, columns[x].bottom) << QPointF(left + 1, columns[x].bottom);
    }
    std::ranges::reverse(lower);
    color.setAlpha(120);
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(upper + lower);
    painter.setBrush(Qt::NoBrush);
}

void StepsChart::paintNames(QPainter &painter) const
{
    std::vector<QRectF> taken;
    const StepFold &fold = *m_data.fold;
    paintName(painter, fold.highest, taken);
    for (std::size_t at = 0; at < std::min(fold.outliers.size(), kMostNames); ++at) {
        if (fold.outliers[at] != fold.highest)
            paintName(painter, fold.outliers[at], taken);
    }
}

// At its peak, unless another name is there.
void StepsChart::paintName(QPainter &painter, std::size_t step, std::vector<QRectF> &taken) const
{
    const auto found = std::ranges::lower_bound(m_steps, step);
    if (found == m_steps.end() || *found != step)
        return;
    const std::vector<Bytes> &bytes = m_lines[static_cast<std::size_t>(found - m_steps.begin())];
    if (bytes.empty())
        return;
    const auto place = static_cast<std::size_t>(std::ranges::max_element(bytes) - bytes.begin());
    const QPointF tip((left(place) + left(place + 1)) / 2, y(bytes[place]));
    const QString name = stepName(m_data.step(step));
    const QString text = u"%1 %2"_s.arg(isHighest(step)                ? u"highest, %1:"_s.arg(name)
                                        : step == m_data.fold->highest ? u"peak"_s
                                                                       : name + u':',
                                        bytesText(m_data.step(step).peakActive, m_area.style.unit));
    const QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(text);
    const bool fits = tip.x() + 10 + width < plot().right();
    const QPointF baseline(fits ? tip.x() + 8 : tip.x() - 8 - width,
                           std::max(tip.y() - 5, plot().top() + metrics.ascent()));
    const QRectF box(baseline.x() - 3, baseline.y() - metrics.ascent(), width + 6,
                     metrics.height());
    if (std::ranges::any_of(taken, [&](const QRectF &other) { return other.intersects(box); }))
        return;
    taken.push_back(box);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(penOf(m_area.style.theme.window, 1));
    painter.setBrush(m_area.style.theme.text);
    painter.drawEllipse(tip, 3.5, 3.5);
    painter.restore();
    paintChartLabel(painter, m_area, baseline, text, m_area.style.theme.text);
}

// Along the top, as many entries as fit, the most important first.
void StepsChart::paintLegend(QPainter &painter) const
{
    const Theme &theme = m_area.style.theme;
    const auto has = [this](Qt::PenStyle style) {
        return std::ranges::any_of(m_steps, [&](std::size_t at) { return styleOf(at) == style; });
    };
    struct Item
    {
        QString text;
        QPen pen;
    };
    std::vector<Item> items;
    if (m_counted > 1)
        items = {{u"median of %1"_s.arg(countedText(m_counted, "step")), penOf(theme.text, 2)},
                 {u"their range"_s, penOf(bandColor(), 9)}};
    if (has(Qt::DashLine))
        items.push_back({u"first, warming up"_s, penOf(theme.text, 1.5, Qt::DashLine)});
    if (has(Qt::DotLine))
        items.push_back({u"cut off"_s, penOf(theme.dim, 1.5, Qt::DotLine)});
    if (m_steps.size() < m_data.count())
        items.push_back({u"%1 of %2"_s.arg(countText(std::ssize(m_steps)),
                                           countedText(std::int64_t(m_data.count()), "step")),
                         penOf(theme.dim, 1)});
    constexpr double kSample = 22;
    const QFontMetricsF metrics(painter.font());
    const double middle = plot().top() - kChartGap - metrics.height() / 2;
    const QString axis = m_data.times.empty() ? u"events since the step's start"_s
                                              : u"time since the step's start"_s;
    double x = plot().left();
    const auto put = [&](const QString &text) {
        const double width = metrics.horizontalAdvance(text) + 1;
        painter.setPen(theme.dim);
        painter.drawText(QRectF(x, middle - metrics.height() / 2, width, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, text);
        x += width + 16;
    };
    for (const Item &item : items) {
        if (x + kSample + 5 + metrics.horizontalAdvance(item.text) > plot().right())
            return;
        painter.setPen(item.pen);
        painter.drawLine(QPointF(x, crisp(middle)), QPointF(x + kSample, crisp(middle)));
        x += kSample + 5;
        put(item.text);
    }
    const double right = plot().right() - metrics.horizontalAdvance(axis);
    if (x < right) {
        x = right;
        put(axis);
    }
}

} // namespace vramscope
