// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/bar_geometry.h"

#include "ui/support/text.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

double BarGeometry::position(double value) const
{
    const double share = range > 0 ? value / range : 0;
    return orientation == Qt::Horizontal ? plot.left() + share * plot.width()
                                         : plot.bottom() - share * plot.height();
}

double BarGeometry::pitch() const
{
    const double across = orientation == Qt::Horizontal ? plot.height() : plot.width();
    return count > 0 ? across / count : across;
}

QRectF BarGeometry::slot(int bar) const
{
    return orientation == Qt::Horizontal
               ? QRectF(plot.left(), plot.top() + bar * pitch(), plot.width(), pitch())
               : QRectF(plot.left() + bar * pitch(), plot.top(), pitch(), plot.height());
}

QRectF BarGeometry::rect(int bar, double from, double to) const
{
    const double thick = pitch() * thickness;
    const QPointF middle = slot(bar).center();
    const double low = std::min(position(from), position(to));
    const double high = std::max(position(from), position(to));
    return orientation == Qt::Horizontal ? QRectF(low, middle.y() - thick / 2, high - low, thick)
                                         : QRectF(middle.x() - thick / 2, low, thick, high - low);
}

double BarGeometry::valueAt(QPointF point) const
{
    return orientation == Qt::Horizontal
               ? (point.x() - plot.left()) / std::max(plot.width(), 1.0) * range
               : (plot.bottom() - point.y()) / std::max(plot.height(), 1.0) * range;
}

std::optional<int> BarGeometry::slotAt(QPointF point) const
{
    if (count == 0 || !plot.contains(point))
        return std::nullopt;
    const double across =
        orientation == Qt::Horizontal ? point.y() - plot.top() : point.x() - plot.left();
    return std::clamp(static_cast<int>(across / pitch()), 0, count - 1);
}

double labelBeside(double end, double width, std::optional<double> line, double edge)
{
    constexpr double kGap = 7;
    const auto isFree = [&](double left) {
        const bool crossed = line && *line > left - 4 && *line < left + width + 4;
        return left >= 0 && left + width <= edge && !crossed;
    };
    const double past = std::max(end, line.value_or(end));
    const double before = std::min(end, line.value_or(end));
    for (const double left : {end + kGap, past + kGap, end - kGap - width, before - kGap - width}) {
        if (isFree(left))
            return left;
    }
    return std::max(0.0, std::min(end + kGap, edge - width));
}

double labelAbove(double end, double height, std::optional<double> line, bool isLineLabelled)
{
    constexpr double kGap = 3;
    const double over = end - height - kGap;
    if (!line)
        return over;
    const double highest = *line - 1 - (isLineLabelled ? height + 2 : 0);
    const auto isFree = [&](double top) {
        return top >= 0 && (top + height <= highest || top >= *line + 1);
    };
    for (const double top : {over, highest - height - 1}) {
        if (isFree(top))
            return top;
    }
    return std::max(*line, end) + kGap;
}

double niceInterval(double range, int most)
{
    if (!(range > 0) || most < 1)
        return 1;
    const double power = std::pow(10.0, std::floor(std::log10(range / most)));
    for (const double factor : {1.0, 2.0, 5.0}) {
        if (range / (factor * power) <= most)
            return factor * power;
    }
    return 10 * power;
}

double levelInterval(double range, double height)
{
    return niceInterval(range, std::clamp(static_cast<int>(height / 34), 2, 8));
}

double gigaBytes(ByteUnit unit)
{
    return unit == ByteUnit::Binary ? static_cast<double>(kGiB) : 1e9;
}

QString tickText(double value, double interval)
{
    const int decimals = interval >= 1 ? 0 : static_cast<int>(std::ceil(-std::log10(interval)));
    return toQString(formatDecimals(value, decimals));
}

} // namespace vramscope
