// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/flame_view.h"

#include <QAccessible>
#include <QEvent>
#include <QScrollBar>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kRowsAboveFocus = 2; // that stay in sight when a deep box is zoomed to

} // namespace

FlameView::FlameView(QWidget *parent)
    : QAbstractScrollArea(parent)
    , m_metrics(fontMetrics())
{
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    viewport()->setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(u"Flame graph"_s);
}

void FlameView::setTree(std::shared_ptr<const StackTree> tree, const CostStyle &style)
{
    const bool same = tree && m_tree && tree->hasNodesOf(*m_tree);
    if (!m_tree || !tree || tree->trace != m_tree->trace)
        m_labels.clear();
    if (!same) {
        const auto moved = [&](NodeIndex node) {
            return tree && m_tree ? tree->sameAs(*m_tree, node) : CallTree::kRoot;
        };
        m_visited.replace(moved);
        if (m_selected != kNone)
            m_selected = moved(m_selected);
        m_hovered = kNone;
    }
    m_tree = std::move(tree);
    m_style = style;
    discard();
    if (!same)
        Q_EMIT focusChanged();
}

void FlameView::setMatching(std::vector<bool> matching)
{
    m_matching = std::move(matching);
    updateBoxes();
}

// Below the boxes that there were and those that there will be nothing changes.
void FlameView::discard()
{
    updateBoxes();
    m_geometry.reset();
    m_metrics = fontMetrics();
    updateBoxes();
    updateScrollBar();
    describe();
}

void FlameView::updateBoxes()
{
    const int rows =
        std::max(geometry().rowCount(), 2); // memory without a stack is in the second row
    const int bottom = rows * rowHeight() - verticalScrollBar()->value();
    viewport()->update(0, 0, viewport()->width(), bottom);
}

void FlameView::updateBox(NodeIndex node)
{
    if (node != kNone)
        viewport()->update(boxRect(node).toAlignedRect());
}

const FlameGeometry &FlameView::geometry() const
{
    if (!m_geometry) {
        m_geometry.emplace();
        if (m_tree)
            *m_geometry = FlameGeometry(m_tree->tree, m_style.cost, focus(), viewport()->width());
    }
    return *m_geometry;
}

int FlameView::rowHeight() const
{
    return m_metrics.height() + 6;
}

QRectF FlameView::rectOf(const FlameBox &box) const
{
    const int top = box.row * rowHeight() - verticalScrollBar()->value();
    return {box.x, double(top), box.width, double(rowHeight())};
}

QRectF FlameView::boxRect(NodeIndex node) const
{
    const FlameBox *box = geometry().boxOf(node);
    return box ? rectOf(*box) : QRectF();
}

FlameView::NodeIndex FlameView::nodeAt(QPointF position) const
{
    const double y = position.y() + verticalScrollBar()->value();
    const FlameBox *box =
        geometry().boxAt(static_cast<int>(std::floor(y / rowHeight())), position.x());
    return box ? box->node : kNone;
}

void FlameView::updateScrollBar()
{
    const int page = viewport()->height();
    verticalScrollBar()->setPageStep(page);
    verticalScrollBar()->setSingleStep(rowHeight());
    verticalScrollBar()->setRange(0, std::max(geometry().rowCount() * rowHeight() - page, 0));
}

void FlameView::zoomTo(NodeIndex node)
{
    if (m_tree && m_visited.jump(node))
        showFocus();
}

void FlameView::zoomOut()
{
    if (!m_tree)
        return;
    const CallTree &tree = m_tree->tree;
    const Wide amount = tree.total(focus()).amount(m_style.cost);
    NodeIndex at = focus();
    while (at != CallTree::kRoot && tree.total(at).amount(m_style.cost) <= amount)
        at = tree.node(at).parent;
    zoomTo(at);
}

void FlameView::back()
{
    if (m_visited.back())
        showFocus();
}

void FlameView::forward()
{
    if (m_visited.forward())
        showFocus();
}

// The focused row goes near the top: deep boxes have many callers, all as wide as the view.
void FlameView::showFocus()
{
    m_hovered = kNone;
    m_selected = focus();
    discard();
    verticalScrollBar()->setValue(std::max(geometry().focusRow() - kRowsAboveFocus, 0) *
                                  rowHeight());
    Q_EMIT focusChanged();
}

void FlameView::select(NodeIndex node)
{
    updateBox(std::exchange(m_selected, node));
    reveal(node);
    updateBox(node);
    describe();
}

void FlameView::reveal(NodeIndex node)
{
    const QRectF box = boxRect(node);
    QScrollBar *bar = verticalScrollBar();
    if (box.isNull())
        return;
    if (box.top() < 0)
        bar->setValue(bar->value() + static_cast<int>(box.top()));
    else if (box.bottom() > viewport()->height())
        bar->setValue(bar->value() + static_cast<int>(box.bottom()) - viewport()->height());
}

void FlameView::hover(NodeIndex node)
{
    if (node == m_hovered)
        return;
    updateBox(std::exchange(m_hovered, node));
    updateBox(node);
    viewport()->setCursor(node == kNone ? Qt::ArrowCursor : Qt::PointingHandCursor);
    describe();
}

void FlameView::describe()
{
    const NodeIndex node = m_hovered != kNone ? m_hovered : m_selected;
    const QString text = m_tree && node != kNone ? nodeText(*m_tree, node, m_style) : QString();
    Q_EMIT described(text);
    if (text == accessibleDescription() || m_hovered != kNone)
        return;
    setAccessibleDescription(text);
    QAccessibleEvent event(this, QAccessible::DescriptionChanged);
    QAccessible::updateAccessibility(&event);
}

void FlameView::activate(NodeIndex node)
{
    if (node == kNone)
        return;
    select(node);
    zoomTo(node);
    Q_EMIT activated(node);
}

void FlameView::changeEvent(QEvent *event)
{
    QAbstractScrollArea::changeEvent(event);
    m_labels.clear();
    m_laidOut.clear();
    if (event->type() == QEvent::FontChange)
        discard();
    else
        viewport()->update();
}

void FlameView::resizeEvent(QResizeEvent *)
{
    discard();
}

void FlameView::scrollContentsBy(int, int)
{
    viewport()->update();
}

} // namespace vramscope
