// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/rank_matrix.h"
#include "ui/ranks/rank_picture.h"

#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// What stands in a heat map from top to bottom.
struct HeatRow
{
    enum class Kind {
        Rank,     ///< one of RankedRun::ranks
        Missing,  ///< ranks of which there is no file: all of a range
        Unusable, ///< a file that was meant to be a rank
        Group     ///< the title of a group, or all of it where it is folded
    };
    Kind kind = Kind::Rank;
    std::size_t index = 0; ///< into ranks, ranges of missing ones, unusable ones, or groups
    double weight = 1;     ///< of its height among the rows that share what is left
};

/// Which rows there are, in order. Groups have titles in the order by group alone; `folded`, by
/// group, leaves their ranks away. What is missing stands at its number, else at the end; a range
/// weighs no more than all ranks that are there. With a filter (`kept`, by rank) nothing is missing
/// and no title is empty.
[[nodiscard]] std::vector<HeatRow> heatRows(const RunStudy &study, RankOrder order,
                                            std::span<const std::uint8_t> folded,
                                            std::span<const std::uint8_t> kept);

/// Where the rows of a heat map stand, in pixels from the top of all of them.
class HeatLayout
{
public:
    static constexpr double kTitleHeight = 22;
    static constexpr double kBandHeight = 46;

    HeatLayout() = default;
    /// They fill `height`, `zoom` times as high where that is more than 1, and none of them is less
    /// than a title needs.
    HeatLayout(std::vector<HeatRow> rows, std::span<const std::uint8_t> folded, double height,
               double zoom);

    [[nodiscard]] const std::vector<HeatRow> &rows() const { return m_rows; }
    [[nodiscard]] double height() const { return m_tops.empty() ? 0 : m_tops.back(); }
    [[nodiscard]] double top(std::size_t row) const { return m_tops[row]; }
    [[nodiscard]] double bottom(std::size_t row) const { return m_tops[row + 1]; }
    /// The height of a row of one rank.
    [[nodiscard]] double rankHeight() const { return m_rankHeight; }

    /// The rows that show in the pixels from `top` up to `bottom`: from the first to before the
    /// second. One that a pixel cuts is in both.
    [[nodiscard]] std::pair<std::size_t, std::size_t> rowsBetween(double top, double bottom) const;
    /// The row of a rank; none where it is folded away or filtered out.
    [[nodiscard]] std::optional<std::size_t> rowOf(std::size_t rank) const;

private:
    std::vector<HeatRow> m_rows;
    std::vector<double> m_tops;       ///< one more than rows
    std::vector<std::size_t> m_rowOf; ///< by rank; beyond the rows: none
    double m_rankHeight = 1;
};

/// The ranks among some rows, and what else stands there.
struct HeatPixel
{
    std::vector<std::size_t> ranks;
    std::size_t missing = 0;
    std::size_t unusable = 0;
};
[[nodiscard]] HeatPixel heatPixel(const HeatLayout &layout, double top, double bottom);

} // namespace vramscope
