// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/flame_colors.h"
#include "ui/stacks/flame_view.h"
#include "ui/support/theme.h"

#include <QPainter>
#include <QScrollBar>

#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPadding = 5;      // between a box and its text
constexpr double kReadable = 24; // narrower boxes have no text
constexpr double kWithGap = 2.5; // narrower boxes touch

QColor between(const QColor &a, const QColor &b, double shareOfA)
{
    const auto channel = [&](int x, int y) {
        return static_cast<int>(std::lround(shareOfA * x + (1 - shareOfA) * y));
    };
    return {channel(a.red(), b.red()), channel(a.green(), b.green()), channel(a.blue(), b.blue())};
}

} // namespace

const FlameView::Label &FlameView::label(NodeIndex node) const
{
    const FrameId frame = m_tree->tree.node(node).frame;
    const auto known = m_labels.constFind(frame);
    if (known != m_labels.constEnd())
        return *known;
    Label made;
    made.name = nodeName(*m_tree, node);
    made.place = nodePlace(*m_tree, node);
    made.nameWidth = fontMetrics().horizontalAdvance(made.name);
    made.placeWidth = fontMetrics().horizontalAdvance(made.place);
    const Theme &theme = themeOf(this);
    made.color =
        frame == CallTree::kNoFrame ? theme.line : frameColor(*m_tree->trace, frame, theme.dark);
    return *m_labels.insert(frame, made);
}

void FlameView::paintEvent(QPaintEvent *)
{
    QPainter painter(viewport());
    (void)m_picture.chart(*viewport(), [this] { return Boxes{this}; });
    m_picture.paint(painter, *viewport());
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = themeOf(this);
    if (m_selected != kNone)
        paintMark(painter, m_selected, theme.accent, 2);
    if (m_hovered != kNone)
        paintMark(painter, m_hovered, theme.text, 1);
}

void FlameView::paintBoxes(QPainter &painter) const
{
    painter.fillRect(viewport()->rect(), themeOf(this).card);
    painter.setFont(font());
    const int scrolled = verticalScrollBar()->value();
    const int last = (scrolled + viewport()->height()) / rowHeight();
    for (int row = scrolled / rowHeight(); row <= last; ++row) {
        for (const FlameBox &box : geometry().row(row))
            paintBox(painter, box);
    }
    if (m_tree && focus() == CallTree::kRoot)
        paintWithoutStack(painter);
}

// Beside what the root calls stands what no stack is known of: named, or it would look like a hole.
void FlameView::paintWithoutStack(QPainter &painter) const
{
    const auto calls = geometry().row(1);
    double left = 0;
    for (const FlameBox &box : calls)
        left = std::max(left, box.x + box.width);
    const double top = rowHeight() - verticalScrollBar()->value();
    const QRectF rest = QRectF(left, top, viewport()->width() - left, rowHeight())
                            .adjusted(kPadding, 0, -kPadding, -1);
    const QString text =
        u"no stack recorded  %1"_s.arg(m_style.text(m_tree->tree.self(CallTree::kRoot)));
    if (rest.width() < kReadable || rest.bottom() < 0)
        return;
    painter.setPen(themeOf(this).dim);
    painter.drawText(rest, Qt::AlignLeft | Qt::AlignVCenter,
                     fontMetrics().elidedText(text, Qt::ElideRight, int(rest.width())));
}

// Callers of the focus are dimmed, and while something is searched for all that does not match.
void FlameView::paintBox(QPainter &painter, const FlameBox &box) const
{
    const Theme &theme = themeOf(this);
    const Label &texts = label(box.node);
    const bool isRoot = box.node == CallTree::kRoot;
    const bool searched = !m_matching.empty();
    const bool matches = searched && !isRoot &&
                         m_matching[static_cast<std::size_t>(m_tree->tree.node(box.node).frame)];
    QColor color = m_style.isDifference ? differenceColor(m_tree->tree.total(box.node), theme.dark)
                                        : texts.color;
    if (matches)
        color = theme.accent;
    const bool dimmed = box.row < geometry().focusRow() || (searched && !matches);
    if (dimmed)
        color = between(color, theme.card, matches ? 0.6 : 0.35);
    const QRectF rect = rectOf(box);
    const double gap = box.width >= kWithGap ? 1 : 0;
    painter.fillRect(rect.adjusted(0, 0, -gap, -1), color);
    if (box.width < kReadable)
        return;
    painter.setPen(matches && !dimmed ? theme.onAccent() : dimmed ? theme.dim : theme.text);
    paintLabel(painter, box, rect.adjusted(kPadding, 0, -kPadding - gap, -1));
}

// The function, then where there is room the cost at the right, then the place.
void FlameView::paintLabel(QPainter &painter, const FlameBox &box, const QRectF &inside) const
{
    constexpr int kGap = 14;
    const Label &texts = label(box.node);
    const QString name = m_style.sign(m_tree->tree.total(box.node)) + texts.name;
    const int nameWidth =
        name.size() == texts.name.size() ? texts.nameWidth : fontMetrics().horizontalAdvance(name);
    const double baseline =
        inside.top() + (inside.height() - fontMetrics().height()) / 2.0 + fontMetrics().ascent();
    const auto put = [&](double x, const QString &text) {
        painter.drawText(QPointF(x, baseline), text);
    };
    if (nameWidth > inside.width()) {
        if (inside.width() < 4 * fontMetrics().averageCharWidth())
            return; // an ellipsis says nothing
        put(inside.left(),
            fontMetrics().elidedText(name, Qt::ElideRight, static_cast<int>(inside.width())));
        return;
    }
    put(inside.left(), name);
    double left = inside.width() - nameWidth - kGap;
    if (left < 5 * fontMetrics().averageCharWidth())
        return;
    const QString cost = m_style.text(m_tree->tree.total(box.node));
    const int costWidth = fontMetrics().horizontalAdvance(cost);
    QColor quiet = painter.pen().color();
    quiet.setAlphaF(0.72F);
    painter.setPen(quiet);
    if (costWidth <= left) {
        put(inside.right() - costWidth, cost);
        left -= costWidth + kGap;
    }
    if (texts.placeWidth <= left)
        put(inside.left() + nameWidth + kGap, texts.place);
}

void FlameView::paintMark(QPainter &painter, NodeIndex node, const QColor &color,
                          double width) const
{
    const QRectF box = boxRect(node);
    if (box.isNull())
        return;
    const double inset = width / 2;
    painter.setPen(QPen(color, width));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(box.adjusted(inset, inset, -1 - inset, -1 - inset));
}

} // namespace vramscope
