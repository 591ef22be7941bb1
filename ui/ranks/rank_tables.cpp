// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/rank_tables.h"

#include "core/describe/ranks_tables.h"

#include <algorithm>
#include <array>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr std::array<QStringView, 4> kTabNames{u"ranks", u"collectives", u"matches", u"runs"};

/// The file names a row here, and so it comes first.
DataTable rankTable(const RunStudy &study, std::vector<RankRow> rows, ByteUnit unit)
{
    DataTable table = ranksTable(study, std::move(rows), unit);
    std::rotate(table.columns.begin(), std::prev(table.columns.end()), table.columns.end());
    table.note = "Return opens a rank";
    return table;
}

std::vector<RunRow> runRows(const RankProfiles &ranks)
{
    std::vector<RunRow> rows;
    for (const RankProfile &rank : ranks.ranks) {
        if (auto row = runRow(rank.file, *rank.study))
            rows.push_back(*std::move(row));
    }
    return rows;
}

} // namespace

QString nameOf(RanksTab tab)
{
    return kTabNames[static_cast<std::size_t>(tab)].toString();
}

std::optional<RanksTab> ranksTabNamed(QStringView name)
{
    const auto found = std::ranges::find(kTabNames, name);
    return found == kTabNames.end()
               ? std::nullopt
               : std::optional(static_cast<RanksTab>(found - kTabNames.begin()));
}

std::vector<RanksTab> tabsOf(const RunStudy &study)
{
    if (!study.traces)
        return {RanksTab::Ranks};
    return {RanksTab::Ranks, RanksTab::Collectives, RanksTab::Matches, RanksTab::Runs};
}

DataTable dataTable(const RunStudy &study, RanksTab tab, ByteUnit unit)
{
    return shownColumns(tab == RanksTab::Ranks         ? rankTable(study, rankRows(study), unit)
                        : tab == RanksTab::Collectives ? collectivesTable(study.traces->ranks)
                        : tab == RanksTab::Matches     ? matchesTable(study.traces->ranks)
                                                       : runsTable(runRows(study.traces->ranks)));
}

DataTable shownTable(const RunStudy &study, RanksTab tab, ByteUnit unit,
                     std::span<const std::uint8_t> kept)
{
    DataTable table = dataTable(study, tab, unit);
    if (tab != RanksTab::Ranks || kept.empty())
        return table;
    std::vector<RankRow> rows = rankRows(study);
    std::erase_if(rows, [&](const RankRow &row) { return kept[row.rank] == 0; });
    DataTable some = rankTable(study, std::move(rows), unit);
    std::erase_if(some.columns, [&](const DataTable::Column &column) {
        return !table.columnOf(column.key); // a filter changes rows alone
    });
    return some;
}

} // namespace vramscope
