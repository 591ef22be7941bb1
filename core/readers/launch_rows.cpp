// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/readers/decimal.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

constexpr std::size_t kNoColumn = std::numeric_limits<std::size_t>::max();

std::size_t columnOf(const CellTable &table, std::string_view name)
{
    const auto found = std::ranges::find(table.columns, name, &TableColumn::name);
    return found == table.columns.end() ? kNoColumn
                                        : static_cast<std::size_t>(found - table.columns.begin());
}

/// "(16384, 1, 1)", as grids and blocks are written.
std::array<std::int64_t, 3> shapeOf(std::string_view text)
{
    std::array<std::int64_t, 3> shape{kNotStated, kNotStated, kNotStated};
    if (!text.starts_with('('))
        return shape;
    text.remove_prefix(1);
    std::array<std::int64_t, 3> read{};
    for (std::int64_t &number : read) {
        text = text.substr(std::min(text.find_first_not_of(" ,"), text.size()));
        const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
        if (error != std::errc())
            return shape;
        text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    }
    return text == ")" ? read : shape;
}

/// The columns of a table that describe a launch.
struct LaunchColumns
{
    explicit LaunchColumns(const CellTable &table)
        : name(columnOf(table, "Kernel Name"))
        , device(columnOf(table, "Device"))
        , grid(columnOf(table, "Grid Size"))
        , block(columnOf(table, "Block Size"))
    {
    }

    [[nodiscard]] CounterLaunch launch(const CellTable &table, std::size_t row) const
    {
        CounterLaunch made;
        made.name = table.cell(row, name);
        if (device != kNoColumn)
            made.device = wholeNumber(table.cell(row, device)).value_or(made.device);
        if (grid != kNoColumn)
            made.grid = shapeOf(table.cell(row, grid));
        if (block != kNoColumn)
            made.block = shapeOf(table.cell(row, block));
        return made;
    }

    std::size_t name;
    std::size_t device;
    std::size_t grid;
    std::size_t block;
};

void take(CounterLaunch &launch, std::string_view metric, std::string_view unit,
          std::string_view cell)
{
    const std::optional<double> value = numberOf(cell);
    if (!value)
        return;
    if (isDuration(metric))
        launch.duration = nanosecondsOf(*value, unit).value_or(launch.duration);
    const auto counter = counterNamed(metric);
    if (!counter || unit != "%")
        return;
    auto &known = launch.values[static_cast<std::size_t>(*counter)];
    if (!known)
        known = value;
}

/// A row per launch; the first row, without an ID, holds the units.
void takeRaw(ProfilerTables &tables)
{
    const CellTable &written = tables.tables.front();
    const bool hasUnits = written.rowCount() > 0 && written.cell(0, 0).empty();
    CellTable table;
    table.title = written.title;
    table.columns = written.columns;
    for (std::size_t column = 0; hasUnits && column < table.columns.size(); ++column)
        table.columns[column].unit = written.cell(0, column);
    const LaunchColumns place(written);
    for (std::size_t row = hasUnits ? 1 : 0; row < written.rowCount(); ++row) {
        if (written.cell(row, 0).empty()) // units again, in concatenated files
            continue;
        CounterLaunch launch = place.launch(written, row);
        for (std::size_t column = 0; column < table.columns.size(); ++column) {
            const std::string_view cell = written.cell(row, column);
            table.add(cell);
            take(launch, table.columns[column].name, table.columns[column].unit, cell);
        }
        tables.launches.push_back(std::move(launch));
    }
    tables.tables.front() = std::move(table);
}

/// Turns a table with a row per metric into one with a row per launch.
class DetailRows
{
public:
    explicit DetailRows(const CellTable &written)
        : m_written(written)
        , m_section(columnOf(written, "Section Name"))
        , m_metric(columnOf(written, "Metric Name"))
        , m_unit(columnOf(written, "Metric Unit"))
        , m_value(columnOf(written, "Metric Value"))
        , m_process(columnOf(written, "Process ID"))
        , m_own(std::min({m_section, m_metric, m_unit, m_value}))
    {
    }

    [[nodiscard]] bool isWhole() const { return m_unit != kNoColumn && m_value != kNoColumn; }

    void read()
    {
        const LaunchColumns place(m_written);
        for (std::size_t row = 0; row < m_written.rowCount(); ++row) {
            if (m_first.empty() || !isSameLaunch(m_first.back(), row)) {
                m_first.push_back(row);
                m_launches.push_back(place.launch(m_written, row));
            }
            const std::string_view metric = m_written.cell(row, m_metric);
            if (metric.empty()) // what a rule advises
                continue;
            const std::string_view unit = m_written.cell(row, m_unit);
            take(m_launches.back(), metric, unit, m_written.cell(row, m_value));
            m_cells.push_back({m_first.size() - 1, metricColumn(row), row});
        }
    }

    [[nodiscard]] std::vector<CounterLaunch> launches() && { return std::move(m_launches); }

    /// Nothing if it would be far larger than the written table, for example if each launch has
    /// metrics of its own.
    [[nodiscard]] std::optional<CellTable> table() const
    {
        const std::size_t columns = m_own + m_metrics.size();
        constexpr std::size_t kSpread = 16; // cells for each written one
        if (m_first.size() > (m_written.rowCount() + 1) * kSpread / (columns + 1))
            return {};
        CellTable made;
        made.title = m_written.title;
        made.columns.assign(m_written.columns.begin(),
                            m_written.columns.begin() + static_cast<std::ptrdiff_t>(m_own));
        for (const Metric &metric : m_metrics)
            made.columns.push_back({metric.name, metric.hasOneUnit ? metric.unit : ""});
        auto next = m_cells.begin();
        std::vector<std::string> cells;
        for (std::size_t launch = 0; launch < m_first.size(); ++launch) {
            cells.assign(m_metrics.size(), {});
            for (; next != m_cells.end() && next->launch == launch; ++next)
                cells[next->metric] = shown(*next);
            for (std::size_t column = 0; column < m_own; ++column)
                made.add(m_written.cell(m_first[launch], column));
            for (const std::string &cell : cells)
                made.add(cell);
        }
        return made;
    }

private:
    struct Metric
    {
        std::string name;
        std::string unit;
        bool hasOneUnit = true;
    };
    struct Cell
    {
        std::size_t launch;
        std::size_t metric;
        std::size_t row;
    };

    [[nodiscard]] bool isSameLaunch(std::size_t first, std::size_t row) const
    {
        return m_written.cell(first, 0) == m_written.cell(row, 0) &&
               (m_process == kNoColumn ||
                m_written.cell(first, m_process) == m_written.cell(row, m_process));
    }

    /// The column by section and name; shares and rates with one name are separate, as "Memory
    /// Throughput" is both.
    std::size_t metricColumn(std::size_t row)
    {
        const std::string_view metric = m_written.cell(row, m_metric);
        const std::string_view unit = m_written.cell(row, m_unit);
        const std::string_view section =
            m_section == kNoColumn ? std::string_view() : m_written.cell(row, m_section);
        std::string key = std::string(section) + '\n' + std::string(metric) + '\n';
        key += unit == "%" ? "%" : "";
        const auto [known, isNew] = m_places.try_emplace(std::move(key), m_metrics.size());
        if (isNew)
            m_metrics.push_back({std::string(metric), std::string(unit)});
        Metric &column = m_metrics[known->second];
        column.hasOneUnit = column.hasOneUnit && column.unit == unit;
        return known->second;
    }

    [[nodiscard]] std::string shown(const Cell &cell) const
    {
        std::string text(m_written.cell(cell.row, m_value));
        if (!m_metrics[cell.metric].hasOneUnit)
            text += ' ' + std::string(m_written.cell(cell.row, m_unit));
        return text;
    }

    const CellTable &m_written;
    std::size_t m_section;
    std::size_t m_metric;
    std::size_t m_unit;
    std::size_t m_value;
    std::size_t m_process;
    std::size_t m_own;                // columns before those of the metric
    std::vector<std::size_t> m_first; // row of each launch
    std::vector<CounterLaunch> m_launches;
    std::vector<Metric> m_metrics;
    std::map<std::string, std::size_t> m_places;
    std::vector<Cell> m_cells; // by launch
};

/// Consecutive tables of one form, for example from several runs in one file, become one.
void joinAlike(std::vector<CellTable> &tables, std::vector<std::string> &problems)
{
    const auto namesOf = [](const CellTable &table) {
        std::vector<std::string> names;
        for (const TableColumn &column : table.columns)
            names.push_back(column.name);
        return names;
    };
    const auto names = namesOf(tables.front());
    std::size_t others = 0;
    for (std::size_t at = 1; at < tables.size(); ++at) {
        if (namesOf(tables[at]) != names) {
            ++others;
            continue;
        }
        for (std::size_t row = 0; row < tables[at].rowCount(); ++row) {
            for (std::size_t column = 0; column < names.size(); ++column)
                tables.front().add(tables[at].cell(row, column));
        }
    }
    tables.erase(tables.begin() + 1, tables.end());
    if (others > 0)
        problems.push_back(formatCount(static_cast<std::int64_t>(others)) +
                           (others == 1 ? " further table has" : " further tables have") +
                           " other columns than the first; left out. Open a file with one table.");
}

} // namespace

void takeLaunches(ProfilerTables &tables)
{
    joinAlike(tables.tables, tables.problems);
    CellTable &written = tables.tables.front();
    if (columnOf(written, "Invocations") != kNoColumn) {
        written.title = "Kernels, summed over their launches";
        tables.problems.emplace_back(
            "This is a summary by kernel (--print-summary), which does not tell launches apart: "
            "nothing of it can be joined to the kernels of a recording.");
        return;
    }
    if (columnOf(written, "Kernel Name") == kNoColumn) {
        tables.problems.emplace_back("The line with the names of the columns is damaged: it has no "
                                     "\"Kernel Name\", so that nothing of the table can be joined "
                                     "to the kernels of a recording. Export it again.");
        return;
    }
    if (columnOf(written, "Metric Name") == kNoColumn)
        return takeRaw(tables);
    DetailRows rows(written);
    if (!rows.isWhole()) {
        tables.problems.emplace_back("The columns \"Metric Unit\" and \"Metric Value\" are "
                                     "missing: no counter can be read.");
        return;
    }
    rows.read();
    auto table = rows.table();
    tables.launches = std::move(rows).launches();
    if (table)
        written = std::move(*table);
    else
        tables.problems.emplace_back("Launches have so many metrics that others lack that they are "
                                     "shown as they are written, a metric a row.");
}

} // namespace vramscope
