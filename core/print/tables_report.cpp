// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/tables_report.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/print/cells.h"
#include "core/print/profile_text_parts.h"
#include "core/profile/kernel_counters.h"
#include "core/table/text_table.h"

#include <nlohmann/json.hpp>

#include <charconv>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

using TablesJson = nlohmann::ordered_json;

constexpr std::size_t kTableNameWidth = 52;

std::string headText(const ProfilerTables &tables, const std::string &file)
{
    std::string text = printable(file) + ": ";
    if (tables.tool == TableTool::NsightCompute && !tables.launches.empty())
        text += (tables.launches.size() == 1
                     ? "1 launch"
                     : counted(static_cast<std::int64_t>(tables.launches.size()), "launch")) +
                " under Nsight Compute, " +
                counted(static_cast<std::int64_t>(tables.tables.front().columns.size()), "column");
    else
        text += counted(static_cast<std::int64_t>(tables.tables.size()), "table") + " of " +
                std::string(textOf(tables.tool));
    return text + "\n";
}

std::string cellText(const TableColumn &column, std::string_view cell)
{
    const auto number = column.isNumber ? numberOf(cell) : std::nullopt;
    const auto time = number ? nanosecondsOf(*number, column.unit) : std::nullopt;
    return time ? formatNanoseconds(*time) : elided(printable(cell), kTableNameWidth);
}

std::string tableText(const CellTable &written, std::size_t most)
{
    std::vector<Align> aligns;
    std::vector<std::string> head;
    for (const TableColumn &column : written.columns) {
        aligns.push_back(column.isNumber ? Align::Right : Align::Left);
        const bool isTime = column.isNumber && nanosecondsOf(0, column.unit);
        head.push_back(printable(column.name +
                                 (column.unit.empty() || isTime ? "" : " (" + column.unit + ")")));
    }
    TextTable table(std::move(aligns));
    table.addRow(std::move(head));
    for (std::size_t row = 0; row < shownRows(written.rowCount(), most); ++row) {
        std::vector<std::string> cells;
        for (std::size_t column = 0; column < written.columns.size(); ++column)
            cells.push_back(cellText(written.columns[column], written.cell(row, column)));
        table.addRow(std::move(cells));
    }
    return "\n" + printable(written.title) + ":\n" + table.text() +
           leftOut(written.rowCount(), most);
}

std::string launchesText(const ProfilerTables &tables, std::size_t most)
{
    const std::vector<CountedKernel> kernels = countedKernels(tables);
    TextTable table(
        {Align::Right, Align::Right, Align::Right, Align::Right, Align::Right, Align::Left});
    table.addRow({"time", "launches", "occupancy", "SM", "DRAM", "kernel"});
    for (std::size_t at = 0; at < shownRows(kernels.size(), most); ++at) {
        const CountedKernel &each = kernels[at];
        table.addRow({each.hasTime ? formatNanoseconds(each.time) : "?",
                      formatCount(each.means.joined()),
                      counterText(each.means.mean(KernelCounter::Occupancy)),
                      counterText(each.means.mean(KernelCounter::SmThroughput)),
                      counterText(each.means.mean(KernelCounter::DramThroughput)),
                      elided(printable(each.name), kTableNameWidth)});
    }
    return "\nKernels (achieved occupancy, and SM and DRAM throughput of the peak, weighted by "
           "time):\n" +
           table.text() + leftOut(kernels.size(), most) +
           wrapped(std::string(kCounterTimes) +
                       " --json has every metric; profile TRACE --counters FILE joins them to the "
                       "kernels of a recording.",
                   kTableWidth) +
           "\n";
}

TablesJson cellJson(const TableColumn &column, std::string_view cell)
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

std::string counterText(const std::optional<double> &percent)
{
    return percent ? formatNumber(*percent, 3) + " %" : "?";
}

std::string profilerTablesText(const ProfilerTables &tables, const std::string &file,
                               std::size_t most)
{
    std::string text = headText(tables, file);
    for (const std::string &problem : tables.problems)
        text += wrapped(printable(problem), kTableWidth) + "\n";
    if (!tables.launches.empty())
        return text + launchesText(tables, most);
    for (const CellTable &table : tables.tables)
        text += tableText(table, most);
    return text;
}

std::string profilerTablesJson(const ProfilerTables &tables, const std::string &file,
                               std::size_t most)
{
    TablesJson json{{"file", file}, {"tool", textOf(tables.tool)}, {"tables", TablesJson::array()}};
    for (const CellTable &table : tables.tables) {
        TablesJson columns = TablesJson::array();
        for (const TableColumn &column : table.columns)
            columns.push_back({{"name", column.name}, {"unit", column.unit}});
        TablesJson rows = TablesJson::array();
        for (std::size_t row = 0; row < shownRows(table.rowCount(), most); ++row) {
            TablesJson cells = TablesJson::array();
            for (std::size_t column = 0; column < table.columns.size(); ++column)
                cells.push_back(cellJson(table.columns[column], table.cell(row, column)));
            rows.push_back(std::move(cells));
        }
        json["tables"].push_back(
            {{"title", table.title}, {"columns", std::move(columns)}, {"rows", std::move(rows)}});
    }
    json["problems"] = tables.problems;
    return jsonText(json);
}

} // namespace vramscope
