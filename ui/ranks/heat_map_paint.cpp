// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/heat_colors.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/ranks_text.h"
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

constexpr double kLeastMark = 4;    // pixels: however many ranks there are, one is seen
constexpr double kLeastHatched = 8; // … and that it is hatched

/// What is absent is hatched, so that it is told from low memory.
void fillHatched(QPainter &painter, const QRectF &place, const QColor &color)
{
    painter.save();
    painter.setClipRect(place);
    painter.fillRect(place, QColor(color.red(), color.green(), color.blue(), 40));
    painter.setPen(QPen(color, 1));
    constexpr double kApart = 4;
    const double start = place.left() - place.height();
    const int lines = static_cast<int>((place.right() - start) / kApart) + 1;
    for (int at = 0; at < lines; ++at) {
        const double x = start + at * kApart;
        painter.drawLine(QPointF(x, place.bottom()), QPointF(x + place.height(), place.top()));
    }
    painter.restore();
}

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
            const QRgb hatch = (pixel.unusable > 0 ? theme.warn : theme.track()).rgb();
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
        painter.drawText(
            text, Qt::AlignVCenter | Qt::AlignLeft,
            QFontMetricsF(painter.font())
                .elidedText(groupText(*m_study, row.index, m_unit), Qt::ElideRight, text.width()));
        painter.setPen(theme.line);
        painter.drawLine(whole.topLeft(), whole.topRight());
    }
}

// From the lowest to the highest rank of the group, column by column.
void HeatMap::paintBand(QPainter &painter, std::size_t group, const QRectF &place) const
{
    const ColumnRange range = columnRange(m_matrix, m_study->findings.groups[group].ranks);
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
        if (row.kind != HeatRow::Kind::Rank || m_study->rank(row.index).failures.empty())
            continue;
        const auto x = failureX(m_study->rank(row.index));
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

// Two lanes beside the plot: what happened to ranks that are there, and what is not.
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
            fillHatched(painter, markAt(at, 1, kLeastHatched), theme.text);
        } else if (row.kind == HeatRow::Kind::Unusable) {
            fillHatched(painter, markAt(at, 1, kLeastHatched), theme.warn);
        } else if (row.kind == HeatRow::Kind::Rank) {
            if (m_study->rank(row.index).problemCount > 0)
                painter.fillRect(markAt(at, 1), theme.warn);
            if (m_study->rank(row.index).failureCount > 0)
                strong.emplace_back(markAt(at, 0), theme.bad);
        }
    }
    for (const RankOutlier &outlier : m_study->findings.outliers) {
        const auto row = m_layout.rowOf(outlier.rank);
        if (row && *row >= first && *row < end && m_study->rank(outlier.rank).failureCount == 0)
            painter.fillRect(markAt(*row, 0), theme.accent);
    }
    for (const auto &[mark, color] : strong)
        painter.fillRect(mark, color);
}

void HeatMap::paintCurrent(QPainter &painter) const
{
    const auto row = m_layout.rowOf(m_current);
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
                         QString::number(m_study->number(m_layout.rows()[row].index)));
        return middle;
    };
    const auto current = m_layout.rowOf(m_current);
    double taken = -1e9;
    if (current && *current >= first && *current < end)
        taken = paint(*current, theme.text);
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
    text(isActive ? u"0"_s : u"−%1"_s.arg(bytesText(bytes, m_unit)));
    const HeatScale scale = isActive ? amountScale(theme) : distanceScale(theme);
    constexpr int kWidth = 96;
    for (int at = 0; at < kWidth; ++at)
        painter.fillRect(QRectF(x + at, middle - 4, 1, 9),
                         QColor(heatColor(scale, static_cast<float>(at) / (kWidth - 1))));
    painter.setPen(theme.line);
    painter.drawRect(QRectF(x - 0.5, middle - 4.5, kWidth + 1, 10));
    x += kWidth + 5;
    text(isActive ? u"%1 active, the highest peak"_s.arg(bytesText(bytes, m_unit))
                  : u"+%1 from the group's median"_s.arg(bytesText(bytes, m_unit)));
    x += 10;
    struct Entry
    {
        QString words;
        QColor color;
        bool isHatched;
        bool isThere;
    };
    const auto &run = m_study->run;
    const bool hasProblems = std::ranges::any_of(
        run.ranks, [](const RankSummary &rank) { return rank.problemCount > 0; });
    const bool hasOther =
        std::ranges::any_of(m_study->findings.outliers, [&run](const RankOutlier &outlier) {
            return run.ranks[outlier.rank].failureCount == 0;
        });
    const std::array<Entry, 5> entries{{
        {u"failed"_s, theme.bad, false, hasFailed(*m_study)},
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
            fillHatched(painter, box, entry.color);
        else
            painter.fillRect(box, entry.color);
        x += 12;
        text(entry.words);
        x += 8;
    }
}

} // namespace vramscope
