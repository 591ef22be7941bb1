// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_grid.h"

#include "ui/ranks/rank_menu.h"
#include "ui/ranks/ranks_text.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QAccessible>
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kNarrowestTile = 145;
constexpr int kLowestPlot = 44;
constexpr int kUsualPlot = 90;
constexpr int kHighestPlot = 420;
constexpr int kGap = 10;

} // namespace

RankGrid::RankGrid(RunStudyPointer study, QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_study(std::move(study))
    , m_order(m_study->count())
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setAccessibleName(u"Ranks"_s);
    setAccessibleDescription(
        u"Arrows choose a rank, Enter opens it, C compares it with the typical one."_s);
    m_scale = scaleOf(*m_study);
    setOrder(RankOrder::Number);
    m_current = m_study->mostTelling();
}

void RankGrid::setUnit(ByteUnit unit)
{
    m_unit = unit;
    viewport()->update();
}

void RankGrid::setOrder(RankOrder order)
{
    m_by = order;
    m_order = ranksInOrder(*m_study, order);
    std::erase_if(m_order, [this](std::size_t rank) { return !m_kept.empty() && !m_kept[rank]; });
    updateScrollBar();
    viewport()->update();
}

void RankGrid::setKept(std::vector<std::uint8_t> kept)
{
    m_kept = std::move(kept);
    setOrder(m_by);
}

void RankGrid::setCurrent(std::size_t rank)
{
    if (rank == m_current)
        return;
    m_current = rank;
    showCurrent();
    viewport()->update();
    Q_EMIT currentChanged(rank);
}

void RankGrid::showCurrent()
{
    const QRect tile = tileRect(m_current);
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
    QStringList badges{remarkText(*m_study, rank, m_unit)};
    badges.removeAll(QString());
    if (m_study->count() > 2 && rank == m_study->typicalOf(rank))
        badges << u"typical"_s;
    return badges.join(u" · "_s);
}

QString RankGrid::toolTipOf(std::size_t rank) const
{
    const RankSummary &shown = m_study->rank(rank);
    QStringList lines{rankTitleText(*m_study, rank)};
    lines << pathText(shown.source.path);
    lines << u"peak active: %1"_s.arg(exactBytesText(shown.figures.peakActive, m_unit));
    if (shown.figures.isReservedKnown)
        lines << u"peak reserved: %1"_s.arg(exactBytesText(shown.figures.peakReserved, m_unit));
    lines << u"against the median of its group: %1"_s.arg(
        countedText(m_study->deviation(rank), "byte"));
    lines << u"events: %1"_s.arg(countText(shown.figures.events));
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
    const RankWish wish =
        askByMenu(*m_study, *rank,
                  byKey ? viewport()->mapToGlobal(tileRect(*rank).center()) : event->globalPos());
    if (wish == RankWish::Open)
        Q_EMIT openWanted(*rank);
    else if (wish == RankWish::Compare)
        Q_EMIT comparisonWanted(*rank);
}

void RankGrid::keyPressEvent(QKeyEvent *event)
{
    const auto last = static_cast<int>(m_order.size()) - 1;
    const auto place = std::min(last, static_cast<int>(placeOf(m_current)));
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
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return Q_EMIT openWanted(m_current);
    case Qt::Key_C:
        if (event->modifiers() == Qt::NoModifier && m_current != m_study->typicalOf(m_current))
            return Q_EMIT comparisonWanted(m_current);
        break;
    default:
        break;
    }
    QAbstractScrollArea::keyPressEvent(event);
}

} // namespace vramscope
