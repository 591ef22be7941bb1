// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stacks/cost_text.h"
#include "ui/stacks/flame_geometry.h"
#include "ui/support/visited.h"

#include <QAbstractScrollArea>
#include <QFontMetrics>
#include <QHash>
#include <QStaticText>

namespace vramscope {

struct Theme;

/// A flame graph with the root at the top. Click or Enter zooms into a box; the boxes above it stay
/// as dimmed rows and zoom back out, as do Esc and Backspace; Alt+Left and Alt+Right step through
/// the zoom history; arrows move the selection. When the mouse or the selection moves, only the
/// affected boxes are repainted.
class FlameView : public QAbstractScrollArea
{
    Q_OBJECT

public:
    using NodeIndex = CallTree::NodeIndex;
    static constexpr NodeIndex kNone = std::numeric_limits<NodeIndex>::max();

    explicit FlameView(QWidget *parent = nullptr);

    /// Shows another tree; keeps the zoom and the selection if the new tree contains them.
    void setTree(std::shared_ptr<const StackTree> tree, const CostStyle &style = {});
    /// Highlights boxes of these frames; empty: no search. By FrameId.
    void setMatching(std::vector<bool> matching);

    [[nodiscard]] const std::shared_ptr<const StackTree> &tree() const { return m_tree; }
    [[nodiscard]] NodeIndex focus() const { return m_visited.current(); }
    /// Zooms to a node, in or out.
    void zoomTo(NodeIndex node);
    /// Zooms to the nearest caller that costs more.
    void zoomOut();
    void back();
    void forward();
    /// kNone: nothing.
    [[nodiscard]] NodeIndex selected() const { return m_selected; }
    void select(NodeIndex node);

    /// The box of a node in the viewport; null if it is not drawn.
    [[nodiscard]] QRectF boxRect(NodeIndex node) const;
    /// The node at a point of the viewport, or kNone.
    [[nodiscard]] NodeIndex nodeAt(QPointF position) const;

Q_SIGNALS:
    void focusChanged();
    /// A box was clicked, or Enter pressed on it.
    void activated(CallTree::NodeIndex node);
    /// The box under the mouse, else the selected one, in one line; empty if neither exists.
    void described(const QString &text);

protected:
    bool viewportEvent(QEvent *event) override;
    void changeEvent(QEvent *event) override;
    void resizeEvent(QResizeEvent *event) override;
    void paintEvent(QPaintEvent *event) override;
    void mousePressEvent(QMouseEvent *event) override;
    void mouseMoveEvent(QMouseEvent *event) override;
    void mouseReleaseEvent(QMouseEvent *event) override;
    void keyPressEvent(QKeyEvent *event) override;
    void scrollContentsBy(int dx, int dy) override;

private:
    /// The label of a frame's box.
    struct Label
    {
        QString name;
        QString place;
        std::vector<double> ends; ///< of the characters of the name, from its left
        QColor color;
    };
    struct LaidOut
    {
        QStaticText text;
        int width = 0;
    };

    void discard();                 ///< drops the geometry
    void updateBoxes();             ///< repaints all of them
    void updateBox(NodeIndex node); ///< repaints it, with its mark
    [[nodiscard]] const FlameGeometry &geometry() const;
    void updateScrollBar();
    void reveal(NodeIndex node);
    void hover(NodeIndex node);
    void describe();
    void activate(NodeIndex node);
    void showFocus();
    [[nodiscard]] int rowHeight() const;
    [[nodiscard]] QRectF rectOf(const FlameBox &box) const;
    [[nodiscard]] NodeIndex neighbour(int key) const; // flame_input.cpp, with the events
    // flame_paint.cpp
    void paintBoxes(QPainter &painter, const QRect &part) const;
    void paintWithoutStack(QPainter &painter) const;
    void paintGround(QPainter &painter, int row, const QRect &part, const QColor &ground) const;
    [[nodiscard]] QRectF filled(const FlameBox &box) const;
    void paintBox(QPainter &painter, const FlameBox &box, const Theme &theme) const;
    void paintLabel(QPainter &painter, const FlameBox &box, const QRectF &inside) const;
    void paintMark(QPainter &painter, NodeIndex node, const QColor &color, double width) const;
    [[nodiscard]] LaidOut laidOut(const QString &text) const;
    [[nodiscard]] const Label &label(NodeIndex node) const;

    std::shared_ptr<const StackTree> m_tree;
    CostStyle m_style;
    std::vector<bool> m_matching;
    Visited<NodeIndex> m_visited; ///< what was zoomed to
    NodeIndex m_selected = kNone;
    NodeIndex m_hovered = kNone;
    NodeIndex m_pressed = kNone; // under the left button
    QFontMetrics m_metrics;      // a widget creates its own again for each call
    mutable std::optional<FlameGeometry> m_geometry;
    mutable QHash<FrameId, Label> m_labels;
    mutable QHash<QString, LaidOut> m_laidOut; // recent box texts
};

} // namespace vramscope
