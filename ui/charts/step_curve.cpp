// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/step_curve.h"

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

constexpr double kMostForWide = 0.5; ///< share of the width
constexpr int kLeastSlot = 8;        ///< pixels
constexpr double kLabelGap = 4;
constexpr double kBand = 24;          ///< height of a folded part
constexpr double kBreak = 8;          ///< of the zigzag over them
constexpr double kConstantFrom = 0.6; ///< share of the highest column that is worth folding
constexpr double kSteady = 0.75;      ///< least share of its highest that a folded part always has

double heightOf(const StepCurve &curve, int column)
{
    return static_cast<double>(curve.columns[static_cast<std::size_t>(column)].total());
}

/// The highest bytes painted between two pixels.
double highestBetween(const StepCurve &curve, const StepGeometry &geometry, double left,
                      double right)
{
    double highest = 0;
    for (int column = 0; column < static_cast<int>(curve.columns.size()); ++column) {
        const auto at = static_cast<std::size_t>(column);
        if (geometry.edges[at + 1] >= left && geometry.edges[at] <= right)
            highest = std::max(highest, heightOf(curve, column));
    }
    return highest;
}

/// The label of the limit above its line, on the side where the stack is lower.
QRectF limitPlace(const StepCurve &curve, const StepGeometry &geometry, QSizeF size)
{
    const QRectF &plot = geometry.plot;
    const double bottom =
        std::max(geometry.y(static_cast<double>(*curve.limit)), plot.top()) - kLabelGap / 2;
    const double rightLeft = plot.right() - size.width();
    const bool left = highestBetween(curve, geometry, plot.left(), plot.left() + size.width()) <
                      highestBetween(curve, geometry, rightLeft, plot.right());
    return {QPointF(left ? plot.left() : rightLeft, bottom - size.height()), size};
}

/// The label of the mark over everything painted below it, clear of the line of the limit.
QRectF markPlace(const StepCurve &curve, const StepGeometry &geometry, QSizeF size, double left)
{
    const double stack =
        geometry.y(highestBetween(curve, geometry, left, left + size.width())) - kLabelGap;
    double bottom = stack;
    if (curve.limit) {
        const double line = geometry.y(static_cast<double>(*curve.limit));
        if (bottom - size.height() < line + 2 && bottom > line - 2)
            bottom = line - kLabelGap;
    }
    return {QPointF(left, bottom - size.height()), size};
}

} // namespace

double StepGeometry::floor() const
{
    return folded.empty() ? plot.bottom()
                          : plot.bottom() - kBand * static_cast<double>(folded.size()) - kBreak;
}

double StepGeometry::y(double bytes) const
{
    if (bytes > base() || folded.empty())
        return floor() -
               (range > base() ? (bytes - base()) / (range - base()) : 0) * (floor() - plot.top());
    double below = 0;
    double bands = 0;
    for (const double top : folded) {
        if (bytes <= top)
            return plot.bottom() - kBand * (bands + (bytes - below) / (top - below));
        below = top;
        ++bands;
    }
    return floor();
}

PartStretches StepGeometry::stretches(const StepColumn &column) const
{
    PartStretches found;
    double sum = 0;
    double bottom = y(sum);
    for (std::size_t part = 0; part < kPartCount; ++part) {
        sum += static_cast<double>(column.parts[part]);
        const double top = column.parts[part] == 0 ? bottom : y(sum);
        found[part] = {static_cast<int>(std::lround(top)), static_cast<int>(std::lround(bottom)),
                       bottom - top >= 0.5};
        bottom = top;
    }
    return found;
}

std::vector<double> foldableParts(const StepCurve &curve)
{
    if (curve.columns.empty())
        return {};
    std::vector<double> tops;
    Bytes base = 0;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        const auto bytes = [part](const StepColumn &column) { return column.parts[part]; };
        const auto [least, most] = std::ranges::minmax(curve.columns, {}, bytes);
        if (static_cast<double>(bytes(least)) < kSteady * static_cast<double>(bytes(most)))
            break;
        base += bytes(least);
        if (bytes(least) > 0)
            tops.push_back(static_cast<double>(base));
    }
    Bytes highest = 0;
    for (const StepColumn &column : curve.columns)
        highest = std::max(highest, column.total());
    const bool most = static_cast<double>(base) >= kConstantFrom * static_cast<double>(highest);
    return most && base < highest && (!curve.limit || *curve.limit > base) ? tops
                                                                           : std::vector<double>();
}

double StepGeometry::middle(int column) const
{
    const auto at = static_cast<std::size_t>(column);
    return (edges[at] + edges[at + 1]) / 2;
}

std::vector<StepSlot> StepGeometry::painted(const StepCurve &curve) const
{
    std::vector<StepSlot> slots_;
    double from = 0; // of the last slot
    for (int column = 0; column + 1 < static_cast<int>(edges.size()); ++column) {
        const auto at = static_cast<std::size_t>(column);
        const int left = static_cast<int>(std::lround(edges[at]));
        const int right = static_cast<int>(std::lround(edges[at + 1]));
        StepSlot *last = slots_.empty() ? nullptr : &slots_.back();
        const bool wide = curve.columns[at].wide ||
                          (last && curve.columns[static_cast<std::size_t>(last->column)].wide);
        const auto narrow = [&](int pixels, double width) {
            return pixels <= 1 || (!wide && width < kLeastSlot);
        };
        const bool open = // pixels that may be shared
            last && narrow(last->right - last->left, edges[at] - from);
        if (open && narrow(right - left, edges[at + 1] - edges[at]) &&
            (!wide || last->left == last->right || right == left)) {
            last->right = std::max(last->right, right);
            if (heightOf(curve, column) > heightOf(curve, last->column))
                last->column = column;
            continue;
        }
        if (last && last->left == last->right) // its pixel is the first of a wide neighbour
            last->right = left + 1;
        slots_.push_back({last ? std::max(left, last->right) : left, right, column});
        from = edges[at];
    }
    return slots_;
}

std::optional<int> StepGeometry::columnAt(const StepCurve &curve, double x) const
{
    for (const StepSlot &slot : painted(curve)) {
        if (x >= slot.left && x < slot.right)
            return slot.column;
    }
    return std::nullopt;
}

std::optional<std::size_t> StepGeometry::partAt(const StepColumn &column, double y_) const
{
    double from = 0;
    for (std::size_t part = 0; part < kPartCount; ++part) {
        const double to = from + static_cast<double>(column.parts[part]);
        if (column.parts[part] > 0 && y_ <= y(from) && y_ > y(to))
            return part;
        from = to;
    }
    return std::nullopt;
}

std::vector<double> columnEdges(const StepCurve &curve, double left, double width,
                                const std::vector<double> &least)
{
    double wide = 0;
    std::size_t others = 0;
    for (std::size_t at = 0; at < curve.columns.size(); ++at) {
        wide += curve.columns[at].wide ? least[at] : 0;
        others += !curve.columns[at].wide;
    }
    const double room = others > 0 ? kMostForWide * width : width;
    const bool stretched = others == 0 || wide > room;
    const double scale = wide > 0 && stretched ? room / wide : 1;
    const double each = others > 0 ? (width - wide * scale) / static_cast<double>(others) : 0;
    std::vector<double> edges{left};
    for (std::size_t at = 0; at < curve.columns.size(); ++at)
        edges.push_back(edges.back() + (curve.columns[at].wide ? least[at] * scale : each));
    return edges;
}

StepLabels placeLabels(const StepCurve &curve, const StepGeometry &geometry, QSizeF limit,
                       QSizeF mark)
{
    StepLabels labels;
    if (curve.limit)
        labels.limit = limitPlace(curve, geometry, limit);
    if (!curve.marked)
        return labels;
    const double middle = geometry.middle(*curve.marked);
    const double most = std::max(geometry.plot.right() - mark.width(), geometry.plot.left());
    const auto clear = [&](const QRectF &rect) {
        return !rect.intersects(labels.limit) && rect.top() >= 0;
    };
    for (const double wanted :
         {middle + kLabelGap, middle - kLabelGap - mark.width(), geometry.plot.left(), most}) {
        labels.mark =
            markPlace(curve, geometry, mark, std::clamp(wanted, geometry.plot.left(), most));
        if (clear(labels.mark))
            return labels;
    }
    // Both want the same place: the limit's name moves over the mark's.
    labels.mark = markPlace(curve, geometry, mark,
                            std::clamp(middle + kLabelGap, geometry.plot.left(), most));
    if (labels.mark.intersects(labels.limit))
        labels.mark.moveBottom(labels.limit.top() - 1);
    return labels;
}

} // namespace vramscope
