// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/flame_view.h"

#include "ui/support/text.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QToolTip>

namespace vramscope {

FlameView::NodeIndex FlameView::neighbour(int key) const
{
    const FlameBox *box = geometry().boxOf(m_selected);
    if (!box)
        return focus();
    if (key == Qt::Key_Up)
        return m_tree->tree.node(box->node).parent;
    if (key == Qt::Key_Down) {
        const FlameBox *widest = nullptr;
        for (const FlameBox &child : geometry().row(box->row + 1)) {
            const bool isChild = m_tree->tree.node(child.node).parent == box->node;
            if (isChild && (!widest || child.width > widest->width))
                widest = &child;
        }
        return widest ? widest->node : box->node;
    }
    const std::span<const FlameBox> row = geometry().row(box->row);
    const auto at = box - row.data() + (key == Qt::Key_Left ? -1 : 1);
    if (at < 0 || at >= std::ssize(row))
        return box->node;
    return row[static_cast<std::size_t>(at)].node;
}

void FlameView::keyPressEvent(QKeyEvent *event)
{
    const bool alt = event->modifiers() & Qt::AltModifier;
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (alt)
            event->key() == Qt::Key_Left ? back() : forward();
        else if (m_tree)
            select(neighbour(event->key()));
        return;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (m_tree)
            select(neighbour(event->key()));
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        activate(m_selected);
        return;
    case Qt::Key_Escape:
    case Qt::Key_Backspace:
        zoomOut();
        return;
    case Qt::Key_F:
    case Qt::Key_Home:
        zoomTo(CallTree::kRoot);
        return;
    default:
        QAbstractScrollArea::keyPressEvent(event);
    }
}

void FlameView::mousePressEvent(QMouseEvent *event)
{
    m_pressed = event->button() == Qt::LeftButton ? nodeAt(event->position()) : kNone;
    event->accept();
}

// A press that is let go elsewhere does nothing.
void FlameView::mouseReleaseEvent(QMouseEvent *event)
{
    const NodeIndex node = nodeAt(event->position());
    event->accept();
    if (event->button() == Qt::LeftButton && node == std::exchange(m_pressed, kNone))
        activate(node);
    else if (event->button() == Qt::BackButton)
        back();
    else if (event->button() == Qt::ForwardButton)
        forward();
    hover(nodeAt(event->position()));
}

void FlameView::mouseMoveEvent(QMouseEvent *event)
{
    hover(nodeAt(event->position()));
}

bool FlameView::viewportEvent(QEvent *event)
{
    if (event->type() == QEvent::Leave)
        hover(kNone);
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto *help = static_cast<QHelpEvent *>(event);
    const NodeIndex node = nodeAt(help->pos());
    if (node == kNone)
        QToolTip::hideText();
    else
        QToolTip::showText(help->globalPos(), tipHtml(nodeToolTip(*m_tree, node, m_style)),
                           viewport(), boxRect(node).toAlignedRect());
    return true;
}

} // namespace vramscope
