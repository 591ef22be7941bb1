// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/rank_grid.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

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
    const Rank &shown = m_folder->ranks[rank];
    const bool outlier = m_folder->isOutlier(rank);
    const bool current = rank == m_current;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(current ? theme.accent : theme.line, current && hasFocus() ? 2 : 1));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(QRectF(tile).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setRenderHint(QPainter::Antialiasing, false);

    const QRect inside = tile.adjusted(kPadding, kPadding, -kPadding, -kPadding);
    const int line = fontMetrics().height();
    QFont strong = font();
    strong.setBold(true);
    painter.setFont(strong);
    painter.setPen(theme.text);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignTop, u"rank %1"_s.arg(shown.number));
    painter.setFont(font());
    painter.drawText(inside, Qt::AlignRight | Qt::AlignTop,
                     bytesText(shown.summary.peakActive, m_unit));
    const QRect plot(inside.left(), inside.top() + line + kPadding, inside.width(),
                     tile.height() - 2 * line - 3 * kPadding);
    paintCurve(painter, shown.active, plot,
               outlier ? QColor(theme.bad) : QColor(seriesColors()[0]));
    const QRect foot(inside.left(), plot.bottom() + 1, inside.width(), line + kPadding / 2);
    const QString badge = badgeOf(rank);
    painter.setPen(outlier ? theme.bad : theme.dim);
    painter.drawText(
        foot, Qt::AlignLeft | Qt::AlignBottom,
        fontMetrics().elidedText(badge.isEmpty() ? pathText(shown.file).section(u'/', -1) : badge,
                                 Qt::ElideMiddle, foot.width()));
}

// Every tile has the same scale: as high as the highest rank, as long as the longest.
void RankGrid::paintCurve(QPainter &painter, const CurveOutline &curve, const QRect &plot,
                          const QColor &color) const
{
    const Theme &theme = themeOf(this);
    const auto y = [&](Bytes bytes) {
        return plot.bottom() -
               static_cast<double>(bytes) / static_cast<double>(m_highest) * (plot.height() - 1);
    };
    const double median = std::floor(y(m_folder->active.median)) + 0.5;
    QColor tint = color;
    tint.setAlpha(theme.dark ? 80 : 60);
    const double length = plot.width() * (curve.events + 1.0) / (m_longest + 1.0);
    const auto columnCount = static_cast<double>(curve.highest.size());
    for (std::size_t at = 0; at < curve.highest.size(); ++at) {
        const double left = plot.left() + static_cast<double>(at) / columnCount * length;
        const double right = plot.left() + static_cast<double>(at + 1) / columnCount * length;
        // A jump between two columns is drawn in the second.
        const std::size_t before = at == 0 ? 0 : at - 1;
        const double top = std::min(y(curve.highest[at]), y(curve.lowest[before]));
        const double bottom = std::max(y(curve.lowest[at]), y(curve.highest[before]));
        painter.fillRect(QRectF(left, bottom, right - left, plot.bottom() - bottom + 1), tint);
        painter.fillRect(
            QRectF(left, top, std::max(1.0, right - left), std::max(1.5, bottom - top)), color);
    }
    QPen dashed(theme.dim, 1);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    painter.drawLine(QPointF(plot.left(), median), QPointF(plot.right(), median));
    painter.setPen(theme.line);
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
}

} // namespace vramscope
