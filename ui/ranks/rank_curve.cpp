// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_curve.h"

#include "ui/support/pixel_ratio.h"
#include "ui/support/text.h"
#include "ui/timeline/chart_axes.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kHeadroom = 1.08; // over the highest curve
constexpr int kMargin = 10;

double yOf(Bytes bytes, const QRectF &plot, const RankScale &scale)
{
    return plot.bottom() -
           static_cast<double>(bytes) / static_cast<double>(scale.highest) * (plot.height() - 1);
}

/// The span of x that a column of a curve takes.
std::pair<double, double> columnOf(std::size_t at, const CurveOutline &curve, const QRectF &plot,
                                   const RankScale &scale)
{
    const double length = plot.width() * (curve.events + 1.0) / (scale.longest + 1.0);
    const auto columns = static_cast<double>(curve.highest.size());
    return {plot.left() + static_cast<double>(at) / columns * length,
            plot.left() + static_cast<double>(at + 1) / columns * length};
}

} // namespace

RankScale scaleOf(const RunStudy &study)
{
    RankScale scale;
    for (const RankSummary &rank : study.run.ranks) {
        scale.longest = std::max(scale.longest, rank.active.events);
        scale.highest = std::max(scale.highest, rank.figures.peakActive);
    }
    return scale;
}

double rankX(EventIndex event, const QRectF &plot, const RankScale &scale)
{
    return plot.left() + plot.width() * (event + 1.5) / (scale.longest + 1.0);
}

void paintRankCurve(QPainter &painter, const CurveOutline &curve, const QRectF &plot,
                    const RankScale &scale, const QColor &color, bool dark)
{
    QColor tint = color;
    tint.setAlpha(dark ? 80 : 60);
    for (std::size_t at = 0; at < curve.highest.size(); ++at) {
        const auto [left, right] = columnOf(at, curve, plot, scale);
        // A jump between two columns is drawn in the second.
        const std::size_t before = at == 0 ? 0 : at - 1;
        const double top =
            std::min(yOf(curve.highest[at], plot, scale), yOf(curve.lowest[before], plot, scale));
        const double bottom =
            std::max(yOf(curve.lowest[at], plot, scale), yOf(curve.highest[before], plot, scale));
        painter.fillRect(QRectF(left, bottom, right - left, plot.bottom() - bottom + 1), tint);
        painter.fillRect(
            QRectF(left, top, std::max(1.0, right - left), std::max(1.5, bottom - top)), color);
    }
}

RankCurve::RankCurve(RunStudyPointer study, QWidget *parent)
    : QWidget(parent)
    , m_study(std::move(study))
{
    m_scale = scaleOf(*m_study);
    setAccessibleName(u"Active memory of the rank"_s);
}

void RankCurve::takeCurves(RunStudyPointer study)
{
    m_study = std::move(study);
    m_scale = scaleOf(*m_study);
    update();
}

void RankCurve::setRank(std::size_t rank)
{
    m_rank = rank;
    update();
}

void RankCurve::paintEvent(QPaintEvent *)
{
    const Theme &theme = themeOf(this);
    const RankSummary &rank = m_study->rank(m_rank);
    RankScale scale = m_scale;
    scale.highest =
        static_cast<Bytes>(std::min(static_cast<double>(scale.highest) * kHeadroom, kMostBytes));
    QPainter painter(this);
    painter.fillRect(rect(), theme.window);
    const QRectF plot = plotBetweenLines(rect().adjusted(kMargin, 4, -kMargin, -4), font());
    if (plot.width() < 1 || plot.height() < 1)
        return;
    if (!m_study->run.areCurvesRead) {
        painter.setPen(theme.dim);
        return painter.drawText(rect(), Qt::AlignCenter, u"Reading the curves…"_s);
    }
    const EventAxis axis(scale.longest);
    const ChartArea area{plot,
                         axis,
                         {axis.whole(), {0, static_cast<double>(scale.highest)}},
                         {theme, m_unit, font(), pixelRatio(*this)}};
    painter.setFont(smallFont(font()));
    paintByteAxis(painter, area);
    paintEventAxis(painter, area, {});
    paintRankCurve(painter, rank.active, plot, scale, QColor(seriesColors()[0]), theme.dark);
    if (m_rank != m_study->typicalOf(m_rank))
        paintTypical(painter, plot, scale);
    if (!rank.failures.empty()) {
        const double at = rankX(rank.failures.front().event, plot, scale);
        painter.fillRect(
            QRectF(std::min(std::floor(at), plot.right() - 2), plot.top(), 2, plot.height()),
            theme.bad);
    }
    paintLegend(painter, plot);
}

void RankCurve::paintTypical(QPainter &painter, const QRectF &plot, const RankScale &scale) const
{
    const CurveOutline &curve = m_study->rank(m_study->typicalOf(m_rank)).active;
    QPolygonF line;
    for (std::size_t at = 0; at < curve.highest.size(); ++at) {
        const auto [left, right] = columnOf(at, curve, plot, scale);
        const double y = crisp(yOf(curve.highest[at], plot, scale));
        line << QPointF(left, y) << QPointF(right, y);
    }
    painter.setPen(QPen(themeOf(this).text, 1));
    painter.drawPolyline(line);
}

// Over the plot, beside the unit of its axis: what each curve and line is.
void RankCurve::paintLegend(QPainter &painter, const QRectF &plot) const
{
    const Theme &theme = themeOf(this);
    const RankSummary &rank = m_study->rank(m_rank);
    struct Entry
    {
        QString text;
        QColor color;
        bool isLine = false;
    };
    std::vector<Entry> entries{{u"rank %1, peak %2"_s.arg(m_study->number(m_rank))
                                    .arg(bytesText(rank.figures.peakActive, m_unit)),
                                QColor(seriesColors()[0])}};
    if (const std::size_t typical = m_study->typicalOf(m_rank); typical != m_rank)
        entries.push_back({u"rank %1, the typical one of its group"_s.arg(m_study->number(typical)),
                           theme.text, true});
    if (!rank.failures.empty())
        entries.push_back({u"out of memory"_s, theme.bad, true});
    const QFontMetricsF metrics(painter.font());
    const double middle = plot.top() - kChartGap - metrics.height() / 2;
    double left = plot.left();
    for (const Entry &entry : entries) {
        const double end = left + 16 + metrics.horizontalAdvance(entry.text);
        if (end > plot.right())
            return;
        const double height = entry.isLine ? 2 : 8;
        painter.fillRect(QRectF(left, std::round(middle - height / 2), 10, height), entry.color);
        painter.setPen(theme.dim);
        painter.drawText(QPointF(left + 16, middle + metrics.capHeight() / 2), entry.text);
        left = end + 18;
    }
}

} // namespace vramscope
