// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/categories/groups.h"
#include "core/analysis/costs/category_rules.h"
#include "core/analysis/replayed/segment_lives.h"
#include "ui/timeline/band_colors.h"

#include <QString>

namespace vramscope {

/// The property that colours distinguish.
enum class ColorBy { Stack, Category, Size, Age, Stream, Pool, Metadata };
inline constexpr std::size_t kColorByCount = 7;
/// "stack", "category", "size", "age", "stream", "pool", "metadata": its name on the command line.
[[nodiscard]] QString colorByName(ColorBy by);
[[nodiscard]] std::optional<ColorBy> colorByNamed(QStringView name);

/// One entry of a legend: its colour and what has it.
struct LegendEntry
{
    QString text;
    QRgb color = 0;
    Bytes atPeak = 0;        ///< in use at the peak
    std::uint32_t group = 0; ///< index into Keys::keys of the grouping
};

/// Allocations coloured by a common property, and the meaning of each colour.
struct Coloring
{
    BandColors colors;
    Keys groups;                      ///< the groups that have colours
    std::vector<LegendEntry> entries; ///< most bytes at the peak first; the first few groups
    std::size_t unlisted = 0;         ///< groups without an entry
    std::vector<QString> names;       ///< by colour; empty where one colour has several groups
};

/// The groups with most bytes at `peak` take the series colours in turn, the first of them with a
/// legend entry; the others continue in turn, which only distinguishes neighbours.
[[nodiscard]] Coloring colorGroups(Keys groups, const Allocations &allocations, EventIndex peak);

/// What colours show unless somebody chooses: the category, once that is known well enough for most
/// of the peak, else the stack. Makes Study::peak().
[[nodiscard]] ColorBy usualColorBy(const Study &study);

/// The groups of a colouring. By stack if category is requested before Study::categories() is made.
[[nodiscard]] Keys colorKeys(ColorBy by, const Study &study);

/// The colours of segments, by LifeIndex: small, large and private pools apart.
[[nodiscard]] BandColors segmentColors(const SegmentLives &segments);

} // namespace vramscope
