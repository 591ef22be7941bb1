// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/heat_colors.h"
#include "ui/ranks/heat_map.h"
#include "ui/support/hatch.h"
#include "ui/support/text.h"
#include "ui/timeline/axis_text.h"
#include "ui/timeline/chart_axes.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <array>
#include <cmath>

// The surroundings of the plot: marks of ranks, their numbers, the axis, the legend.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kLeastMark = 4;    // pixels: however many ranks there are, one is seen
constexpr double kLeastHatched = 8; // … and that it is hatched

/// Absent ranks are hatched, which distinguishes them from low memory.
void fillAbsent(QPainter &painter, const QRectF &place, const QColor &color)
{
    constexpr double kApart = 4;
    painter.fillRect(place, QColor(color.red(), color.green(), color.blue(), 40));
    fillHatched(painter, {place}, color, kApart);
}

} // namespace

// Two lanes next to the plot: what happened to ranks with a file, and ranks without one.
void HeatMap::paintMarks(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRect place = plot();
    const double left = place.right() + 5;
    constexpr double kLane = 8;
    const auto [first, end] = m_layout.rowsBetween(scrolled(), scrolled() + place.height());
    const auto markAt = [&](std::size_t row, int lane, double least = kLeastMark) {
        const double top = place.top() + m_layout.top(row) - scrolled();
        const double height = m_layout.bottom(row) - m_layout.top(row);
        const double tall = std::max(least, std::floor(height));
        return QRectF(left + lane * (kLane + 1), std::floor(top + height / 2 - tall / 2), kLane,
                      tall);
    };
    std::vector<std::pair<QRectF, QColor>> strong; // over the others: who failed is seen
    for (std::size_t at = first; at < end; ++at) {
        const HeatRow &row = m_layout.rows()[at];
        if (row.kind == HeatRow::Kind::Missing) {
            fillAbsent(painter, markAt(at, 1, kLeastHatched), theme.text);
        } else if (row.kind == HeatRow::Kind::Unusable) {
            fillAbsent(painter, markAt(at, 1, kLeastHatched), theme.warn);
        } else if (row.kind == HeatRow::Kind::Rank) {
            if (study()->rank(row.index).problemCount > 0)
                painter.fillRect(markAt(at, 1), theme.warn);
            if (study()->rank(row.index).failureCount > 0)
                strong.emplace_back(markAt(at, 0), theme.bad);
        }
    }
    for (const RankOutlier &outlier : study()->findings.outliers) {
        const auto row = m_layout.rowOf(outlier.rank);
        if (row && *row >= first && *row < end && study()->rank(outlier.rank).failureCount == 0)
            painter.fillRect(markAt(*row, 0), theme.accent);
    }
    for (const auto &[mark, color] : strong)
        painter.fillRect(mark, color);
}

void HeatMap::paintCurrent(QPainter &painter) const
{
    const auto row = m_layout.rowOf(current());
    if (!row)
        return;
    const Theme &theme = themeOf(this);
    const QRect place = plot();
    const double top = place.top() + m_layout.top(*row) - scrolled();
    const double height = std::max(kLeastMark, m_layout.bottom(*row) - m_layout.top(*row));
    const QRectF line(place.left() - 0.5, std::floor(top) - 1.5, place.width() + 1,
                      std::ceil(height) + 2);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(hasFocus() ? theme.accent : theme.text, 1));
    painter.drawRect(line);
    QPainterPath arrow;
    const QPointF tip(place.left() - 2, line.center().y());
    arrow.addPolygon(QPolygonF({tip, tip + QPointF(-7, -4), tip + QPointF(-7, 4)}));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillPath(arrow, hasFocus() ? theme.accent : theme.text);
    painter.setRenderHint(QPainter::Antialiasing, false);
}

// Numbers of ranks, as many as there is room for, and that of the chosen one.
void HeatMap::paintLabels(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRect place = plot();
    const double height = QFontMetricsF(painter.font()).height();
    const auto [first, end] = m_layout.rowsBetween(scrolled(), scrolled() + place.height());
    const auto middleOf = [&](std::size_t row) {
        return place.top() + (m_layout.top(row) + m_layout.bottom(row)) / 2 - scrolled();
    };
    const auto paint = [&](std::size_t row, const QColor &color) {
        const double middle =
            std::clamp(middleOf(row), place.top() + height / 2,
                       std::max(place.top() + height / 2, place.bottom() - height / 2));
        painter.setPen(color);
        painter.drawText(QRectF(0, middle - height / 2, place.left() - 12, height),
                         Qt::AlignRight | Qt::AlignVCenter,
                         QString::number(study()->number(m_layout.rows()[row].index)));
        return middle;
    };
    const auto chosen = m_layout.rowOf(current());
    double taken = -1e9;
    if (chosen && *chosen >= first && *chosen < end)
        taken = paint(*chosen, theme.text);
    const double apart = std::max(height * 1.3, m_order == RankOrder::Number ? 34.0 : 24.0);
    double last = -1e9;
    for (std::size_t at = first; at < end; ++at) {
        if (m_layout.rows()[at].kind != HeatRow::Kind::Rank)
            continue;
        const double middle = middleOf(at);
        if (middle < place.top() || middle > place.bottom() || middle - last < apart ||
            std::fabs(middle - taken) < height * 1.2)
            continue;
        last = paint(at, theme.dim);
    }
}

void HeatMap::paintAxis(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QRect place = plot();
    const QFontMetricsF metrics(painter.font());
    const double from = columnPlace(m_firstColumn);
    const double to = columnPlace(m_firstColumn + m_columns);
    painter.setPen(theme.dim);
    const auto label = [&](double value, const QString &text) {
        const double x = place.left() + (value - from) / (to - from) * place.width();
        if (x < place.left() - 1 || x > place.right() + 1)
            return;
        painter.drawLine(QPointF(x, place.bottom() + 1), QPointF(x, place.bottom() + 4));
        const double width = metrics.horizontalAdvance(text);
        const double left = std::clamp(x - width / 2, 0.0, viewport()->width() - width);
        painter.drawText(QPointF(left, place.bottom() + 6 + metrics.ascent()), text);
    };
    if (!(to > from))
        return;
    constexpr int kTicks = 8;
    if (m_axis == RankAxis::Time) {
        const TimeAxis axis({from, to}, kTicks);
        for (const double value : axis.values())
            label(value, axis.text(value));
        return;
    }
    const Ticks ticks = niceTicks({from, to}, kTicks);
    for (const double value : ticks.values) {
        const QString count = countText(wholeOf(value));
        label(value, value == ticks.values.front()
                         ? (m_axis == RankAxis::Events ? u"event %1"_s : u"step %1"_s).arg(count)
                         : count);
    }
}

void HeatMap::paintLegend(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const QFontMetricsF metrics(painter.font());
    const QRect place = plot();
    const double middle = place.top() / 2.0;
    double x = place.left();
    const double right = place.right() + 22;
    painter.setPen(theme.dim);
    painter.drawText(QRectF(0, middle - metrics.height() / 2, place.left() - 12, metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, u"rank"_s);
    const bool isActive = m_coloring == HeatColoring::Active;
    const auto text = [&](const QString &words) {
        painter.setPen(theme.dim);
        painter.drawText(QPointF(x, middle + metrics.capHeight() / 2), words);
        x += metrics.horizontalAdvance(words) + 5;
    };
    const Bytes bytes = wholeOf(isActive ? m_highest : m_farthest);
    text(isActive ? u"0"_s : u"−%1"_s.arg(bytesText(bytes, unit())));
    const HeatScale scale = isActive ? amountScale(theme) : distanceScale(theme);
    constexpr int kWidth = 96;
    for (int at = 0; at < kWidth; ++at)
        painter.fillRect(QRectF(x + at, middle - 4, 1, 9),
                         QColor(heatColor(scale, static_cast<float>(at) / (kWidth - 1))));
    painter.setPen(theme.line);
    painter.drawRect(QRectF(x - 0.5, middle - 4.5, kWidth + 1, 10));
    x += kWidth + 5;
    text(isActive ? u"%1 active, the highest peak"_s.arg(bytesText(bytes, unit()))
                  : u"+%1 from the group's median"_s.arg(bytesText(bytes, unit())));
    x += 10;
    struct Entry
    {
        QString words;
        QColor color;
        bool isHatched;
        bool isThere;
    };
    const auto &run = study()->run;
    const bool hasProblems = std::ranges::any_of(
        run.ranks, [](const RankSummary &rank) { return rank.problemCount > 0; });
    const bool hasOther =
        std::ranges::any_of(study()->findings.outliers, [&run](const RankOutlier &outlier) {
            return run.ranks[outlier.rank].failureCount == 0;
        });
    const std::array<Entry, 5> entries{{
        {u"failed"_s, theme.bad, false, study()->findings.failure.has_value()},
        {u"outlier"_s, theme.accent, false, hasOther},
        {u"damaged"_s, theme.warn, false, hasProblems},
        {u"missing"_s, theme.text, true, !run.missing.empty()},
        {u"unusable"_s, theme.warn, true, !run.unusable.empty()},
    }};
    for (const Entry &entry : entries) {
        if (!entry.isThere || x + 16 + metrics.horizontalAdvance(entry.words) > right)
            continue;
        const QRectF box(x, middle - 4, 8, 9);
        if (entry.isHatched)
            fillAbsent(painter, box, entry.color);
        else
            painter.fillRect(box, entry.color);
        x += 12;
        text(entry.words);
        x += 8;
    }
}

} // namespace vramscope
