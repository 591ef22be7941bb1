// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/heat_map.h"

#include "core/describe/rank_answer.h"
#include "ui/ranks/ranks_text.h"
#include "ui/support/text.h"
#include "ui/timeline/axis_text.h"

#include <QEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::size_t kHeatColumns = 480; // twice as many as a rank's curve has
constexpr int kLegendHeight = 24;
constexpr int kAxisHeight = 22;
constexpr int kMarksWidth = 20;
constexpr double kMostZoom = 4000;

} // namespace

QString rankAxisText(RankAxis axis)
{
    switch (axis) {
    case RankAxis::Time:
        return u"over time"_s;
    case RankAxis::Events:
        return u"over events"_s;
    case RankAxis::Steps:
        return u"over steps"_s;
    }
    return {};
}

HeatMap::HeatMap(RunStudyPointer ranks, QWidget *parent)
    : RankPicture(std::move(ranks), u"Heat map of the ranks"_s,
                  u"Arrows choose a rank, Enter opens it, C compares it with the typical "
                  "one of its group, + and - zoom."_s,
                  parent)
{
    viewport()->setMouseTracking(true);
    m_axis = axesOf(study()->run).front();
    m_folded.assign(study()->findings.groups.size(), 0);
    readColumns();
    arrange();
}

void HeatMap::takeCurves(RunStudyPointer read)
{
    setStudy(std::move(read));
    const std::vector<RankAxis> axes = axesOf(study()->run);
    if (std::ranges::find(axes, m_axis) == axes.end())
        return setAxis(axes.front());
    const std::size_t columns = m_matrix.columns();
    const double first = m_firstColumn;
    const double seen = m_columns;
    readColumns();
    if (m_matrix.columns() == columns) {
        m_firstColumn = first;
        m_columns = seen;
    }
    updateScrollBars();
    m_picture = {};
    viewport()->update();
}

void HeatMap::readColumns()
{
    m_matrix = RankMatrix(study()->run, m_axis, kHeatColumns);
    m_medians.clear();
    m_highest = 1;
    for (std::size_t rank = 0; rank < m_matrix.rows(); ++rank) {
        for (const float bytes : m_matrix.row(rank))
            m_highest = std::max(m_highest, bytes);
    }
    readMedians();
    m_firstColumn = 0;
    m_columns = std::max<double>(1, static_cast<double>(m_matrix.columns()));
}

// Only distances are measured from them.
void HeatMap::readMedians()
{
    if (m_coloring != HeatColoring::Distance || !m_medians.empty())
        return;
    m_farthest = 1;
    for (const AlikeRanks &group : study()->findings.groups)
        m_medians.push_back(columnMedians(m_matrix, group.ranks));
    for (std::size_t rank = 0; rank < m_matrix.rows(); ++rank) {
        const std::span<const float> row = m_matrix.row(rank);
        const std::vector<float> &median = m_medians[study()->findings.groupOf[rank]];
        for (std::size_t at = 0; at < row.size(); ++at) {
            if (row[at] >= 0)
                m_farthest = std::max(m_farthest, std::fabs(row[at] - median[at]));
        }
    }
}

void HeatMap::arrange()
{
    m_layout = HeatLayout(heatRows(*study(), m_order, m_folded, m_kept), m_folded, plot().height(),
                          m_zoom);
    updateScrollBars();
    m_picture = {};
    viewport()->update();
}

void HeatMap::setAxis(RankAxis axis)
{
    m_axis = axis;
    readColumns();
    arrange();
}

void HeatMap::setColoring(HeatColoring coloring)
{
    m_coloring = coloring;
    readMedians();
    m_picture = {};
    viewport()->update();
}

void HeatMap::setOrder(RankOrder order)
{
    m_order = order;
    arrange();
    showCurrent();
}

void HeatMap::setKept(std::vector<std::uint8_t> kept)
{
    m_kept = std::move(kept);
    arrange();
}

void HeatMap::setFolded(bool folded)
{
    m_folded.assign(m_folded.size(), folded ? 1 : 0);
    arrange();
}

void HeatMap::foldGroup(std::size_t group, bool folded)
{
    m_folded[group] = folded ? 1 : 0;
    arrange();
}

void HeatMap::setZoom(double zoom)
{
    m_zoom = std::clamp(zoom, 1.0, kMostZoom);
    arrange();
}

QRect HeatMap::plot() const
{
    const int labels = fontMetrics().horizontalAdvance(u"000,000"_s) + 12;
    return viewport()->rect().adjusted(labels, kLegendHeight, -kMarksWidth - 4, -kAxisHeight);
}

double HeatMap::scrolled() const
{
    return verticalScrollBar()->value();
}

void HeatMap::updateScrollBars()
{
    const QRect place = plot();
    verticalScrollBar()->setRange(
        0, std::max(0, static_cast<int>(std::lround(m_layout.height())) - place.height()));
    verticalScrollBar()->setPageStep(std::max(1, place.height()));
    verticalScrollBar()->setSingleStep(24);
    constexpr int kScale = 100; // of a column
    const double all = static_cast<double>(m_matrix.columns());
    const QSignalBlocker quiet(horizontalScrollBar());
    horizontalScrollBar()->setRange(0, static_cast<int>(std::max(0.0, all - m_columns) * kScale));
    horizontalScrollBar()->setPageStep(static_cast<int>(m_columns * kScale));
    horizontalScrollBar()->setSingleStep(static_cast<int>(m_columns * kScale / 20) + 1);
    horizontalScrollBar()->setValue(static_cast<int>(m_firstColumn * kScale));
}

void HeatMap::scrollContentsBy(int dx, int)
{
    constexpr double kScale = 100;
    if (dx != 0)
        m_firstColumn = horizontalScrollBar()->value() / kScale;
    m_picture = {};
    viewport()->update();
}

void HeatMap::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    arrange();
    showCurrent();
}

void HeatMap::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange)
        arrange();
}

void HeatMap::showCurrent()
{
    const auto row = m_layout.rowOf(current());
    if (!row)
        return;
    const double top = m_layout.top(*row) - scrolled();
    const double bottom = m_layout.bottom(*row) - scrolled();
    if (top < 0)
        verticalScrollBar()->setValue(static_cast<int>(std::floor(m_layout.top(*row))));
    else if (bottom > plot().height())
        verticalScrollBar()->setValue(
            static_cast<int>(std::ceil(m_layout.bottom(*row) - plot().height())));
}

std::pair<std::size_t, std::size_t> HeatMap::columnsAt(double x) const
{
    const double perPixel = m_columns / std::max(1, plot().width());
    const auto last = static_cast<double>(m_matrix.columns()) - 1;
    const double from = std::clamp(std::floor(m_firstColumn + x * perPixel), 0.0, last);
    const double to = std::clamp(std::ceil(m_firstColumn + (x + 1) * perPixel) - 1, from, last);
    return {static_cast<std::size_t>(from), static_cast<std::size_t>(to)};
}

std::vector<float> HeatMap::valuesOf(std::span<const std::size_t> ranks) const
{
    return m_coloring == HeatColoring::Active
               ? highestOf(m_matrix, ranks)
               : farthestOf(m_matrix, m_medians, study()->findings.groupOf, ranks);
}

float HeatMap::shareOf(float value) const
{
    return m_coloring == HeatColoring::Active ? value / m_highest
                                              : 0.5F + value / m_farthest * 0.5F;
}

std::optional<std::size_t> HeatMap::rankAt(QPoint point) const
{
    const QRect place = plot();
    if (!place.contains(point) || m_matrix.columns() == 0)
        return {};
    const double y = point.y() - place.top() + scrolled();
    const HeatPixel pixel = heatPixel(m_layout, y, y + 1);
    if (pixel.ranks.empty() || groupTitleAt(point))
        return {};
    const auto [from, to] = columnsAt(point.x() - place.left());
    const auto strength = [&, first = from, last = to](std::size_t rank) {
        float most = -1;
        const std::vector<float> values = valuesOf(std::span(&rank, 1));
        for (std::size_t at = first; at <= last; ++at)
            most = std::max(most, std::isnan(values[at]) ? -1 : std::fabs(values[at]));
        return most;
    };
    return *std::ranges::max_element(pixel.ranks, {}, strength);
}

std::optional<std::size_t> HeatMap::groupTitleAt(QPoint point) const
{
    const double y = point.y() - plot().top() + scrolled();
    const auto [first, end] = m_layout.rowsBetween(y, y + 1);
    if (first < end && m_layout.rows()[first].kind == HeatRow::Kind::Group)
        return m_layout.rows()[first].index;
    return {};
}

double HeatMap::columnPlace(double column) const
{
    return m_matrix.begin() + column /
                                  std::max<double>(1, static_cast<double>(m_matrix.columns())) *
                                  (m_matrix.end() - m_matrix.begin());
}

QString HeatMap::placeText(double place) const
{
    if (m_axis == RankAxis::Time)
        return u"at %1"_s.arg(TimeAxis({0, m_matrix.end()}, 100).text(place));
    return (m_axis == RankAxis::Events ? u"at event %1"_s : u"in step %1"_s)
        .arg(countText(wholeOf(place)));
}

QString HeatMap::toolTipAt(QPoint point) const
{
    const QRect place = plot();
    if (!viewport()->rect().contains(point) || point.y() < place.top() ||
        point.y() > place.bottom())
        return {};
    if (const auto group = groupTitleAt(point))
        return toQString(groupTitle(*study(), *group, unit())) +
               u"\nclick to fold or unfold its ranks; a "
               u"folded one shows the lowest and the highest "
               "of them"_s;
    const double y = point.y() - place.top() + scrolled();
    const HeatPixel pixel = heatPixel(m_layout, y, y + 1);
    QStringList lines;
    if (const auto rank = rankAt(point)) {
        const RankSummary &of = study()->rank(*rank);
        lines << foreignText(rankHeading(*study(), *rank));
        const auto [from, to] = columnsAt(point.x() - place.left());
        std::optional<Bytes> highest;
        for (std::size_t column = from; column <= to; ++column) {
            if (const auto bytes = m_matrix.highestIn(of, column))
                highest = std::max(highest.value_or(*bytes), *bytes);
        }
        const QString when = placeText(columnPlace(static_cast<double>(from)));
        lines << (highest ? u"%1: up to %2 in use"_s.arg(when, exactBytesText(*highest, unit()))
                          : u"%1: nothing recorded"_s.arg(when));
        lines << u"peak active: %1"_s.arg(exactBytesText(of.figures.peakActive, unit()));
        if (of.figures.isReservedKnown)
            lines << u"peak reserved: %1"_s.arg(exactBytesText(of.figures.peakReserved, unit()));
        lines << u"against the median of group %1: %2"_s.arg(study()->findings.groupOf[*rank] + 1)
                     .arg(signedExactBytesText(study()->deviation(*rank), unit()));
        if (const QString remark = remarkText(*study(), *rank, unit()); !remark.isEmpty())
            lines << remark;
        if (pixel.ranks.size() > 1)
            lines << u"the %1 of %2 ranks that share this line; zoom in to tell them apart"_s
                         .arg(m_coloring == HeatColoring::Active ? u"highest"_s : u"farthest"_s)
                         .arg(pixel.ranks.size());
    }
    const auto [first, end] = m_layout.rowsBetween(y, y + 1);
    for (std::size_t at = first; at < end; ++at) {
        const HeatRow &row = m_layout.rows()[at];
        if (row.kind == HeatRow::Kind::Missing) {
            const RankRange &range = study()->run.missing[row.index];
            lines << (range.first == range.last
                          ? u"rank %1 left no snapshot"_s.arg(range.first)
                          : u"ranks %1 to %2 left no snapshot"_s.arg(range.first).arg(range.last));
        } else if (row.kind == HeatRow::Kind::Unusable) {
            const RankSummary &of = study()->run.unusable[row.index];
            lines << u"%1 cannot be used: %2"_s.arg(foreignText(of.source.path),
                                                    foreignText(of.error));
        }
    }
    return lines.join(u'\n');
}

} // namespace vramscope
