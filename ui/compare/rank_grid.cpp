// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/rank_grid.h"

#include "ui/compare/rank_text.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNarrowestTile = 210;
constexpr int kLowestPlot = 72;
constexpr int kUsualPlot = 110;
constexpr int kHighestPlot = 420;
constexpr int kGap = 10;

} // namespace

RankGrid::RankGrid(std::shared_ptr<const RankFolder> folder, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_folder(std::move(folder))
    , m_order(m_folder->ranks.size())
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(u"Ranks"_s);
    setAccessibleDescription(
        u"Arrows choose a rank, Enter opens it, C compares it with the typical one."_s);
    m_scale = scaleOf(*m_folder);
    setOrder(Order::Number);
    if (!m_folder->active.outliers.empty())
        m_current = m_folder->active.outliers.front();
}

void RankGrid::setUnit(ByteUnit unit)
{
    m_unit = unit;
    viewport()->update();
}

void RankGrid::setOrder(Order order)
{
    std::iota(m_order.begin(), m_order.end(), std::size_t(0));
    if (order == Order::Peak)
        std::ranges::stable_sort(m_order, std::ranges::greater(), [this](std::size_t rank) {
            return m_folder->ranks[rank].summary.peakActive;
        });
    viewport()->update();
}

void RankGrid::setCurrent(std::size_t rank)
{
    m_current = rank;
    showCurrent();
    viewport()->update();
    Q_EMIT currentChanged(rank);
}

void RankGrid::showCurrent()
{
    const QRect tile = tileRect(m_current);
    QScrollBar *bar = verticalScrollBar();
    if (tile.top() < kGap)
        bar->setValue(bar->value() + tile.top() - kGap);
    else if (tile.bottom() > viewport()->height() - kGap)
        bar->setValue(bar->value() + tile.bottom() - viewport()->height() + kGap);
}

// Few ranks fill the width; of several rows none is much shorter than the others.
int RankGrid::columns() const
{
    const auto ranks = static_cast<int>(m_order.size());
    const int room = std::clamp((viewport()->width() - kGap) / (kNarrowestTile + kGap), 1, ranks);
    const int rows = (ranks + room - 1) / room;
    return (ranks + rows - 1) / rows;
}

int RankGrid::rows() const
{
    return (static_cast<int>(m_order.size()) + columns() - 1) / columns();
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
    QStringList badges;
    if (m_folder->isOutlier(rank)) {
        const Bytes apart = m_folder->deviation(rank);
        badges << u"outlier %1%2"_s.arg(apart > 0 ? u"+"_s : QString(), bytesText(apart, m_unit));
    }
    if (!m_folder->ranks[rank].summary.outOfMemory.empty())
        badges << u"out of memory"_s;
    if (m_folder->ranks.size() > 2 && rank == m_folder->active.typical)
        badges << u"typical"_s;
    return badges.join(u" · "_s);
}

QString RankGrid::toolTipOf(std::size_t rank) const
{
    const Rank &shown = m_folder->ranks[rank];
    QStringList lines{u"Rank %1, device %2"_s.arg(shown.number).arg(shown.summary.device)};
    lines << pathText(shown.file);
    lines << u"peak active: %1"_s.arg(exactBytesText(shown.summary.peakActive, m_unit));
    if (shown.summary.isReservedKnown)
        lines << u"peak reserved: %1"_s.arg(exactBytesText(shown.summary.peakReserved, m_unit));
    lines << u"against the median: %1 bytes"_s.arg(countText(m_folder->deviation(rank)));
    lines << u"events: %1"_s.arg(countText(shown.summary.events));
    if (const QString badge = badgeOf(rank); !badge.isEmpty())
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

bool RankGrid::viewportEvent(QEvent *event)
{
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const auto rank = rankAt(help->pos());
    QToolTip::showText(help->globalPos(), rank ? toolTipOf(*rank) : QString(), this);
    return true;
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

void RankGrid::mousePressEvent(QMouseEvent *event)
{
    if (const auto rank = rankAt(event->position().toPoint()))
        setCurrent(*rank);
}

void RankGrid::mouseDoubleClickEvent(QMouseEvent *event)
{
    const auto rank = rankAt(event->position().toPoint());
    if (event->button() == Qt::LeftButton && rank)
        Q_EMIT openWanted(*rank);
}

void RankGrid::contextMenuEvent(QContextMenuEvent *event)
{
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    const auto rank = byKey ? std::optional(m_current) : rankAt(event->pos());
    if (!rank)
        return;
    QMenu menu;
    const QAction *open = menu.addAction(u"Open rank %1"_s.arg(m_folder->ranks[*rank].number));
    const QString why = whyNotCompared(*m_folder, *rank);
    QAction *compare =
        menu.addAction(why.isEmpty() ? u"Compare with the typical rank"_s : why.chopped(1));
    compare->setEnabled(why.isEmpty());
    const QAction *chosen =
        menu.exec(byKey ? viewport()->mapToGlobal(tileRect(*rank).center()) : event->globalPos());
    if (chosen && chosen == open)
        Q_EMIT openWanted(*rank);
    else if (chosen && chosen == compare)
        Q_EMIT comparisonWanted(*rank);
}

void RankGrid::keyPressEvent(QKeyEvent *event)
{
    const auto last = static_cast<int>(m_order.size()) - 1;
    const auto place = static_cast<int>(placeOf(m_current));
    const auto go = [&](int wanted) {
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
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return Q_EMIT openWanted(m_current);
    case Qt::Key_C:
        if (event->modifiers() == Qt::NoModifier && m_current != m_folder->active.typical)
            return Q_EMIT comparisonWanted(m_current);
        break;
    default:
        break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

} // namespace vramscope
