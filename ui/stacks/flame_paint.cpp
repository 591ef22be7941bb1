// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stacks/flame_colors.h"
#include "ui/stacks/flame_view.h"
#include "ui/support/theme.h"

#include <QPaintEvent>
#include <QPainter>
#include <QScrollBar>
#include <QTextLayout>

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

// The right ends of the characters of a line, from its left.
std::vector<double> endsOf(const QString &text, const QFont &font)
{
    QTextLayout layout(text, font);
    layout.beginLayout();
    const QTextLine line = layout.createLine();
    layout.endLayout();
    std::vector<double> ends;
    for (int at = 1; at <= text.size(); ++at)
        ends.push_back(line.cursorToX(at));
    return ends;
}

} // namespace

// Laid out once: layout takes several times as long as painting.
FlameView::LaidOut FlameView::laidOut(const QString &text) const
{
    constexpr qsizetype kMost = 20'000;
    if (m_laidOut.size() > kMost)
        m_laidOut.clear();
    auto known = m_laidOut.find(text);
    if (known == m_laidOut.end()) {
        known = m_laidOut.insert(text, {QStaticText(text), m_metrics.horizontalAdvance(text)});
        known->text.setTextFormat(Qt::PlainText);
        known->text.setPerformanceHint(QStaticText::AggressiveCaching);
        known->text.prepare({}, font());
    }
    return *known;
}

const FlameView::Label &FlameView::label(NodeIndex node) const
{
    const FrameId frame = m_tree->tree.node(node).frame;
    const auto known = m_labels.constFind(frame);
    if (known != m_labels.constEnd())
        return *known;
    Label made;
    made.name = nodeName(*m_tree, node);
    made.place = nodePlace(*m_tree, node);
    made.ends = endsOf(made.name, font());
    const Theme &theme = themeOf(this);
    made.color =
        frame == CallTree::kNoFrame ? theme.line : frameColor(*m_tree->trace, frame, theme.dark);
    return *m_labels.insert(frame, made);
}

void FlameView::paintEvent(QPaintEvent *event)
{
    QPainter painter(viewport());
    for (const QRect &part : event->region()) {
        painter.setClipRect(part);
        paintBoxes(painter, part);
    }
    painter.setClipping(false);
    painter.setRenderHint(QPainter::Antialiasing);
    const Theme &theme = themeOf(this);
    if (m_selected != kNone)
        paintMark(painter, m_selected, theme.accent, 2);
    if (m_hovered != kNone)
        paintMark(painter, m_hovered, theme.text, 1);
}

// Paints the boxes in a part of the viewport.
void FlameView::paintBoxes(QPainter &painter, const QRect &part) const
{
    painter.setFont(font());
    const Theme &theme = themeOf(this);
    const int scrolled = verticalScrollBar()->value();
    const int last = (scrolled + part.bottom()) / rowHeight();
    for (int row = (scrolled + part.top()) / rowHeight(); row <= last; ++row) {
        paintGround(painter, row, part, theme.card);
        for (const FlameBox &box : geometry().row(row)) {
            if (box.x + box.width > part.left() && box.x <= part.right() + 1)
                paintBox(painter, box, theme);
        }
    }
    if (m_tree && focus() == CallTree::kRoot)
        paintWithoutStack(painter);
}

// Only where no box covers it: writing a large picture twice takes twice as long.
void FlameView::paintGround(QPainter &painter, int row, const QRect &part,
                            const QColor &ground) const
{
    const int top = row * rowHeight() - verticalScrollBar()->value();
    int covered = part.left();
    const auto fillTo = [&](int x) {
        if (x > covered)
            painter.fillRect(covered, top, x - covered, rowHeight(), ground);
    };
    for (const FlameBox &box : geometry().row(row)) {
        const QRectF place = filled(box);
        fillTo(std::min(static_cast<int>(std::ceil(place.left())), part.right() + 1));
        covered = std::max(covered, static_cast<int>(std::floor(place.right())));
    }
    fillTo(part.right() + 1);
    painter.fillRect(part.left(), top + rowHeight() - 1, part.width(), 1, ground);
}

// Memory without a recorded stack, next to the root's children: labelled, or it would look like a
// hole.
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
                     m_metrics.elidedText(text, Qt::ElideRight, int(rest.width())));
}

QRectF FlameView::filled(const FlameBox &box) const
{
    return rectOf(box).adjusted(0, 0, box.width >= kWithGap ? -1 : 0, -1);
}

// Callers of the focus are dimmed; so is everything that does not match a search.
void FlameView::paintBox(QPainter &painter, const FlameBox &box, const Theme &theme) const
{
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
    const QRectF rect = filled(box);
    painter.fillRect(rect, color);
    if (box.width < kReadable)
        return;
    painter.setPen(matches && !dimmed ? theme.onAccent() : dimmed ? theme.dim : theme.text);
    paintLabel(painter, box, rect.adjusted(kPadding, 0, -kPadding, 0));
}

// The function, then the cost at the right if there is room, then the place.
void FlameView::paintLabel(QPainter &painter, const FlameBox &box, const QRectF &inside) const
{
    constexpr int kGap = 14;
    const Label &texts = label(box.node);
    const Costs &costs = m_tree->tree.total(box.node);
    const double top = inside.top() + (inside.height() - m_metrics.height()) / 2.0;
    const auto put = [&](double x, const LaidOut &words) {
        if (words.width > 0)
            painter.drawStaticText(QPointF(x, top), words.text);
    };
    const LaidOut sign = laidOut(m_style.sign(costs));
    const double room = inside.width() - sign.width;
    const double nameWidth = texts.ends.empty() ? 0 : texts.ends.back();
    if (nameWidth > room) {
        if (inside.width() < 4 * m_metrics.averageCharWidth())
            return; // an ellipsis alone is useless
        const QString ellipsis = u"…"_s;
        const auto last = std::ranges::upper_bound(texts.ends, room - laidOut(ellipsis).width) -
                          texts.ends.begin();
        put(inside.left(), sign);
        put(inside.left() + sign.width, laidOut(texts.name.left(last) + ellipsis));
        return;
    }
    put(inside.left(), sign);
    put(inside.left() + sign.width, laidOut(texts.name));
    double left = room - nameWidth - kGap;
    if (left < 5 * m_metrics.averageCharWidth())
        return;
    const LaidOut cost = laidOut(m_style.text(costs));
    QColor quiet = painter.pen().color();
    quiet.setAlphaF(0.72F);
    painter.setPen(quiet);
    if (cost.width <= left) {
        put(inside.right() - cost.width, cost);
        left -= cost.width + kGap;
    }
    const LaidOut place = laidOut(texts.place);
    if (place.width <= left)
        put(inside.left() + sign.width + nameWidth + kGap, place);
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
