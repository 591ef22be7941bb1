// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/tables_document.h"

#include "core/describe/profile_tables.h"
#include "core/profile/kernel_counters.h"
#include "core/profile/profile_redaction.h"
#include "core/trace/redaction.h"
#include "ui/profile/profile_text.h"
#include "ui/support/text.h"
#include "ui/tables/tables_page.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <optional>
#include <string_view>
#include <utility>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The columns with the one that names the rows in front.
std::vector<std::size_t> nameFirst(const CellTable &table)
{
    std::vector<std::size_t> order(table.columns.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    constexpr std::array<std::string_view, 5> kNames{"Kernel Name", "Name", "Range", "Operation",
                                                     "NVTX Range"};
    const auto name = std::ranges::find_if(order, [&](std::size_t column) {
        return std::ranges::find(kNames, table.columns[column].name) != kNames.end();
    });
    if (name != order.end())
        std::rotate(order.begin(), name, name + 1);
    return order;
}

/// A number as the file writes it, times in one unit.
DataTable::Cell cellOf(const TableColumn &column, std::string_view text)
{
    const auto number = column.isNumber ? numberOf(text) : std::nullopt;
    if (!number)
        return column.isNumber ? DataTable::Cell() : DataTable::Cell(text);
    if (const auto nanoseconds = nanosecondsOf(*number, column.unit))
        return *nanoseconds;
    DataTable::Cell cell(*number);
    cell.text = text;
    return cell;
}

DataTable::Column columnOf(const TableColumn &column)
{
    const bool isTime = column.isNumber && nanosecondsOf(0, column.unit);
    const std::string unit =
        isTime || column.unit.empty() ? std::string() : " (" + column.unit + ')';
    return {column.name, column.name + unit,
            isTime            ? DataTable::Kind::Time
            : column.isNumber ? DataTable::Kind::Number
                              : DataTable::Kind::Text,
            column.name};
}

DataTable shownTable(const std::shared_ptr<const ProfilerTables> &tables, const CellTable &table)
{
    DataTable shown;
    shown.title = table.title;
    shown.rows = table.rowCount();
    shown.owner = tables;
    for (const std::size_t at : nameFirst(table)) {
        const TableColumn &of = table.columns[at];
        DataTable::Column column = columnOf(of);
        column.cell = [&table, &of, at](std::size_t row) {
            return cellOf(of, table.cell(row, at));
        };
        shown.columns.push_back(std::move(column));
    }
    if (shown.rows == 0)
        shown.note = "There are no rows: nothing of this kind was recorded";
    return shown;
}

} // namespace

std::unique_ptr<DocumentPage> TablesDocument::makePage(const QString &, const QString &,
                                                       QWidget *parent) const
{
    return std::make_unique<TablesPage>(shared<TablesDocument>(), parent);
}

DocumentKind TablesDocument::kind() const
{
    return {toQString(textOf(tables->tool)), u"profile"_s,
            u"These are tables of a profiler; their view is profile."_s};
}

void TablesDocument::gatherNames(Redaction &redaction) const
{
    vramscope::gatherNames(redaction, *tables);
}

DocumentPointer TablesDocument::withoutNames(const Redaction &redaction, const Progress &) const
{
    return analyse(redacted(*tables, redaction));
}

std::shared_ptr<const TablesDocument> analyse(std::shared_ptr<const ProfilerTables> tables,
                                              const Progress &)
{
    auto document = std::make_shared<TablesDocument>();
    if (!tables->launches.empty())
        document->shown.push_back(countedKernelsTable(*tables));
    for (const CellTable &table : tables->tables)
        document->shown.push_back(shownTable(tables, table));
    document->tables = std::move(tables);
    return document;
}

QString tablesHeadline(const ProfilerTables &tables)
{
    if (tables.launches.empty())
        return u"%1: %2."_s.arg(
            toQString(textOf(tables.tool)),
            toQString(counted(static_cast<std::int64_t>(tables.tables.size()), "table")));
    const auto launches = static_cast<std::int64_t>(tables.launches.size());
    const auto kernels = static_cast<std::int64_t>(countedKernels(tables).size());
    return u"Nsight Compute: %1 of %2."_s.arg(countedText(launches, "launch"),
                                              toQString(counted(kernels, "kernel")));
}

QStringList tablesNotes(const ProfilerTables &tables)
{
    QStringList notes;
    for (const std::string &problem : tables.problems)
        notes << foreignText(problem);
    if (tables.tool == TableTool::NsysStats)
        notes << u"nsys made these of a recording; that itself, with its timeline, is the .sqlite "
                 "file beside them."_s;
    else if (!tables.launches.empty())
        notes << toQString(kCounterTimes)
              << u"To see them beside the kernels of the run, drop this file with Ctrl on the page "
                 u"of "
                 "the run's profiler trace, or choose Trace → Compare with there."_s;
    return notes;
}

} // namespace vramscope
