// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/parts.h"

#include <QRectF>
#include <QString>

#include <array>
#include <optional>
#include <vector>

namespace vramscope {

/// A point of a memory curve: its bytes, and the moment of the plan with more detail.
struct StepColumn
{
    QString name;      ///< "Forward, block 3 of 32, while it runs"
    QString moment;    ///< as in Estimate::moments: what a click selects; empty: nothing
    bool own = false;  ///< it is that moment itself, not only near it
    bool wide = false; ///< always drawn on its own with room, however many others there are
    PartBytes parts{};
    [[nodiscard]] Bytes total() const { return totalOf(parts); }
    bool operator==(const StepColumn &) const = default;
};

/// Neighbouring columns under one name.
struct StepCurvePhase
{
    QString title;
    QString shortTitle; ///< used if there is no room for the title
    int first = 0;
    int count = 0;
    bool operator==(const StepCurvePhase &) const = default;
};

/// The content of a StepChart: stacked columns in order of time (or of sequences), the phases under
/// them, a limit and one marked column.
struct StepCurve
{
    std::vector<StepColumn> columns;
    std::vector<StepCurvePhase> phases;
    std::optional<Bytes> limit;
    QString limitName; ///< "capacity"
    /// What the device reports all the time, with the allocator's cache and what is outside it: the
    /// allocator keeps what the peak took.
    std::optional<Bytes> device;
    std::optional<int> marked;
    QString markText;  ///< "peak %1, at the loss", with %1 for the bytes
    QString emptyText; ///< shown if there are no columns
    bool operator==(const StepCurve &) const = default;
};

/// Columns of a few pixels or more: the highest represents all that share them, lest alternating
/// heights make stripes.
struct StepSlot
{
    int left = 0;
    int right = 0;
    int column = 0;
};

/// The pixels of a part in a column: from, to, counted downwards.
struct StepStretch
{
    int top = 0;
    int bottom = 0;
    bool isSeen = false; ///< at least half a pixel high
};
using PartStretches = std::array<StepStretch, kPartCount>;

/// The layout of a curve on the screen: pure coordinates, shared by painting and hit testing.
struct StepGeometry
{
    QRectF plot;
    double range = 1;          ///< bytes at the top of the plot
    std::vector<double> edges; ///< left edges of the columns, and the right one of the last
    /// What the parts at the bottom have in every column, each as a band of one height: bytes up to
    /// the top of each, from below. Empty: everything is to scale.
    std::vector<double> folded;

    /// The bytes below which nothing is to scale.
    [[nodiscard]] double base() const { return folded.empty() ? 0 : folded.back(); }
    /// The lowest pixel that is to scale.
    [[nodiscard]] double floor() const;
    [[nodiscard]] double y(double bytes) const;
    [[nodiscard]] PartStretches stretches(const StepColumn &column) const;
    [[nodiscard]] double middle(int column) const;
    /// The column painted at a pixel.
    [[nodiscard]] std::optional<int> columnAt(const StepCurve &curve, double x) const;
    /// The slots painted from left to right, without gaps.
    [[nodiscard]] std::vector<StepSlot> painted(const StepCurve &curve) const;
    /// The part of a column at y; nothing above the stack.
    [[nodiscard]] std::optional<std::size_t> partAt(const StepColumn &column, double y) const;
};

/// StepGeometry::folded of a curve: the parts at the bottom that hardly change, if they are most of
/// it and the limit lies above them; otherwise empty.
[[nodiscard]] std::vector<double> foldableParts(const StepCurve &curve);

/// Divides the width of a plot among the columns: wide ones have `least` pixels (of their phase's
/// name) as long as that leaves half to the others, which share the rest equally.
[[nodiscard]] std::vector<double> columnEdges(const StepCurve &curve, double left, double width,
                                              const std::vector<double> &least);

/// Places the labels of the limit and of the mark, so that neither covers the other, the line of
/// the limit, or the stack.
struct StepLabels
{
    QRectF limit;
    QRectF mark;
};
[[nodiscard]] StepLabels placeLabels(const StepCurve &curve, const StepGeometry &geometry,
                                     QSizeF limit, QSizeF mark);

} // namespace vramscope
