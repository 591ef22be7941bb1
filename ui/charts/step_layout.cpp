// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bar_geometry.h"
#include "ui/charts/legend_size.h"
#include "ui/charts/step_chart.h"
#include "ui/support/text.h"

#include <QFontMetricsF>

#include <algorithm>
#include <cmath>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr double kPhasePadding = 12;
constexpr double kLeastWide = 14;
/// A limit this much higher than the stack would leave nothing to see of it.
constexpr double kFarLimit = 5;

/// Pixels that a column needs for the name of its phase, if it is the only one in it.
std::vector<double> leastWidths(const StepCurve &curve, const QFontMetricsF &metrics)
{
    std::vector<double> least(curve.columns.size(), kLeastWide);
    for (const StepCurvePhase &phase : curve.phases) {
        if (phase.count == 1)
            least[static_cast<std::size_t>(phase.first)] =
                metrics.horizontalAdvance(phase.title) + kPhasePadding;
    }
    return least;
}

} // namespace

QFont StepChart::smallFont() const
{
    QFont small = font();
    small.setPointSizeF(small.pointSizeF() * 0.88);
    return small;
}

double StepChart::gigaBytes() const
{
    return m_unit == ByteUnit::Binary ? static_cast<double>(kGiB) : 1e9;
}

QString StepChart::limitLabel() const
{
    if (!m_curve.limit)
        return {};
    const QString text = m_curve.limitName + u' ' + bytesText(*m_curve.limit, m_unit);
    return static_cast<double>(*m_curve.limit) > m_geometry.range ? text + u" ↑"_s : text;
}

QString StepChart::markLabel() const
{
    if (!m_curve.marked)
        return {};
    const StepColumn &column = m_curve.columns[static_cast<std::size_t>(*m_curve.marked)];
    return m_curve.markText.arg(bytesText(column.total(), m_unit));
}

std::vector<StepChart::LegendItem> StepChart::legendItems(double width) const
{
    const QFontMetricsF metrics(smallFont());
    const double line = std::ceil(metrics.height()) + 4;
    std::vector<LegendItem> items;
    double x = 6;
    double y = 0;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        if (std::ranges::none_of(m_curve.columns,
                                 [&](const StepColumn &column) { return column.parts[part] > 0; }))
            continue;
        const double itemWidth = kSwatch + 6 + metrics.horizontalAdvance(partName(part));
        if (x > 6 && x + itemWidth > width) {
            x = 6;
            y += line;
        }
        items.push_back({part, QRectF(x, y, itemWidth, line)});
        x += itemWidth + kLegendGap;
    }
    return items;
}

void StepChart::relayout()
{
    const QFontMetricsF metrics(smallFont());
    const double line = std::ceil(metrics.height());
    m_legend = legendItems(width());
    const double legendHeight = m_legend.empty() ? 0 : m_legend.back().rect.bottom() + 4;
    for (LegendItem &item : m_legend)
        item.rect.translate(0, height() - legendHeight);

    double highest = 0;
    for (const StepColumn &column : m_curve.columns)
        highest = std::max(highest, static_cast<double>(column.total()));
    const double limit = static_cast<double>(m_curve.limit.value_or(0));
    m_geometry.range = std::max(limit > kFarLimit * highest ? 0 : limit, highest);
    if (m_geometry.range <= 0)
        m_geometry.range = 1;
    const QString highestTick = tickText(m_geometry.range / gigaBytes(), 1);
    const double left =
        std::max(metrics.horizontalAdvance(u"0000"_s), metrics.horizontalAdvance(highestTick)) + 14;
    const double top = 2 * line + 8; // the names of limit and mark
    const double bottom = height() - legendHeight - line - 18;
    m_geometry.plot =
        QRectF(left, top, std::max(width() - left - 8, 40.0), std::max(bottom - top, 30.0));
    m_geometry.edges =
        columnEdges(m_curve, left, m_geometry.plot.width(), leastWidths(m_curve, metrics));
    m_slots = m_geometry.painted(m_curve);
    const auto sizeOf = [&](const QString &text) {
        return QSizeF(metrics.horizontalAdvance(text) + 4, line);
    };
    m_labels = m_curve.columns.empty()
                   ? StepLabels{}
                   : placeLabels(m_curve, m_geometry, sizeOf(limitLabel()), sizeOf(markLabel()));
    update();
}

} // namespace vramscope
