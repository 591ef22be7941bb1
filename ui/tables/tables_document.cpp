// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tables/tables_document.h"

#include "core/print/cells.h"
#include "core/profile/kernel_counters.h"
#include "core/profile/profile_redaction.h"
#include "core/trace/redaction.h"
#include "ui/profile/profile_cells.h"
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
using namespace cells;

namespace {

constexpr std::size_t kMostCells = 1'000'000; // of one table: some 250 MB

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

ProfileCell cellOf(const TableColumn &column, std::string_view text)
{
    const auto number = column.isNumber ? numberOf(text) : std::nullopt;
    if (!number)
        return column.isNumber ? nothing() : word(foreignText(text));
    if (const auto nanoseconds = nanosecondsOf(*number, column.unit))
        return time(*nanoseconds);
    return {foreignText(text), *number, {}, {}};
}

ProfileColumn columnOf(const TableColumn &column)
{
    ProfileColumn made;
    const bool isTime = column.isNumber && nanosecondsOf(0, column.unit);
    const QString unit = foreignText(column.unit);
    made.title = foreignText(column.name);
    made.tip = made.title;
    if (!isTime && !unit.isEmpty())
        made.title += u" (%1)"_s.arg(unit);
    made.isWord = !column.isNumber;
    made.unit = isTime ? u"ns"_s : unit;
    return made;
}

std::optional<ProfileTable> shownTable(const CellTable &table, const Progress &progress)
{
    ProfileTable made;
    made.title = foreignText(table.title);
    const std::vector<std::size_t> order = nameFirst(table);
    for (const std::size_t column : order)
        made.columns.push_back(columnOf(table.columns[column]));
    const std::size_t most =
        std::max<std::size_t>(kMostCells / std::max<std::size_t>(table.columns.size(), 1), 1);
    const std::size_t count = std::min(table.rowCount(), most);
    for (std::size_t row = 0; row < count; ++row) {
        constexpr std::size_t kTick = 1024;
        if (row % kTick == 0 && progress &&
            !progress(static_cast<double>(row) / static_cast<double>(count)))
            return {};
        ProfileTableRow &cells = made.rows.emplace_back();
        for (const std::size_t column : order)
            cells.cells.push_back(cellOf(table.columns[column], table.cell(row, column)));
    }
    if (count < table.rowCount())
        made.note = u"The first %1 of %2; vramscope-cli profile --json has all"_s.arg(
            countText(static_cast<std::int64_t>(count)),
            countedText(static_cast<std::int64_t>(table.rowCount()), "row"));
    else if (count == 0)
        made.note = u"There are no rows: nothing of this kind was recorded"_s;
    return made;
}

/// The launches of each kernel together.
ProfileTable kernelsTable(const ProfilerTables &tables)
{
    ProfileTable made;
    made.title = u"Kernels"_s;
    made.note = u"Means weighted by the time of each launch"_s;
    made.columns = {words(u"Kernel"_s),
                    numbers(u"Launches"_s),
                    times(u"Time"_s, toQString(kCounterTimes)),
                    counterColumn(KernelCounter::Occupancy),
                    counterColumn(KernelCounter::SmThroughput),
                    counterColumn(KernelCounter::DramThroughput)};
    for (const CountedKernel &kernel : countedKernels(tables)) {
        ProfileTableRow &row = made.rows.emplace_back();
        row.cells = {word(foreignText(kernel.name)),
                     count(kernel.means.joined()),
                     kernel.hasTime ? time(kernel.time) : nothing(),
                     percent(kernel.means.mean(KernelCounter::Occupancy)),
                     percent(kernel.means.mean(KernelCounter::SmThroughput)),
                     percent(kernel.means.mean(KernelCounter::DramThroughput))};
    }
    return made;
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

DocumentPointer TablesDocument::withoutNames(const Redaction &redaction,
                                             const Progress &progress) const
{
    const auto made = analyse(redacted(*tables, redaction), progress);
    return made ? made : shared_from_this();
}

std::shared_ptr<const TablesDocument> analyse(std::shared_ptr<const ProfilerTables> tables,
                                              const Progress &progress)
{
    auto document = std::make_shared<TablesDocument>();
    if (!tables->launches.empty())
        document->shown.push_back(kernelsTable(*tables));
    const auto count = static_cast<double>(tables->tables.size());
    for (std::size_t at = 0; at < tables->tables.size(); ++at) {
        const double before = static_cast<double>(at) / count;
        auto shown = shownTable(tables->tables[at], partOf(progress, before, before + 1 / count));
        if (!shown)
            return nullptr;
        document->shown.push_back(std::move(*shown));
    }
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
