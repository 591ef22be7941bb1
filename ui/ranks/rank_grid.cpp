// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_grid.h"

#include "core/describe/rank_answer.h"
#include "ui/ranks/ranks_text.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNarrowestTile = 145;
constexpr int kLowestPlot = 44;
constexpr int kUsualPlot = 90;
constexpr int kHighestPlot = 420;
constexpr int kGap = 10;

} // namespace

RankGrid::RankGrid(RunStudyPointer ranks, QWidget *parent)
    : RankPicture(std::move(ranks), u"Ranks"_s,
                  u"Arrows choose a rank, Enter opens it, C compares it with the typical one."_s,
                  parent)
{
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    m_scale = scaleOf(*study());
    RankGrid::setOrder(RankOrder::Number);
}

void RankGrid::setOrder(RankOrder order)
{
    m_by = order;
    m_order = ranksInOrder(*study(), order);
    std::erase_if(m_order, [this](std::size_t rank) { return !m_kept.empty() && !m_kept[rank]; });
    updateScrollBar();
    viewport()->update();
}

void RankGrid::setKept(std::vector<std::uint8_t> kept)
{
    m_kept = std::move(kept);
    setOrder(m_by);
}

void RankGrid::showCurrent()
{
    const QRect tile = tileRect(current());
    if (tile.isNull())
        return;
    QScrollBar *bar = verticalScrollBar();
    if (tile.top() < kGap)
        bar->setValue(bar->value() + tile.top() - kGap);
    else if (tile.bottom() > viewport()->height() - kGap)
        bar->setValue(bar->value() + tile.bottom() - viewport()->height() + kGap);
}

// Few ranks fill the width; of several rows none is much shorter than the others.
int RankGrid::columns() const
{
    const auto ranks = std::max(1, static_cast<int>(m_order.size()));
    const int room = std::clamp((viewport()->width() - kGap) / (kNarrowestTile + kGap), 1, ranks);
    const int rows = (ranks + room - 1) / room;
    return (ranks + rows - 1) / rows;
}

int RankGrid::rows() const
{
    return std::max(1, (static_cast<int>(m_order.size()) + columns() - 1) / columns());
}

// Few ranks fill the height too.
QSize RankGrid::tileSize() const
{
    const int width = (viewport()->width() - kGap) / columns() - kGap;
    const int texts = 2 * fontMetrics().height() + 3 * kPadding;
    const int plot = (viewport()->height() - kGap) / rows() - kGap - texts;
    return {width, texts + std::clamp(plot, kLowestPlot, kHighestPlot)};
}

std::size_t RankGrid::placeOf(std::size_t rank) const
{
    return static_cast<std::size_t>(std::ranges::find(m_order, rank) - m_order.begin());
}

QRect RankGrid::tileRect(std::size_t rank) const
{
    if (placeOf(rank) == m_order.size())
        return {}; // filtered out
    const auto place = static_cast<int>(placeOf(rank));
    const QSize size = tileSize();
    return {
        QPoint(kGap + place % columns() * (size.width() + kGap),
               kGap + place / columns() * (size.height() + kGap) - verticalScrollBar()->value()),
        size};
}

std::optional<std::size_t> RankGrid::rankAt(QPoint point) const
{
    const QSize size = tileSize();
    const int column = (point.x() - kGap) / (size.width() + kGap);
    const int row = (point.y() + verticalScrollBar()->value() - kGap) / (size.height() + kGap);
    if (point.x() < kGap || column >= columns() || row < 0)
        return std::nullopt;
    const auto place = static_cast<std::size_t>(row) * static_cast<std::size_t>(columns()) +
                       static_cast<std::size_t>(column);
    if (place >= m_order.size() || !tileRect(m_order[place]).contains(point))
        return std::nullopt;
    return m_order[place];
}

QString RankGrid::badgeOf(std::size_t rank) const
{
    QStringList badges{remarkText(*study(), rank, unit())};
    badges.removeAll(QString());
    if (study()->count() > 2 && rank == study()->typicalOf(rank))
        badges << u"typical"_s;
    return badges.join(u" · "_s);
}

QString RankGrid::toolTipAt(QPoint point) const
{
    const auto rank = rankAt(point);
    if (!rank)
        return {};
    const RankSummary &shown = study()->rank(*rank);
    QStringList lines{foreignText(rankHeading(*study(), *rank))};
    lines << pathText(shown.source.path);
    lines << u"peak active: %1"_s.arg(exactBytesText(shown.figures.peakActive, unit()));
    if (shown.figures.isReservedKnown)
        lines << u"peak reserved: %1"_s.arg(exactBytesText(shown.figures.peakReserved, unit()));
    lines << u"against the median of its group: %1"_s.arg(
        countedText(study()->deviation(*rank), "byte"));
    lines << u"events: %1"_s.arg(countText(shown.figures.events));
    if (const QString badge = badgeOf(*rank); !badge.isEmpty())
        lines << badge;
    return lines.join(u'\n');
}

QSize RankGrid::sizeHint() const
{
    const int texts = 2 * fontMetrics().height() + 3 * kPadding;
    return {kNarrowestTile, kGap + rows() * (texts + kUsualPlot + kGap)};
}

QSize RankGrid::minimumSizeHint() const
{
    const int texts = 2 * fontMetrics().height() + 3 * kPadding;
    return {kNarrowestTile + 2 * kGap, texts + kLowestPlot + 2 * kGap};
}

void RankGrid::updateScrollBar()
{
    const int height = kGap + rows() * (tileSize().height() + kGap);
    verticalScrollBar()->setRange(0, std::max(0, height - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(tileSize().height() / 2);
}

void RankGrid::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    if (event->type() == QEvent::FontChange)
        updateScrollBar();
}

void RankGrid::resizeEvent(QResizeEvent *event)
{
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
    showCurrent();
}

void RankGrid::scrollContentsBy(int, int)
{
    viewport()->update();
}

void RankGrid::keyPressEvent(QKeyEvent *event)
{
    const auto last = static_cast<int>(m_order.size()) - 1;
    const auto place = std::min(last, static_cast<int>(placeOf(current())));
    const auto go = [&](int wanted) {
        if (last >= 0)
            setCurrent(m_order[static_cast<std::size_t>(std::clamp(wanted, 0, last))]);
    };
    switch (event->key()) {
    case Qt::Key_Left:
        return go(place - 1);
    case Qt::Key_Right:
        return go(place + 1);
    case Qt::Key_Up:
        return place >= columns() ? go(place - columns()) : void();
    case Qt::Key_Down:
        return place + columns() <= last ? go(place + columns()) : void();
    case Qt::Key_Home:
        return go(0);
    case Qt::Key_End:
        return go(last);
    default:
        return RankPicture::keyPressEvent(event);
    }
}

void RankGrid::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), themeOf(this).window);
    for (const std::size_t rank : m_order) {
        const QRect tile = tileRect(rank);
        if (tile.intersects(viewport()->rect()))
            paintTile(painter, rank, tile);
    }
}

void RankGrid::paintTile(QPainter &painter, std::size_t rank, const QRect &tile) const
{
    const Theme &theme = themeOf(this);
    const RankSummary &shown = study()->rank(rank);
    const bool outlier = study()->isOutlier(rank);
    const bool isCurrent = rank == current();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(isCurrent ? theme.accent : theme.line, !isCurrent   ? 1
                                                               : hasFocus() ? 3
                                                                            : 2));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(QRectF(tile).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setRenderHint(QPainter::Antialiasing, false);

    const QRect inside = tile.adjusted(kPadding, kPadding, -kPadding, -kPadding);
    const int line = fontMetrics().height();
    QFont strong = font();
    strong.setBold(true);
    painter.setFont(strong);
    painter.setPen(theme.text);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignTop, u"rank %1"_s.arg(study()->number(rank)));
    painter.setFont(font());
    painter.drawText(inside, Qt::AlignRight | Qt::AlignTop,
                     bytesText(shown.figures.peakActive, unit()));
    const QRect plot(inside.left(), inside.top() + line + kPadding, inside.width(),
                     tile.height() - 2 * line - 3 * kPadding);
    paintPlot(painter, rank, plot);
    const QRect foot(inside.left(), plot.bottom() + 1, inside.width(), line + kPadding / 2);
    const QString badge = badgeOf(rank);
    const bool stressed = outlier || shown.failureCount > 0;
    painter.setPen(stressed ? theme.bad : theme.dim);
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignBottom,
                     badge.isEmpty()
                         ? fontMetrics().elidedText(pathText(shown.source.path).section(u'/', -1),
                                                    Qt::ElideMiddle, foot.width())
                         : fontMetrics().elidedText(badge, Qt::ElideRight, foot.width()));
}

// Every tile has the same scale: as high as the highest rank, as long as the longest.
void RankGrid::paintPlot(QPainter &painter, std::size_t rank, const QRect &plot) const
{
    const Theme &theme = themeOf(this);
    const RankSummary &shown = study()->rank(rank);
    paintRankCurve(painter, shown.active, plot, m_scale,
                   study()->isOutlier(rank) ? QColor(theme.bad) : QColor(seriesColors()[0]),
                   theme.dark);
    const double median =
        std::floor(plot.bottom() - static_cast<double>(study()->groupOf(rank).active.median) /
                                       static_cast<double>(m_scale.highest) * (plot.height() - 1)) +
        0.5;
    QPen dashed(theme.dim, 1);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    painter.drawLine(QPointF(plot.left(), median), QPointF(plot.right(), median));
    painter.setPen(theme.line);
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (!shown.failures.empty()) {
        const double at = rankX(shown.failures.front().event, plot, m_scale);
        painter.fillRect(
            QRectF(std::min(std::floor(at), plot.right() - 1.0), plot.top(), 2, plot.height()),
            theme.bad);
    }
}

} // namespace vramscope
