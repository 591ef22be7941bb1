// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/heat_rows.h"

#include <algorithm>
#include <limits>

namespace vramscope {

namespace {

bool isFolded(std::span<const std::uint8_t> folded, std::size_t group)
{
    return group < folded.size() && folded[group] != 0;
}

/// What left no usable summary, by the number that it would stand at; what has none is last.
std::vector<std::pair<std::int64_t, HeatRow>> absentRows(const RunStudy &study)
{
    const double most = std::max(16.0, static_cast<double>(study.count()));
    std::vector<std::pair<std::int64_t, HeatRow>> rows;
    for (std::size_t at = 0; at < study.run.missing.size(); ++at) {
        const RankRange &range = study.run.missing[at];
        const double count = static_cast<double>(range.last) - static_cast<double>(range.first) + 1;
        rows.push_back({range.first, {HeatRow::Kind::Missing, at, std::min(count, most)}});
    }
    for (std::size_t at = 0; at < study.run.unusable.size(); ++at)
        rows.push_back(
            {study.run.unusable[at].source.rank.value_or(std::numeric_limits<std::int64_t>::max()),
             {HeatRow::Kind::Unusable, at, 1}});
    std::ranges::stable_sort(rows, {}, [](const auto &each) { return each.first; });
    return rows;
}

} // namespace

std::vector<HeatRow> heatRows(const RunStudy &study, RankOrder order,
                              std::span<const std::uint8_t> folded,
                              std::span<const std::uint8_t> kept)
{
    std::vector<HeatRow> rows;
    std::vector<std::pair<std::int64_t, HeatRow>> absent;
    if (kept.empty())
        absent = absentRows(study);
    auto next = absent.begin();
    const auto addAbsent = [&](std::int64_t before) {
        for (; next != absent.end() && next->first < before; ++next)
            rows.push_back(next->second);
    };
    std::optional<std::size_t> group;
    for (const std::size_t rank : ranksInOrder(study, order)) {
        if (!kept.empty() && kept[rank] == 0)
            continue;
        if (order == RankOrder::Number)
            addAbsent(study.number(rank));
        const std::size_t of = study.findings.groupOf[rank];
        if (order == RankOrder::Group && group != of) {
            rows.push_back({HeatRow::Kind::Group, of, 0});
            group = of;
        }
        if (order != RankOrder::Group || !isFolded(folded, of))
            rows.push_back({HeatRow::Kind::Rank, rank, 1});
    }
    for (; next != absent.end(); ++next)
        rows.push_back(next->second);
    return rows;
}

HeatLayout::HeatLayout(std::vector<HeatRow> rows, std::span<const std::uint8_t> folded,
                       double height, double zoom)
    : m_rows(std::move(rows))
{
    double titles = 0;
    double weight = 0;
    std::size_t ranks = 0;
    const auto titleHeight = [&](const HeatRow &row) {
        return isFolded(folded, row.index) ? kBandHeight : kTitleHeight;
    };
    for (const HeatRow &row : m_rows) {
        if (row.kind == HeatRow::Kind::Group)
            titles += titleHeight(row);
        else
            weight += row.weight;
        if (row.kind == HeatRow::Kind::Rank)
            ranks = std::max(ranks, row.index + 1);
    }
    constexpr double kLeastShare = 0.5; // of the height is for ranks, however many titles there are
    constexpr double kHighestRank = 28;
    const double left = std::max(height - titles, height * kLeastShare);
    m_rankHeight = weight > 0 ? std::min(left / weight, kHighestRank) * std::max(1.0, zoom) : 0;
    m_rowOf.assign(ranks, m_rows.size());
    m_tops.reserve(m_rows.size() + 1);
    double top = 0;
    for (std::size_t at = 0; at < m_rows.size(); ++at) {
        const HeatRow &row = m_rows[at];
        m_tops.push_back(top);
        top += row.kind == HeatRow::Kind::Group ? titleHeight(row) : row.weight * m_rankHeight;
        if (row.kind == HeatRow::Kind::Rank)
            m_rowOf[row.index] = at;
    }
    m_tops.push_back(top);
}

std::pair<std::size_t, std::size_t> HeatLayout::rowsBetween(double top, double bottom) const
{
    if (m_rows.empty() || bottom <= 0 || top >= height())
        return {0, 0};
    const auto after = std::ranges::upper_bound(m_tops, top);
    const std::size_t first =
        after == m_tops.begin() ? 0 : static_cast<std::size_t>(after - m_tops.begin()) - 1;
    const auto end = std::ranges::lower_bound(m_tops, bottom);
    return {std::min(first, m_rows.size()),
            std::min(static_cast<std::size_t>(end - m_tops.begin()), m_rows.size())};
}

std::optional<std::size_t> HeatLayout::rowOf(std::size_t rank) const
{
    if (rank >= m_rowOf.size() || m_rowOf[rank] >= m_rows.size())
        return {};
    return m_rowOf[rank];
}

HeatPixel heatPixel(const HeatLayout &layout, double top, double bottom)
{
    HeatPixel pixel;
    const auto [first, end] = layout.rowsBetween(top, bottom);
    for (std::size_t at = first; at < end; ++at) {
        const HeatRow &row = layout.rows()[at];
        if (row.kind == HeatRow::Kind::Rank)
            pixel.ranks.push_back(row.index);
        else if (row.kind == HeatRow::Kind::Missing)
            ++pixel.missing;
        else if (row.kind == HeatRow::Kind::Unusable)
            ++pixel.unusable;
    }
    return pixel;
}

} // namespace vramscope
