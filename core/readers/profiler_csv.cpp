// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/formats.h"

#include "core/base/csv.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/readers/cancel_guard.h"
#include "core/readers/utf8.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

constexpr std::size_t kLongestFile = std::size_t(1) << 30;
constexpr std::size_t kLongestRow = std::size_t(4) << 20;
constexpr std::size_t kMostColumns = 20'000; // the sets of Nsight Compute have at most about 3,000
constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A column from nsys's names in several versions: "Time(%)", "Start:ts_ns", "Avg (ns)".
TableColumn nsysColumn(std::string_view text)
{
    text = trimmed(text);
    struct Suffix
    {
        std::string_view end;
        std::string_view unit;
    };
    constexpr std::array kSuffixes{Suffix{":ts_ns", "ns"}, Suffix{":dur_ns", "ns"},
                                   Suffix{":mem_B", "B"}, Suffix{":thru_B", "B/s"}};
    for (const Suffix &each : kSuffixes) {
        if (text.ends_with(each.end))
            return {std::string(text.substr(0, text.size() - each.end.size())),
                    std::string(each.unit)};
    }
    for (const auto &[open, close] : {std::pair('(', ')'), std::pair('[', ']')}) {
        const std::size_t bracket = text.rfind(open);
        if (bracket == std::string_view::npos || bracket == 0 || !text.ends_with(close))
            continue;
        return {std::string(trimmed(text.substr(0, bracket))),
                std::string(text.substr(bracket + 1, text.size() - bracket - 2))};
    }
    return {std::string(text)};
}

/// The cells of a line without line breaks in quotes, as in headers.
std::vector<std::string_view> cellsOf(std::string_view line)
{
    std::vector<std::string_view> cells;
    constexpr std::size_t kLooked = 64; // enough to recognise a header
    while (!line.empty() && cells.size() < kLooked) {
        std::size_t end = std::min(line.find(','), line.size());
        std::string_view cell = line.substr(0, end);
        if (line.starts_with('"')) {
            const std::size_t quote = std::min(line.find('"', 1), line.size());
            cell = line.substr(1, quote - 1);
            end = std::min(line.find(',', quote), line.size());
        }
        cells.push_back(trimmed(cell));
        line.remove_prefix(std::min(end + 1, line.size()));
    }
    return cells;
}

bool isNsysHeader(std::span<const std::string_view> cells)
{
    constexpr std::array<std::string_view, 24> kFigures{
        "Time",      "Total Time", "Total",
        "Instances", "Num Calls",  "Count",
        "Calls",     "Operations", "Avg",
        "Average",   "Med",        "Min",
        "Minimum",   "Max",        "Maximum",
        "StdDev",    "Start",      "Duration",
        "End",       "CorrId",     "Total Proj Time",
        "Kern Inst", "NVTX Inst",  "Range Instances"};
    constexpr std::array<std::string_view, 8> kNames{"Name",       "Operation",   "Range",
                                                     "NVTX Range", "Kernel Name", "API Name",
                                                     "Event Type", "API Function"};
    int figures = 0;
    bool hasUnit = false;
    bool hasName = false;
    for (const std::string_view cell : cells) {
        const TableColumn column = nsysColumn(cell);
        figures += isOneOf(column.name, kFigures) ? 1 : 0;
        hasUnit = hasUnit || !column.unit.empty();
        hasName = hasName || isOneOf(column.name, kNames);
    }
    constexpr int kFewest = 2;
    return figures >= kFewest && hasUnit && hasName;
}

/// The columns of a table of fixed widths, from the dashes below its header: each from a byte up to
/// another.
using ColumnWidths = std::vector<std::pair<std::size_t, std::size_t>>;

/// The widths in " --------  ---------------"; empty for any other line.
ColumnWidths widthsOf(std::string_view rule)
{
    ColumnWidths widths;
    constexpr std::string_view kMarks = "- ";
    if (rule.find_first_not_of(kMarks) != std::string_view::npos)
        return widths;
    for (std::size_t at = rule.find('-'); at != std::string_view::npos && at < rule.size();) {
        const std::size_t end = std::min(rule.find(' ', at), rule.size());
        widths.emplace_back(at, end);
        at = rule.find('-', end);
    }
    return widths;
}

/// The cells of a line by these widths; the last goes on to the end of the line.
std::vector<std::string_view> cellsAt(std::string_view line, const ColumnWidths &widths)
{
    std::vector<std::string_view> cells;
    for (const auto &[begin, end] : widths) {
        if (begin >= line.size())
            break;
        const bool isLast = cells.size() + 1 == widths.size();
        cells.push_back(trimmed(line.substr(begin, isLast ? line.npos : end - begin)));
    }
    return cells;
}

/// "1234567.8" for "1,234,567.8", as these tables group digits; other text unchanged.
std::string withoutGrouping(std::string_view cell)
{
    constexpr std::string_view kOfNumber = "0123456789,.-";
    std::string text(cell);
    if (cell.find_first_not_of(kOfNumber) == std::string_view::npos)
        std::erase(text, ',');
    return text;
}

std::string_view lineAt(std::string_view text, std::size_t at)
{
    std::string_view line = text.substr(at, std::min(text.find('\n', at), text.size()) - at);
    if (line.ends_with('\r'))
        line.remove_suffix(1);
    return line;
}

/// The line after the one at `at`.
std::string_view nextLine(std::string_view text, std::size_t at)
{
    const std::size_t end = text.find('\n', at);
    return end == std::string_view::npos ? std::string_view() : lineAt(text, end + 1);
}

/// The widths of the table with its header at `at`, in the default format of "nsys stats"; empty if
/// no such table begins there.
ColumnWidths columnTableAt(std::string_view text, std::size_t at)
{
    ColumnWidths widths = widthsOf(nextLine(text, at));
    if (widths.size() < 2 || !isNsysHeader(cellsAt(lineAt(text, at), widths)))
        widths.clear();
    return widths;
}

/// The whole file as UTF-8: tables are small next to their recordings.
Result<std::string> textOf(ByteWindow &input, const Progress &progress)
{
    auto text = wholeOf(input, kLongestFile,
                        {ErrorCode::Unsupported,
                         "This table is larger than 1 GiB; let nsys or ncu write fewer rows."},
                        progress);
    if (!text.ok())
        return text;
    if (auto narrow = textOfUtf16(*text))
        return std::move(*narrow);
    if (text->starts_with(kByteOrderMark))
        text->erase(0, kByteOrderMark.size());
    return text;
}

/// Goes through the text, by lines in prose and by rows in a table.
class TableReader
{
public:
    TableReader(std::string_view text, const Progress &progress)
        : m_text(text)
        , m_progress(progress)
    {
    }

    Result<std::shared_ptr<const ProfilerTables>> read()
    {
        while (m_at < m_text.size()) {
            if (m_progress && !m_progress(fraction()))
                return readingCancelled();
            const std::string_view line = lineAt(m_text, m_at);
            const auto tool = tableHeader(line);
            if (const ColumnWidths widths = columnTableAt(m_text, m_at); !widths.empty()) {
                if (const auto taken = takeColumnTable(widths); !taken.ok())
                    return taken.error();
                continue;
            }
            if (!tool) {
                takeTitle(line);
                skipLine();
                continue;
            }
            if (const auto taken = takeTable(*tool); !taken.ok())
                return taken.error();
        }
        return finished();
    }

private:
    [[nodiscard]] double fraction() const
    {
        return 0.5 + static_cast<double>(m_at) / static_cast<double>(m_text.size()) / 2;
    }

    void skipLineEnd()
    {
        m_at += m_at < m_text.size() && m_text[m_at] == '\r' ? 1U : 0U;
        if (m_at < m_text.size() && m_text[m_at] == '\n') {
            ++m_at;
            ++m_line;
        }
    }

    /// Titles precede the tables: " ** CUDA API Summary (cuda_api_sum):", and in the notices of
    /// nsys: "Processing [r.sqlite] with [/…/reports/cuda_api_sum.py]... ".
    void takeTitle(std::string_view line)
    {
        line = trimmed(line);
        constexpr std::string_view kStars = "** ";
        constexpr std::string_view kWith = "] with [";
        if (line.starts_with(kStars) && line.ends_with(':')) {
            m_title = line.substr(kStars.size(), line.size() - kStars.size() - 1);
            return;
        }
        const std::size_t with = line.find(kWith);
        if (!line.starts_with("Processing [") || with == std::string_view::npos)
            return;
        std::string_view script = line.substr(with + kWith.size());
        script = script.substr(0, std::min(script.find(']'), script.size()));
        script = script.substr(script.find_last_of("/\\") + 1); // of npos: 0
        m_title = script.substr(0, std::min(script.find(".py"), script.size()));
    }

    enum class Ending : std::uint8_t { Whole, Cut };

    /// Reads the cells of the row that begins here into m_cells; cut: the text ends within a quote.
    Result<Ending> takeRow()
    {
        m_cells.clear();
        const std::size_t start = m_at;
        const std::int64_t line = m_line;
        while (true) {
            std::string &cell = m_cells.emplace_back();
            if (m_at < m_text.size() && m_text[m_at] == '"') {
                if (!takeQuoted(cell, start))
                    return m_at - start > kLongestRow ? Result<Ending>(unclosed(line))
                                                      : Ending::Cut;
            }
            const std::size_t end = std::min(m_text.find_first_of(",\n", m_at), m_text.size());
            cell += m_text.substr(m_at, end - m_at);
            m_at = end;
            if (m_at - start > kLongestRow)
                return csvError(line, "it is longer than 4 MiB, which no row of a table is; the "
                                      "file is damaged");
            if (m_cells.size() > kMostColumns)
                return csvError(line, "it has more than 20,000 columns, which no table of Nsight "
                                      "has; the file is damaged or something else");
            if (m_at >= m_text.size() || m_text[m_at] == '\n')
                break;
            ++m_at;
        }
        if (m_cells.back().ends_with('\r'))
            m_cells.back().pop_back();
        skipLineEnd();
        return Ending::Whole;
    }

    /// False if the quote is not closed within a row's length.
    bool takeQuoted(std::string &cell, std::size_t start)
    {
        ++m_at;
        while (m_at < m_text.size() && m_at - start <= kLongestRow) {
            const std::size_t quote = std::min(m_text.find('"', m_at), m_text.size());
            const std::string_view part = m_text.substr(m_at, quote - m_at);
            m_line += std::ranges::count(part, '\n');
            cell += part;
            m_at = std::min(quote + 1, m_text.size());
            if (quote >= m_text.size())
                return false;
            if (m_at >= m_text.size() || m_text[m_at] != '"')
                return true;
            cell += '"';
            ++m_at;
        }
        return false;
    }

    static Error unclosed(std::int64_t line)
    {
        return csvError(line, "a quote is opened and not closed within 4 MiB; the file is damaged");
    }

    /// The header and all rows below it.
    Result<void> takeTable(TableTool tool)
    {
        const auto header = takeRow();
        if (!header.ok())
            return header.error();
        if (*header == Ending::Cut)
            return csvError(m_line, "the file ends within the names of the columns");
        if (m_cells.back().empty()) // a comma ends each line
            m_cells.pop_back();
        if (!m_tables.tables.empty() && tool != m_tables.tool)
            return mixedTools();
        m_tables.tool = tool;
        CellTable table;
        table.title = std::exchange(m_title, {});
        for (const std::string &cell : m_cells)
            table.columns.push_back(tool == TableTool::NsysStats
                                        ? nsysColumn(cell)
                                        : TableColumn{std::string(trimmed(cell))});
        if (const auto rows = takeRows(tool, table); !rows.ok())
            return rows.error();
        m_tables.tables.push_back(std::move(table));
        return {};
    }

    /// A table of fixed widths up to the empty line below it.
    Result<void> takeColumnTable(const ColumnWidths &widths)
    {
        if (!m_tables.tables.empty() && m_tables.tool != TableTool::NsysStats)
            return mixedTools();
        m_tables.tool = TableTool::NsysStats;
        CellTable table;
        table.title = std::exchange(m_title, {});
        for (const std::string_view cell : cellsAt(lineAt(m_text, m_at), widths))
            table.columns.push_back(nsysColumn(cell));
        skipLine(); // the header
        skipLine(); // the dashes
        for (; m_at < m_text.size(); skipLine()) {
            const std::string_view line = lineAt(m_text, m_at);
            if (trimmed(line).empty())
                break;
            const auto cells = cellsAt(line, widths);
            if (cells.size() != table.columns.size()) {
                m_firstOdd = m_odd++ == 0 ? m_line : m_firstOdd;
                continue;
            }
            for (const std::string_view cell : cells)
                table.add(withoutGrouping(cell));
        }
        m_tables.tables.push_back(std::move(table));
        return {};
    }

    void skipLine()
    {
        m_at += lineAt(m_text, m_at).size();
        skipLineEnd();
    }

    [[nodiscard]] Error mixedTools() const
    {
        return csvError(m_line, "a table of another tool begins; keep those of nsys and of "
                                "Nsight Compute in files of their own");
    }

    Result<void> takeRows(TableTool tool, CellTable &table)
    {
        const std::size_t columns = table.columns.size();
        std::int64_t count = 0;
        while (m_at < m_text.size()) {
            constexpr std::int64_t kTick = 1024;
            if (count++ % kTick == 0 && m_progress && !m_progress(fraction()))
                return readingCancelled();
            const std::string_view line = lineAt(m_text, m_at);
            // A table of nsys ends at an empty line or the next title; output of the profiled
            // program between the rows of Nsight Compute is skipped.
            const bool isProse = line.find(',') == std::string_view::npos;
            if ((isProse && tool == TableTool::NsysStats && columns > 1) || tableHeader(line))
                return {};
            if ((isProse && columns > 1) || line.starts_with("==")) {
                m_at += line.size();
                skipLineEnd();
                continue;
            }
            const std::int64_t first = m_line;
            const auto row = takeRow();
            if (!row.ok())
                return row.error();
            if (*row == Ending::Cut) {
                m_tables.problems.push_back("Line " + std::to_string(first) +
                                            ": the file ends within it; it is left out.");
                return {};
            }
            if (m_cells.size() == columns + 1 && m_cells.back().empty())
                m_cells.pop_back();
            if (m_cells.size() != columns) {
                m_firstOdd = m_odd++ == 0 ? first : m_firstOdd;
                continue;
            }
            for (const std::string &cell : m_cells)
                table.add(cell);
        }
        return {};
    }

    Result<std::shared_ptr<const ProfilerTables>> finished()
    {
        if (m_odd > 0)
            m_tables.problems.push_back(
                formatCount(m_odd) + (m_odd == 1 ? " line has" : " lines have") +
                " more or fewer cells than the table has columns, the first in line " +
                std::to_string(m_firstOdd) + "; left out.");
        if (m_tables.tables.empty())
            return Error{ErrorCode::NotRecognized, "The file holds no table of Nsight."};
        if (m_tables.tool == TableTool::NsightCompute)
            takeLaunches(m_tables);
        nameTables(m_tables);
        const auto rows = std::ranges::any_of(m_tables.tables, &CellTable::rowCount);
        if (!rows)
            m_tables.problems.emplace_back("There is no row below the names of the columns: "
                                           "nothing of this kind was recorded.");
        return std::make_shared<const ProfilerTables>(std::move(m_tables));
    }

    /// Names tables without a title, and finds their columns of numbers.
    static void nameTables(ProfilerTables &tables)
    {
        for (CellTable &table : tables.tables) {
            if (table.title.empty())
                table.title = usualTitle(tables.tool, table);
            for (std::size_t column = 0; column < table.columns.size(); ++column) {
                bool any = false;
                bool all = true;
                for (std::size_t row = 0; all && row < table.rowCount(); ++row) {
                    const std::string_view cell = table.cell(row, column);
                    all = cell.empty() || numberOf(cell).has_value();
                    any = any || !cell.empty();
                }
                table.columns[column].isNumber = all && any;
            }
        }
    }

    static std::string usualTitle(TableTool tool, const CellTable &table)
    {
        if (tool == TableTool::NsightCompute)
            return "Kernel launches";
        const auto has = [&](std::string_view name) {
            return std::ranges::find(table.columns, name, &TableColumn::name) !=
                   table.columns.end();
        };
        if (has("CorrId"))
            return "GPU trace";
        if (has("Operation"))
            return has("Total") ? "Memory operations by size" : "Memory operations by time";
        if (has("Range") || has("NVTX Range"))
            return "NVTX ranges";
        return has("Instances") ? "Kernels" : has("Num Calls") ? "Calls" : "Table";
    }

    std::string_view m_text;
    const Progress &m_progress;
    std::size_t m_at = 0;
    std::int64_t m_line = 1;
    std::vector<std::string> m_cells;
    std::string m_title;
    ProfilerTables m_tables;
    std::int64_t m_odd = 0;
    std::int64_t m_firstOdd = 0;
};

} // namespace

std::optional<TableTool> tableHeader(std::string_view line)
{
    const std::string_view first = line.substr(line.starts_with('"') ? 1 : 0, 1);
    if (first.empty() || isDigit(first.front())) // a row, like most lines
        return {};
    const std::vector<std::string_view> cells = cellsOf(line);
    if (cells.size() < 2)
        return {};
    const auto has = [&](std::string_view name) {
        return std::ranges::find(cells, name) != cells.end();
    };
    const bool isOfLaunches = cells.front() == "ID" && has("Kernel Name");
    const bool isSummary = has("Kernel Name") && has("Invocations") && has("Metric Name");
    if (isOfLaunches || isSummary)
        return TableTool::NsightCompute;
    return isNsysHeader(cells) ? std::optional(TableTool::NsysStats) : std::nullopt;
}

bool looksLikeProfilerTable(std::string_view start)
{
    for (std::size_t at = 0; at < start.size();) {
        const std::string_view line = lineAt(start, at);
        if (tableHeader(line) || !columnTableAt(start, at).empty())
            return true;
        at = std::min(start.find('\n', at), start.size() - 1) + 1;
    }
    return false;
}

Result<std::shared_ptr<const ProfilerTables>> readProfilerTables(ByteWindow &input,
                                                                 const Progress &progress)
{
    const Result<std::string> text = textOf(input, progress);
    if (!text.ok())
        return text.error();
    return TableReader(*text, progress).read();
}

} // namespace vramscope
