// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/ranked_run.h"
#include "core/ranks/run_findings.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vramscope {

/// What ranks are put side by side on.
enum class RankAxis {
    Time,   ///< µs since the first event of any rank
    Events, ///< of each rank, from its first
    Steps,  ///< by their numbers
};

/// The active memory of all ranks in columns of one axis, as bytes that are good to colour by: of
/// each column the highest that it covers, never a mean. What was not recorded is kNoBytes. Where
/// the curves are not read yet a rank is its peak all along.
class RankMatrix
{
public:
    static constexpr float kNoBytes = -1;

    RankMatrix() = default;
    /// Of the curves of a run, or of its steps, into at most `columns` of them.
    RankMatrix(const RankedRun &run, RankAxis axis, std::size_t columns);

    [[nodiscard]] RankAxis axis() const { return m_axis; }
    [[nodiscard]] std::size_t columns() const { return m_columns; }
    [[nodiscard]] std::size_t rows() const
    {
        return m_columns == 0 ? 0 : m_bytes.size() / m_columns;
    }
    [[nodiscard]] std::span<const float> row(std::size_t rank) const
    {
        return {m_bytes.data() + rank * m_columns, m_columns};
    }
    /// What the first column begins with and the last ends before, in units of the axis.
    [[nodiscard]] double begin() const { return m_begin; }
    [[nodiscard]] double end() const { return m_end; }
    /// What a failed request of a rank stands at; nothing where that is not known.
    [[nodiscard]] std::optional<double> placeOf(const SummaryFailure &failure) const;
    /// The column that a place on the axis is in; may lie outside.
    [[nodiscard]] double columnAt(double place) const
    {
        return (place - m_begin) / (m_end - m_begin) * static_cast<double>(m_columns);
    }

    /// The highest that a column of a rank stands for, exactly; nothing where none was recorded.
    [[nodiscard]] std::optional<Bytes> highestIn(const RankSummary &rank, std::size_t column) const;

private:
    /// Calls use(first column, last column, bytes) for what is known of a rank.
    template<class Use>
    void eachPiece(const RankSummary &rank, Use use) const;

    RankAxis m_axis = RankAxis::Events;
    bool m_areCurvesRead = true;
    std::size_t m_columns = 0;
    double m_begin = 0;
    double m_end = 1;
    std::int64_t m_start = 0; ///< µs since 1970
    std::vector<float> m_bytes;
};

/// The axes that a run can be laid along, the most telling first: time, where every rank has it and
/// most were recorded over a good part of it, else events; steps where there are several.
[[nodiscard]] std::vector<RankAxis> axesOf(const RankedRun &run);

/// The median of each column of a matrix over some of its ranks, of those that recorded it.
[[nodiscard]] std::vector<float> columnMedians(const RankMatrix &matrix,
                                               std::span<const std::size_t> ranks);

/// The lowest and the highest of each column over some ranks; kNoBytes where none recorded it.
struct ColumnRange
{
    std::vector<float> lowest;
    std::vector<float> highest;
};
[[nodiscard]] ColumnRange columnRange(const RankMatrix &matrix, std::span<const std::size_t> ranks);

/// What a row of pixels that stands for some ranks shows: of every column the highest, never a
/// mean. Columns that none recorded are RankMatrix::kNoBytes.
[[nodiscard]] std::vector<float> highestOf(const RankMatrix &matrix,
                                           std::span<const std::size_t> ranks);

/// The same of their distances from the medians of their groups (by group, as columnMedians()
/// gives them): of every column the farthest, whichever way. NaN where none recorded it.
[[nodiscard]] std::vector<float> farthestOf(const RankMatrix &matrix,
                                            std::span<const std::vector<float>> medians,
                                            std::span<const std::size_t> groupOf,
                                            std::span<const std::size_t> ranks);

} // namespace vramscope
