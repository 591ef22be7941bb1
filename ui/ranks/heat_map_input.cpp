// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/heat_map.h"
#include "ui/timeline/coordinates.h"

#include <QMouseEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

constexpr double kFewestColumns = 8;

} // namespace

void HeatMap::zoomRanks(double factor, double anchor)
{
    const double before = m_layout.height();
    const double place = (anchor + scrolled()) / std::max(1.0, before);
    setZoom(m_zoom * factor);
    verticalScrollBar()->setValue(static_cast<int>(place * m_layout.height() - anchor));
}

void HeatMap::zoomColumns(double factor, double anchor)
{
    const auto all = static_cast<double>(m_matrix.columns());
    const double share = anchor / std::max(1, plot().width());
    const double fixed = m_firstColumn + share * m_columns;
    m_columns = std::clamp(m_columns / factor, std::min(all, kFewestColumns), std::max(1.0, all));
    m_firstColumn = std::clamp(fixed - share * m_columns, 0.0, std::max(0.0, all - m_columns));
    updateScrollBars();
    m_picture = {};
    viewport()->update();
}

void HeatMap::wheelEvent(QWheelEvent *event)
{
    const double notches = event->angleDelta().y() / kNotch;
    if ((event->modifiers() & Qt::ControlModifier) == 0 || notches == 0)
        return QAbstractScrollArea::wheelEvent(event);
    const double factor = std::pow(1 / kZoomStep, notches);
    const QPointF at = event->position() - plot().topLeft();
    if ((event->modifiers() & Qt::ShiftModifier) != 0)
        zoomColumns(factor, at.x());
    else
        zoomRanks(factor, at.y());
    event->accept();
}

void HeatMap::mousePressEvent(QMouseEvent *event)
{
    const QPoint point = event->position().toPoint();
    if (const auto group = groupTitleAt(point); group && event->button() == Qt::LeftButton &&
                                                point.y() >= plot().top() &&
                                                point.y() <= plot().bottom())
        return foldGroup(*group, m_folded[*group] == 0);
    RankPicture::mousePressEvent(event);
}

// By a number of ranks, across rows of other kinds.
void HeatMap::step(int by)
{
    const std::vector<HeatRow> &rows = m_layout.rows();
    const auto count = static_cast<std::ptrdiff_t>(rows.size());
    const auto row = m_layout.rowOf(current());
    const std::ptrdiff_t way = by < 0 ? -1 : 1;
    auto at = row ? static_cast<std::ptrdiff_t>(*row) : (by < 0 ? count : -1);
    int left = std::abs(by);
    std::optional<std::size_t> reached;
    for (at += way; at >= 0 && at < count && left > 0; at += way) {
        const HeatRow &each = rows[static_cast<std::size_t>(at)];
        if (each.kind != HeatRow::Kind::Rank)
            continue;
        reached = each.index;
        --left;
    }
    if (reached)
        setCurrent(*reached);
}

void HeatMap::keyPressEvent(QKeyEvent *event)
{
    const auto all = static_cast<int>(m_layout.rows().size());
    const int page = std::max(1, all / 20);
    const double middle = plot().height() / 2.0;
    const std::size_t group = study()->findings.groupOf[current()];
    switch (event->key()) {
    case Qt::Key_Up:
        return step(-1);
    case Qt::Key_Down:
        return step(1);
    case Qt::Key_PageUp:
        return step(-page);
    case Qt::Key_PageDown:
        return step(page);
    case Qt::Key_Home:
        return step(-all);
    case Qt::Key_End:
        return step(all);
    case Qt::Key_Left:
        return m_order == RankOrder::Group ? foldGroup(group, true) : void();
    case Qt::Key_Right:
        return m_order == RankOrder::Group ? foldGroup(group, false) : void();
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        return zoomRanks(1 / kZoomStep, middle);
    case Qt::Key_Minus:
        return zoomRanks(kZoomStep, middle);
    default:
        return RankPicture::keyPressEvent(event);
    }
}

} // namespace vramscope
