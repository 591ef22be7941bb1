// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_grid.h"
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
    const RankSummary &shown = m_study->rank(rank);
    const bool outlier = m_study->isOutlier(rank);
    const bool current = rank == m_current;
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(current ? theme.accent : theme.line, !current ? 1 : hasFocus() ? 3 : 2));
    painter.setBrush(theme.card);
    painter.drawRoundedRect(QRectF(tile).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.setRenderHint(QPainter::Antialiasing, false);

    const QRect inside = tile.adjusted(kPadding, kPadding, -kPadding, -kPadding);
    const int line = fontMetrics().height();
    QFont strong = font();
    strong.setBold(true);
    painter.setFont(strong);
    painter.setPen(theme.text);
    painter.drawText(inside, Qt::AlignLeft | Qt::AlignTop, u"rank %1"_s.arg(m_study->number(rank)));
    painter.setFont(font());
    painter.drawText(inside, Qt::AlignRight | Qt::AlignTop,
                     bytesText(shown.figures.peakActive, m_unit));
    const QRect plot(inside.left(), inside.top() + line + kPadding, inside.width(),
                     tile.height() - 2 * line - 3 * kPadding);
    paintPlot(painter, rank, plot);
    const QRect foot(inside.left(), plot.bottom() + 1, inside.width(), line + kPadding / 2);
    const QString badge = badgeOf(rank);
    const bool stressed = outlier || shown.failureCount > 0;
    painter.setPen(stressed ? theme.bad : theme.dim);
    painter.drawText(foot, Qt::AlignLeft | Qt::AlignBottom,
                     fontMetrics().elidedText(
                         badge.isEmpty() ? pathText(shown.source.path).section(u'/', -1) : badge,
                         Qt::ElideMiddle, foot.width()));
}

// Every tile has the same scale: as high as the highest rank, as long as the longest.
void RankGrid::paintPlot(QPainter &painter, std::size_t rank, const QRect &plot) const
{
    const Theme &theme = themeOf(this);
    const RankSummary &shown = m_study->rank(rank);
    paintRankCurve(painter, shown.active, plot, m_scale,
                   m_study->isOutlier(rank) ? QColor(theme.bad) : QColor(seriesColors()[0]),
                   theme.dark);
    const double median =
        std::floor(plot.bottom() - static_cast<double>(m_study->groupOf(rank).active.median) /
                                       static_cast<double>(m_scale.highest) * (plot.height() - 1)) +
        0.5;
    QPen dashed(theme.dim, 1);
    dashed.setDashPattern({3, 3});
    painter.setPen(dashed);
    painter.drawLine(QPointF(plot.left(), median), QPointF(plot.right(), median));
    painter.setPen(theme.line);
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
    if (!shown.failures.empty()) {
        const double at = rankX(shown.failures.front().event, plot, m_scale);
        painter.fillRect(
            QRectF(std::min(std::floor(at), plot.right() - 1.0), plot.top(), 2, plot.height()),
            theme.bad);
    }
}

} // namespace vramscope
