// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bar_geometry.h"
#include "ui/charts/step_chart.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

void StepChart::paintEvent(QPaintEvent *)
{
    QPainter painter(this);
    const Theme &theme = themeOf(this);
    painter.setFont(smallFont());
    if (m_curve.columns.empty())
        return paintReason(painter, rect().adjusted(12, 12, -12, -12), m_curve.emptyText, theme);
    paintAxis(painter, theme);
    paintStack(painter, theme);
    paintNames(painter);
    paintFold(painter, theme);
    paintSelection(painter, theme);
    paintMarks(painter, theme);
    paintPhases(painter, theme);
    paintLegend(painter, m_legend, theme, m_part);
    if (hasFocus()) {
        painter.setPen(QPen(theme.accent, 1));
        painter.setBrush(Qt::NoBrush);
        painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    }
}

void StepChart::paintAxis(QPainter &painter, const Theme &theme) const
{
    const QRectF &plot = m_geometry.plot;
    const double line = lineHeight();
    const double giga = gigaBytes(unit());
    const double base = m_geometry.base();
    const double step =
        levelInterval((m_geometry.range - base) / giga, m_geometry.floor() - plot.top());
    const int first = static_cast<int>(std::ceil(base / giga / step));
    for (int tick = first; tick * step * giga <= m_geometry.range; ++tick) {
        const double at = std::floor(m_geometry.y(tick * step * giga)) + 0.5;
        painter.setPen(theme.line);
        painter.drawLine(QPointF(plot.left(), at), QPointF(plot.right(), at));
        painter.setPen(theme.dim);
        painter.drawText(QRectF(0, at - line / 2, plot.left() - 8, line),
                         Qt::AlignRight | Qt::AlignVCenter, tickText(tick * step, step));
    }
}

void StepChart::paintStack(QPainter &painter, const Theme &theme) const
{
    const int foot = static_cast<int>(std::lround(m_geometry.plot.bottom()));
    for (std::size_t part = kPartCount; part-- > 0;) { // each down to the foot, over the one above
        constexpr int kLeastParted = 3;
        const bool isOutside = part == kOutsidePart;
        QList<QRectF> places;
        QList<QRectF> tops; // parts differ without colour too
        QRect run;          // neighbours of the same height are one rectangle
        int thinnest = 0;
        const auto keep = [&] {
            if (run.height() <= 0)
                return;
            places.append(run);
            if (thinnest >= kLeastParted || isOutside)
                tops.append(QRectF(run.left(), run.top(), run.width(), 1));
        };
        for (std::size_t at = 0; at < m_slots.size(); ++at) {
            const StepSlot &slot = m_slots[at];
            const StepStretch &stretch = m_stretches[at][part];
            // A hatch under the stack would take as long as the part that is seen.
            const int end = isOutside ? stretch.bottom : foot;
            // Less than half a pixel would be one in some columns and none in others.
            const int high = stretch.isSeen ? end - stretch.top : 0;
            const QRect box(slot.left, end - high, slot.right - slot.left, high);
            if (box.top() == run.top() && box.height() == run.height()) {
                run.setRight(box.right());
                thinnest = std::min(thinnest, stretch.bottom - stretch.top);
                continue;
            }
            keep();
            run = box;
            thinnest = stretch.bottom - stretch.top;
        }
        keep();
        fillPart(painter, places, part, theme);
        for (const QRectF &top : tops)
            painter.fillRect(top, isOutside ? theme.control : theme.card);
    }
}

QRectF StepChart::placeInside(std::size_t part, QSizeF size) const
{
    QRectF best;
    for (std::size_t first = 0; first < m_slots.size(); ++first) {
        double top = 0;
        double bottom = m_geometry.floor(); // over the break of a folded axis
        for (std::size_t at = first; at < m_slots.size(); ++at) {
            const StepSlot &slot = m_slots[at];
            top = std::max(top, static_cast<double>(m_stretches[at][part].top));
            bottom = std::min(bottom, static_cast<double>(m_stretches[at][part].bottom));
            if (bottom - top < std::max(size.height(), best.height()))
                break;
            const double left = m_slots[first].left;
            if (slot.right - left < size.width())
                continue;
            best = QRectF(left, top, slot.right - left, bottom - top);
            break;
        }
    }
    return best;
}

QRectF StepChart::devicePlace() const
{
    if (!m_curve.device)
        return {};
    const QRectF place(
        QPointF(m_geometry.plot.left() + 8, m_geometry.y(static_cast<double>(*m_curve.device)) + 4),
        nameSize(kOutsidePart));
    const auto covers = [&](const StepSlot &slot) {
        const Bytes total = m_curve.columns[static_cast<std::size_t>(slot.column)].total();
        return slot.left < place.right() && slot.right > place.left() &&
               m_geometry.y(static_cast<double>(total)) < place.bottom() + 2;
    };
    const bool isClear = std::ranges::none_of(m_slots, covers) &&
                         !place.intersects(m_labels.mark) && !place.intersects(m_labels.limit);
    return isClear ? place : QRectF();
}

void StepChart::paintNames(QPainter &painter) const
{
    const Theme &theme = themeOf(this);
    const auto isListed = [this](std::size_t part) {
        return std::ranges::find(m_legend, part, &PartEntry::part) != m_legend.end();
    };
    if (const QRectF place = devicePlace(); !place.isEmpty() && !isListed(kOutsidePart)) {
        painter.setPen(theme.text);
        drawOnPatch(painter, place, Qt::AlignCenter, partName(kOutsidePart), theme.card);
    }
    double below = 0;
    std::size_t band = 0;
    for (const PartEntry &item : m_parts) {
        painter.setPen(textOn(partColor(item.part)));
        if (band == m_geometry.folded.size()) {
            if (!isListed(item.part))
                painter.drawText(placeInside(item.part, nameSize(item.part)), Qt::AlignCenter,
                                 partName(item.part));
            continue;
        }
        const double top = m_geometry.folded[band++];
        const QString name =
            partName(item.part) + u' ' + bytesText(static_cast<Bytes>(top - below), unit());
        painter.drawText(QRectF(m_geometry.plot.left() + 8, m_geometry.y(top), textWidth(name) + 16,
                                m_geometry.y(below) - m_geometry.y(top)),
                         Qt::AlignLeft | Qt::AlignVCenter, name);
        below = top;
    }
}

/// The break over the bands, which says that the axis has a gap, and the words that fold.
void StepChart::paintFold(QPainter &painter, const Theme &theme) const
{
    if (!m_foldable)
        return;
    const QRectF &plot = m_geometry.plot;
    if (!m_geometry.folded.empty()) {
        constexpr double kTooth = 5;
        QPolygonF zigzag;
        const double foot = m_geometry.y(m_geometry.base());
        const int teeth = static_cast<int>(std::ceil(plot.width() / kTooth));
        for (int tooth = 0; tooth <= teeth; ++tooth)
            zigzag << QPointF(std::min(plot.left() + tooth * kTooth, plot.right()),
                              foot - (tooth % 2 == 0 ? 2 : 6));
        painter.setRenderHint(QPainter::Antialiasing);
        painter.setPen(QPen(theme.card, 5));
        painter.drawPolyline(zigzag);
        painter.setPen(QPen(theme.control, 1));
        painter.drawPolyline(zigzag);
        painter.setRenderHint(QPainter::Antialiasing, false);
    }
    painter.setPen(theme.accent);
    drawOnPatch(painter, m_foldPlace, Qt::AlignCenter, foldText(), theme.card);
}

void StepChart::paintSelection(QPainter &painter, const Theme &theme) const
{
    if (m_cursor) {
        const double at = std::floor(m_geometry.middle(*m_cursor)) + 0.5;
        painter.setPen(QPen(theme.text, 1, Qt::DotLine));
        painter.drawLine(QPointF(at, m_geometry.plot.top()), QPointF(at, m_geometry.plot.bottom()));
    }
    if (!m_part)
        return;
    const int band = static_cast<int>(std::lround(m_geometry.y(m_geometry.base())));
    QPainterPath outline;
    QPolygonF above; // a point where the height changes, and nowhere else
    QPolygonF below;
    const auto extend = [](QPolygonF &line, const StepSlot &slot, int y) {
        if (!line.isEmpty() && line.last().y() == y)
            line.last().setX(slot.right);
        else
            line << QPointF(slot.left, y) << QPointF(slot.right, y);
    };
    const auto close = [&] {
        if (above.isEmpty())
            return;
        std::ranges::reverse(below);
        outline.addPolygon(above + below);
        outline.closeSubpath();
        above.clear();
        below.clear();
    };
    for (std::size_t at = 0; at < m_slots.size(); ++at) {
        const StepSlot &slot = m_slots[at];
        if (wholeColumn(slot.column).parts[*m_part] <= 0) {
            close();
            continue;
        }
        StepStretch stretch = m_stretches[at][*m_part];
        if (stretch.bottom > m_geometry.floor()) // of a folded part the band alone
            stretch.top = std::max(stretch.top, band);
        extend(above, slot, stretch.top);
        extend(below, slot, stretch.bottom);
    }
    close();
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(theme.card, 3));
    painter.drawPath(outline);
    painter.setPen(QPen(theme.text, 1.4));
    painter.drawPath(outline);
}

void StepChart::paintMarks(QPainter &painter, const Theme &theme) const
{
    const QRectF &plot = m_geometry.plot;
    if (m_curve.limit) {
        const double at = m_geometry.y(static_cast<double>(*m_curve.limit));
        QPen pen(theme.text, 1.4, Qt::CustomDashLine);
        pen.setDashPattern({4, 3});
        painter.setPen(pen);
        if (at >= plot.top() - 1)
            painter.drawLine(QPointF(plot.left(), at), QPointF(plot.right(), at));
        painter.setPen(theme.text);
        drawOnPatch(painter, m_labels.limit, Qt::AlignCenter, limitLabel(), theme.card);
    }
    if (!m_curve.marked)
        return;
    constexpr double kDot = 4;
    const StepColumn &column = m_curve.columns[static_cast<std::size_t>(*m_curve.marked)];
    const QPointF tip(m_geometry.middle(*m_curve.marked),
                      m_geometry.y(static_cast<double>(column.total())));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(theme.text, 1.5));
    painter.setBrush(theme.card);
    painter.drawEllipse(tip, kDot, kDot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    drawOnPatch(painter, m_labels.mark, Qt::AlignCenter, markLabel(), theme.card);
}

void StepChart::paintPhases(QPainter &painter, const Theme &theme) const
{
    const QFontMetricsF metrics(smallFont());
    const double top = m_geometry.plot.bottom() + 6;
    const double height = std::ceil(metrics.height()) + 6;
    for (const StepCurvePhase &phase : m_curve.phases) {
        const auto first = static_cast<std::size_t>(phase.first);
        const double left = m_geometry.edges[first];
        const double right = m_geometry.edges[first + static_cast<std::size_t>(phase.count)];
        const QRectF box(left + 1, top, right - left - 2, height);
        painter.setPen(theme.line);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(box);
        const bool fits = textWidth(phase.title) <= box.width() - 4;
        painter.setPen(theme.dim);
        painter.drawText(
            box, Qt::AlignCenter,
            fits ? phase.title
                 : metrics.elidedText(phase.shortTitle, Qt::ElideRight, box.width() - 2));
    }
    for (int column = 0; column < static_cast<int>(m_curve.columns.size()); ++column) {
        const StepColumn &shown = m_curve.columns[static_cast<std::size_t>(column)];
        if (!shown.own || shown.moment != m_moment)
            continue;
        const double x = m_geometry.middle(column);
        painter.setBrush(theme.accent); // a hand under the column that the page is about
        painter.setPen(Qt::NoPen);
        const double foot = m_geometry.plot.bottom();
        painter.drawPolygon(QPolygonF{{x, foot}, {x - 4, foot + 6}, {x + 4, foot + 6}});
    }
}

} // namespace vramscope
