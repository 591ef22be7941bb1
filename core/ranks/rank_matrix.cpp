// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/rank_matrix.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vramscope {

namespace {

/// States of a rank's memory: before its first event, and after each.
double statesOf(const RankSummary &rank)
{
    return static_cast<double>(rank.figures.events) + 1;
}

bool isTimed(const RankSummary &rank)
{
    return rank.hasMemory && rank.firstTime && rank.lastTime && *rank.firstTime <= *rank.lastTime &&
           (rank.begins.empty() || rank.begins.size() == rank.active.highest.size());
}

/// When a column of a rank's curve begins, in µs since 1970. Where only the ends are known, the
/// columns share the time between them evenly.
double columnTime(const RankSummary &rank, std::size_t column)
{
    const auto first = static_cast<double>(*rank.firstTime);
    const auto last = static_cast<double>(*rank.lastTime);
    if (column >= rank.active.highest.size())
        return last;
    if (!rank.begins.empty())
        return first + static_cast<double>(rank.begins[column]);
    return first + (last - first) * static_cast<double>(column) /
                       static_cast<double>(rank.active.highest.size());
}

/// Whether most ranks were recorded over a good part of the time that any of them was: else a
/// picture over time is empty but for a few.
bool shareTheirTime(const RankedRun &run)
{
    constexpr std::int64_t kPart = 4;
    std::vector<std::int64_t> spans;
    std::int64_t first = std::numeric_limits<std::int64_t>::max();
    std::int64_t last = std::numeric_limits<std::int64_t>::min();
    for (const RankSummary &rank : run.ranks) {
        if (!rank.hasMemory)
            continue;
        spans.push_back(wrappingDifference(*rank.lastTime, *rank.firstTime));
        first = std::min(first, *rank.firstTime);
        last = std::max(last, *rank.lastTime);
    }
    if (spans.empty())
        return false;
    const auto middle = spans.begin() + static_cast<std::ptrdiff_t>(spans.size() / 2);
    std::ranges::nth_element(spans, middle);
    return *middle >= wrappingDifference(last, first) / kPart;
}

} // namespace

RankMatrix::RankMatrix(const RankedRun &run, RankAxis axis, std::size_t columns)
    : m_axis(axis)
    , m_areCurvesRead(run.areCurvesRead)
{
    constexpr double kNone = std::numeric_limits<double>::max();
    double begin = kNone;
    double end = -kNone;
    std::int64_t start = std::numeric_limits<std::int64_t>::max();
    for (const RankSummary &rank : run.ranks) {
        if (axis == RankAxis::Time && isTimed(rank))
            start = std::min(start, *rank.firstTime);
    }
    m_start = start;
    for (const RankSummary &rank : run.ranks) {
        if (axis == RankAxis::Events) {
            begin = 0;
            end = std::max(end, m_areCurvesRead ? static_cast<double>(rank.active.events) + 1
                                                : statesOf(rank));
        } else if (axis == RankAxis::Steps) {
            for (const SummaryStep &step : rank.steps.rows) {
                begin = std::min(begin, static_cast<double>(step.number));
                end = std::max(
                    end, static_cast<double>(step.number) +
                             static_cast<double>(std::max<std::int64_t>(1, rank.steps.perRow)));
            }
        } else if (isTimed(rank)) {
            begin = 0;
            end = std::max(end, static_cast<double>(*rank.lastTime) - static_cast<double>(start));
        }
    }
    if (begin == kNone)
        return;
    m_begin = begin;
    m_end = std::max(end, begin + 1);
    // Of fewer steps each has one column.
    m_columns = axis == RankAxis::Steps
                    ? static_cast<std::size_t>(
                          std::min(static_cast<double>(columns), std::ceil(m_end - m_begin)))
                    : columns;
    m_bytes.assign(run.ranks.size() * m_columns, kNoBytes);
    for (std::size_t at = 0; at < run.ranks.size(); ++at) {
        float *row = m_bytes.data() + at * m_columns;
        eachPiece(run.ranks[at], [row](std::size_t first, std::size_t last, Bytes bytes) {
            const auto value = static_cast<float>(bytes);
            for (std::size_t column = first; column <= last; ++column)
                row[column] = std::max(row[column], value);
        });
    }
}

template<class Use>
void RankMatrix::eachPiece(const RankSummary &rank, Use use) const
{
    const auto put = [&](double from, double to, Bytes bytes) {
        const auto most = static_cast<double>(m_columns) - 1;
        // What begins inside a column is in it; what ends where a column begins is not.
        const double first = std::clamp(std::floor(columnAt(from)), 0.0, most);
        const double last = std::clamp(std::ceil(columnAt(to)) - 1, first, most);
        use(static_cast<std::size_t>(first), static_cast<std::size_t>(last), bytes);
    };
    if (m_axis == RankAxis::Steps) {
        const auto share = static_cast<double>(std::max<std::int64_t>(1, rank.steps.perRow));
        for (const SummaryStep &step : rank.steps.rows) {
            const auto number = static_cast<double>(step.number);
            put(number, number + share, step.peakActive);
        }
        return;
    }
    if (m_axis == RankAxis::Time && !isTimed(rank))
        return;
    if (!rank.hasMemory)
        return;
    if (!m_areCurvesRead) {
        const double begin = m_axis == RankAxis::Time ? static_cast<double>(*rank.firstTime) -
                                                            static_cast<double>(m_start)
                                                      : 0;
        const double length = m_axis == RankAxis::Time ? static_cast<double>(*rank.lastTime) -
                                                             static_cast<double>(*rank.firstTime)
                                                       : statesOf(rank);
        return put(begin, begin + length, rank.figures.peakActive);
    }
    const std::size_t count = rank.active.highest.size();
    const double states = static_cast<double>(rank.active.events) + 1;
    const auto place = [&](std::size_t column) {
        return m_axis == RankAxis::Time
                   ? columnTime(rank, column) - static_cast<double>(m_start)
                   : states * static_cast<double>(column) / static_cast<double>(count);
    };
    for (std::size_t at = 0; at < count; ++at)
        put(place(at), place(at + 1), rank.active.highest[at]);
}

std::optional<double> RankMatrix::placeOf(const SummaryFailure &failure) const
{
    if (m_axis == RankAxis::Events)
        return static_cast<double>(failure.event) + 1.5;
    if (m_axis == RankAxis::Steps || !failure.time)
        return {};
    return static_cast<double>(*failure.time) - static_cast<double>(m_start);
}

std::optional<Bytes> RankMatrix::highestIn(const RankSummary &rank, std::size_t column) const
{
    std::optional<Bytes> highest;
    eachPiece(rank, [&](std::size_t first, std::size_t last, Bytes bytes) {
        if (first <= column && column <= last)
            highest = std::max(highest.value_or(bytes), bytes);
    });
    return highest;
}

std::vector<RankAxis> axesOf(const RankedRun &run)
{
    std::vector<RankAxis> axes;
    const bool hasTimes = std::ranges::all_of(run.ranks, [&run](const RankSummary &rank) {
        return !rank.hasMemory || (isTimed(rank) && (!run.areCurvesRead || !rank.begins.empty()));
    });
    axes.push_back(RankAxis::Events);
    if (hasTimes && !run.ranks.empty())
        axes.insert(shareTheirTime(run) ? axes.begin() : axes.end(), RankAxis::Time);
    if (std::ranges::any_of(run.ranks,
                            [](const RankSummary &rank) { return rank.steps.rows.size() > 1; }))
        axes.push_back(RankAxis::Steps);
    return axes;
}

std::vector<float> columnMedians(const RankMatrix &matrix, std::span<const std::size_t> ranks)
{
    std::vector<float> medians(matrix.columns(), RankMatrix::kNoBytes);
    std::vector<float> values;
    for (std::size_t column = 0; column < matrix.columns(); ++column) {
        values.clear();
        for (const std::size_t rank : ranks) {
            if (const float bytes = matrix.row(rank)[column]; bytes >= 0)
                values.push_back(bytes);
        }
        if (values.empty())
            continue;
        const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::ranges::nth_element(values, middle);
        medians[column] = *middle;
    }
    return medians;
}

ColumnRange columnRange(const RankMatrix &matrix, std::span<const std::size_t> ranks)
{
    ColumnRange range{std::vector<float>(matrix.columns(), RankMatrix::kNoBytes),
                      std::vector<float>(matrix.columns(), RankMatrix::kNoBytes)};
    for (const std::size_t rank : ranks) {
        const std::span<const float> row = matrix.row(rank);
        for (std::size_t at = 0; at < row.size(); ++at) {
            if (row[at] < 0)
                continue;
            range.highest[at] = std::max(range.highest[at], row[at]);
            range.lowest[at] = range.lowest[at] < 0 ? row[at] : std::min(range.lowest[at], row[at]);
        }
    }
    return range;
}

std::vector<float> highestOf(const RankMatrix &matrix, std::span<const std::size_t> ranks)
{
    std::vector<float> row(matrix.columns(), RankMatrix::kNoBytes);
    for (const std::size_t rank : ranks) {
        const std::span<const float> bytes = matrix.row(rank);
        for (std::size_t at = 0; at < row.size(); ++at)
            row[at] = std::max(row[at], bytes[at]);
    }
    return row;
}

std::vector<float> farthestOf(const RankMatrix &matrix, std::span<const std::vector<float>> medians,
                              std::span<const std::size_t> groupOf,
                              std::span<const std::size_t> ranks)
{
    std::vector<float> row(matrix.columns(), std::numeric_limits<float>::quiet_NaN());
    for (const std::size_t rank : ranks) {
        const std::span<const float> bytes = matrix.row(rank);
        const std::vector<float> &median = medians[groupOf[rank]];
        for (std::size_t at = 0; at < row.size(); ++at) {
            if (bytes[at] < 0)
                continue;
            const float apart = bytes[at] - median[at];
            if (std::isnan(row[at]) || std::fabs(apart) > std::fabs(row[at]))
                row[at] = apart;
        }
    }
    return row;
}

} // namespace vramscope
