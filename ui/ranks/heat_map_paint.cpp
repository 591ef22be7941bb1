// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/rank_answer.h"
#include "ui/ranks/heat_colors.h"
#include "ui/ranks/heat_map.h"
#include "ui/support/pixel_ratio.h"
#include "ui/support/text.h"
#include "ui/timeline/axis_text.h"
#include "ui/timeline/chart_axes.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QRgb hatchPixel(int x, int y, QRgb line, QRgb ground)
{
    constexpr int kApart = 6;
    return (x + y) % kApart < 2 ? line : ground;
}

} // namespace

// Row by row of pixels: the highest of the ranks that share it, then column by column.
QImage HeatMap::picture(double ratio) const
{
    const Theme &theme = themeOf(this);
    const QSize size = (QSizeF(plot().size()) * ratio).toSize().expandedTo({1, 1});
    QImage image(size, QImage::Format_RGB32);
    const QRgb ground = theme.window.rgb();
    image.fill(ground);
    image.setDevicePixelRatio(ratio);
    if (m_matrix.columns() == 0)
        return image;
    const HeatScale scale =
        m_coloring == HeatColoring::Active ? amountScale(theme) : distanceScale(theme);
    std::vector<std::pair<std::size_t, std::size_t>> columns;
    columns.reserve(static_cast<std::size_t>(size.width()));
    for (int x = 0; x < size.width(); ++x)
        columns.push_back(columnsAt(x / ratio));
    const auto isRecorded = [this](float value) {
        return m_coloring == HeatColoring::Active ? value >= 0 : !std::isnan(value);
    };
    std::vector<QRgb> colors(m_matrix.columns(), ground);
    for (int y = 0; y < size.height(); ++y) {
        const double top = y / ratio + scrolled();
        const HeatPixel pixel = heatPixel(m_layout, top, top + 1 / ratio);
        auto *line = reinterpret_cast<QRgb *>(image.scanLine(y));
        if (pixel.ranks.empty()) {
            if (pixel.missing + pixel.unusable == 0)
                continue;
            const QRgb hatch = (pixel.unusable > 0 ? theme.warn : theme.border).rgb();
            for (int x = 0; x < size.width(); ++x)
                line[x] = hatchPixel(x, y, hatch, ground);
            continue;
        }
        const std::vector<float> values = valuesOf(pixel.ranks);
        for (std::size_t at = 0; at < values.size(); ++at)
            colors[at] = isRecorded(values[at]) ? heatColor(scale, shareOf(values[at])) : ground;
        for (int x = 0; x < size.width(); ++x) {
            const auto [first, last] = columns[static_cast<std::size_t>(x)];
            std::size_t strongest = first;
            for (std::size_t at = first + 1; at <= last; ++at) {
                if (!isRecorded(values[strongest]) ||
                    std::fabs(values[at]) > std::fabs(values[strongest]))
                    strongest = at;
            }
            line[x] = colors[strongest];
        }
    }
    return image;
}

void HeatMap::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    const Theme &theme = themeOf(this);
    painter.fillRect(viewport()->rect(), theme.window);
    const QRect place = plot();
    if (place.width() < 8 || place.height() < 8)
        return;
    const double ratio = pixelRatio(*this);
    if (m_picture.isNull() || m_picture.devicePixelRatio() != ratio)
        m_picture = picture(ratio);
    painter.drawImage(place.topLeft(), m_picture);
    painter.setFont(smallFont(font()));
    painter.save();
    painter.setClipRect(place.adjusted(-place.left(), 0, viewport()->width(), 0));
    paintTitles(painter);
    paintFailures(painter);
    paintMarks(painter);
    paintCurrent(painter);
    painter.restore();
    paintLabels(painter);
    paintAxis(painter);
    paintLegend(painter);
    painter.setPen(theme.line);
    painter.drawRect(QRectF(place).adjusted(-0.5, -0.5, 0.5, 0.5));
}

void HeatMap::paintTitles(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRect place = plot();
    const auto [first, end] = m_layout.rowsBetween(scrolled(), scrolled() + place.height());
    for (std::size_t at = first; at < end; ++at) {
        const HeatRow &row = m_layout.rows()[at];
        if (row.kind != HeatRow::Kind::Group)
            continue;
        const QRectF whole(place.left(), place.top() + m_layout.top(at) - scrolled(), place.width(),
                           m_layout.bottom(at) - m_layout.top(at));
        painter.fillRect(whole, theme.card);
        const bool isFolded = m_folded[row.index] != 0;
        if (isFolded)
            paintBand(painter, row.index, whole.adjusted(0, HeatLayout::kTitleHeight - 4, 0, -2));
        QPainterPath arrow;
        const QPointF tip(whole.left() + 8, whole.top() + HeatLayout::kTitleHeight / 2);
        if (isFolded)
            arrow.addPolygon(
                QPolygonF({tip + QPointF(-2, -4), tip + QPointF(3, 0), tip + QPointF(-2, 4)}));
        else
            arrow.addPolygon(
                QPolygonF({tip + QPointF(-4, -2), tip + QPointF(4, -2), tip + QPointF(0, 3)}));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(arrow, theme.dim);
        painter.setRenderHint(QPainter::Antialiasing, false);
        painter.setPen(theme.text);
        const QRectF text(whole.left() + 18, whole.top(), whole.width() - 22,
                          HeatLayout::kTitleHeight);
        painter.drawText(text, Qt::AlignVCenter | Qt::AlignLeft,
                         QFontMetricsF(painter.font())
                             .elidedText(toQString(groupTitle(*study(), row.index, unit())),
                                         Qt::ElideRight, text.width()));
        painter.setPen(theme.line);
        painter.drawLine(whole.topLeft(), whole.topRight());
    }
}

// From the lowest to the highest rank of the group, column by column.
void HeatMap::paintBand(QPainter &painter, std::size_t group, const QRectF &place) const
{
    const ColumnRange range = columnRange(m_matrix, study()->findings.groups[group].ranks);
    QColor color(seriesColors()[0]);
    const auto y = [&](float bytes) {
        return place.bottom() - static_cast<double>(bytes / m_highest) * place.height();
    };
    const int width = static_cast<int>(place.width());
    for (int x = 0; x < width; ++x) {
        const auto [first, last] = columnsAt(x);
        float low = RankMatrix::kNoBytes;
        float high = RankMatrix::kNoBytes;
        for (std::size_t at = first; at <= last; ++at) {
            if (range.highest[at] < 0)
                continue;
            high = std::max(high, range.highest[at]);
            low = low < 0 ? range.lowest[at] : std::min(low, range.lowest[at]);
        }
        if (high < 0)
            continue;
        color.setAlpha(70);
        painter.fillRect(QRectF(place.left() + x, y(low), 1, place.bottom() - y(low)), color);
        color.setAlpha(255);
        painter.fillRect(QRectF(place.left() + x, y(high), 1, std::max(1.5, y(low) - y(high))),
                         color);
    }
}

std::optional<double> HeatMap::failureX(const RankSummary &rank) const
{
    if (rank.failures.empty() || m_matrix.columns() == 0)
        return {};
    const auto at = m_matrix.placeOf(rank.failures.front());
    if (!at)
        return {};
    const double x =
        plot().left() + (m_matrix.columnAt(*at) - m_firstColumn) / m_columns * plot().width();
    return x < plot().left() || x > plot().right() ? std::nullopt : std::optional(x);
}

void HeatMap::paintFailures(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRect place = plot();
    const auto [first, end] = m_layout.rowsBetween(scrolled(), scrolled() + place.height());
    for (std::size_t at = first; at < end; ++at) {
        const HeatRow &row = m_layout.rows()[at];
        if (row.kind != HeatRow::Kind::Rank || study()->rank(row.index).failures.empty())
            continue;
        const auto x = failureX(study()->rank(row.index));
        if (!x)
            continue;
        const double middle =
            place.top() + (m_layout.top(at) + m_layout.bottom(at)) / 2 - scrolled();
        const double height = std::max(6.0, m_layout.rankHeight());
        const QRectF mark(std::min(*x, place.right() - 3.0) - 1.5, middle - height / 2, 3, height);
        painter.fillRect(mark.adjusted(-1, -1, 1, 1), theme.window);
        painter.fillRect(mark, theme.bad);
    }
}

} // namespace vramscope
