// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/parts.h"

#include <QRectF>
#include <QString>

#include <optional>
#include <vector>

namespace vramscope {

/// A point of a course of memory: what is there, and which moment of the plan tells more of it.
struct StepColumn
{
    QString name;      ///< "Forward, block 3 of 32, while it runs"
    QString moment;    ///< as in Estimate::moments: what a click selects; empty: nothing
    bool own = false;  ///< it is that moment itself, not only near it
    bool wide = false; ///< stands for itself and has room, however many others there are
    PartBytes parts{};
    [[nodiscard]] Bytes total() const;
    bool operator==(const StepColumn &) const = default;
};

/// Neighbouring columns under one name.
struct StepCurvePhase
{
    QString title;
    QString shortTitle; ///< where there is no room for the title
    int first = 0;
    int count = 0;
    bool operator==(const StepCurvePhase &) const = default;
};

/// What a StepChart shows: stacked columns in order of time (or of sequences), the phases under
/// them, a limit and one marked column.
struct StepCurve
{
    std::vector<StepColumn> columns;
    std::vector<StepCurvePhase> phases;
    std::optional<Bytes> limit;
    QString limitName; ///< "capacity"
    std::optional<int> marked;
    QString markText;  ///< "peak %1, at the loss", with %1 for the bytes
    QString emptyText; ///< said where there are no columns
    bool operator==(const StepCurve &) const = default;
};

/// Columns of one pixel or more: those that share a pixel are stood for by the highest of them.
struct StepSlot
{
    int left = 0;
    int right = 0;
    int column = 0;
};

/// Where a curve lies on the screen: pure coordinates, which painting and hit test share.
struct StepGeometry
{
    QRectF plot;
    double range = 1;          ///< bytes at the top of the plot
    std::vector<double> edges; ///< left edges of the columns, and the right one of the last

    [[nodiscard]] double y(double bytes) const;
    [[nodiscard]] double middle(int column) const;
    /// The column painted at a pixel.
    [[nodiscard]] std::optional<int> columnAt(const StepCurve &curve, double x) const;
    /// What is painted from left to right, without gaps.
    [[nodiscard]] std::vector<StepSlot> painted(const StepCurve &curve) const;
    /// The part whose stretch of a column is at y; nothing above the stack.
    [[nodiscard]] std::optional<std::size_t> partAt(const StepColumn &column, double y) const;
};

/// Divides the width of a plot among the columns: wide ones have `least` pixels (of their phase's
/// name) as long as they leave half to the others, which share the rest equally.
[[nodiscard]] std::vector<double> columnEdges(const StepCurve &curve, double left, double width,
                                              const std::vector<double> &least);

/// Where the names of the limit and of the mark stand, so that neither covers the other, the line
/// of the limit, or the stack.
struct StepLabels
{
    QRectF limit;
    QRectF mark;
};
[[nodiscard]] StepLabels placeLabels(const StepCurve &curve, const StepGeometry &geometry,
                                     QSizeF limit, QSizeF mark);

} // namespace vramscope
