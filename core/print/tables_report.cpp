// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/tables_report.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/describe/profile_tables.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/profile/kernel_counters.h"

#include <charconv>
#include <system_error>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

std::string headText(const ProfilerTables &tables, const std::string &file)
{
    std::string text = printable(file) + ": ";
    if (tables.tool == TableTool::NsightCompute && !tables.launches.empty())
        text += (tables.launches.size() == 1 ? "1 launch"
                                             : counted(std::ssize(tables.launches), "launch")) +
                " under Nsight Compute, " +
                counted(std::ssize(tables.tables.front().columns), "column");
    else
        text +=
            counted(std::ssize(tables.tables), "table") + " of " + std::string(textOf(tables.tool));
    return text + "\n";
}

std::string tableText(const CellTable &written, std::size_t most)
{
    return "\n" + printable(written.title) + ":\n" +
           terminalText(profilerTable(written), {.most = most});
}

std::string launchesText(const ProfilerTables &tables, std::size_t most)
{
    const std::vector<std::string_view> keys{"time",
                                             "launches",
                                             "counters.achieved_occupancy",
                                             "counters.sm_throughput",
                                             "counters.dram_throughput",
                                             "name"};
    return "\nKernels (achieved occupancy, and SM and DRAM throughput of the peak, weighted by "
           "time):\n" +
           terminalText(countedKernelsTable(tables), {keys, most}) +
           paragraph(std::string(kCounterTimes) +
                     " --json has every metric; profile TRACE --counters FILE joins them to the "
                     "kernels of a recording.");
}

Json cellJson(const TableColumn &column, std::string_view cell)
{
    if (cell.empty())
        return {};
    if (!column.isNumber)
        return std::string(cell);
    std::int64_t whole = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), whole);
    if (error == std::errc() && end == cell.data() + cell.size())
        return whole;
    return numberOf(cell).value_or(0);
}

} // namespace

std::string profilerTablesText(const ProfilerTables &tables, const std::string &file,
                               std::size_t most)
{
    std::string text = headText(tables, file);
    for (const std::string &problem : tables.problems)
        text += paragraph(printable(problem));
    if (!tables.launches.empty())
        return text + launchesText(tables, most);
    for (const CellTable &table : tables.tables)
        text += tableText(table, most);
    return text;
}

std::string profilerTablesJson(const ProfilerTables &tables, const std::string &file,
                               std::size_t most)
{
    Json json{{"file", file}, {"tool", textOf(tables.tool)}, {"tables", Json::array()}};
    for (const CellTable &table : tables.tables) {
        const auto columnJson = [](const TableColumn &column) -> Json {
            return {{"name", column.name}, {"unit", column.unit}};
        };
        Json rows = Json::array();
        for (std::size_t row = 0; row < shownRows(table.rowCount(), most); ++row) {
            Json cells = Json::array();
            for (std::size_t column = 0; column < table.columns.size(); ++column)
                cells.push_back(cellJson(table.columns[column], table.cell(row, column)));
            rows.push_back(std::move(cells));
        }
        json["tables"].push_back({{"title", table.title},
                                  {"columns", listJson(table.columns, columnJson)},
                                  {"rows", std::move(rows)}});
    }
    json["problems"] = tables.problems;
    return jsonText(json);
}

} // namespace vramscope
