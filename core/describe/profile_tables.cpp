// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/profile_tables.h"

#include "core/base/counted.h"
#include "core/base/durations.h"
#include "core/describe/profile_table_parts.h"
#include "core/profile/profile_findings.h"
#include "core/profile/timeline_rows.h"

#include <array>
#include <unordered_map>

namespace vramscope {

namespace {

using enum DataTable::Kind;
using Cell = DataTable::Cell;
using Target = DataTable::Target;

/// Of each name the piece of work that ran longest: where its row leads to.
std::unordered_map<StringId, std::uint32_t> longestWork(const ProfileSubject &of)
{
    const WorkColumns &work = of.study->profile().work();
    std::unordered_map<StringId, std::uint32_t> longest;
    for (std::uint32_t at = 0; at < work.count(); ++at) {
        if (of.within && (work.start[at] < of.within->start || work.start[at] >= of.within->end))
            continue;
        const auto [known, isNew] = longest.try_emplace(work.name[at], at);
        if (!isNew && work.duration(at) > work.duration(known->second))
            known->second = at;
    }
    return longest;
}

/// How many kernels have counters of Nsight Compute; the event panel says why not all.
std::string joinNote(const KernelCounters &counters, const std::optional<TimeInterval> &within)
{
    const std::string launches = counted(std::ssize(counters.tables->launches), "launch");
    std::string note = counters.joined == 0
                           ? "Nothing of Nsight Compute's " + launches + " is joined"
                           : "Counters of " + formatCount(counters.joined) + " of " + launches +
                                 ", on as many of " + counted(counters.kernels, "kernel");
    if (!within)
        return note;
    note.front() = static_cast<char>(note.front() - 'A' + 'a');
    return "What began in the chosen " + formatNanoseconds(within->end - within->start) + "; " +
           note;
}

struct CounterColumn
{
    KernelCounter counter;
    std::string_view key, title, brief, tip;
};

constexpr auto kCounterColumns = std::to_array<CounterColumn>(
    {{KernelCounter::Occupancy, "counters.achieved_occupancy", "Achieved occ.", "occupancy",
      "Achieved occupancy: active warps of those that fit a multiprocessor, as Nsight Compute "
      "counted"},
     {KernelCounter::SmThroughput, "counters.sm_throughput", "SM", "SM",
      "SM throughput: the busiest unit of the multiprocessors, of its peak, as Nsight Compute "
      "counted"},
     {KernelCounter::DramThroughput, "counters.dram_throughput", "DRAM", "DRAM",
      "DRAM throughput: of the peak of the device's memory, as Nsight Compute counted"}});

/// Adds the means of the counters that `means` gives of a row.
template<class Row, class Means>
void addCounters(TableOf<Row> &table, Means means)
{
    for (const CounterColumn &column : kCounterColumns)
        table.add({std::string(column.key), std::string(column.title), Percent,
                   std::string(column.tip), std::string(column.brief)},
                  [means, counter = column.counter](const Row &row) {
                      return std::invoke(means, row).mean(counter);
                  });
}

struct KernelsState
{
    ProfileSubject of;
    KernelTable some; ///< of a stretch of time
    std::unordered_map<StringId, std::uint32_t> longest;
};

} // namespace

ProfileSubject subjectOf(const ProfileStudy &study)
{
    return {.study = std::shared_ptr<const ProfileStudy>(std::shared_ptr<void>(), &study)};
}

DataTable kernelsTable(const ProfileSubject &of)
{
    const ProfileStudy &study = *of.study;
    const Profile &profile = study.profile();
    const auto state = std::make_shared<KernelsState>(KernelsState{of, {}, longestWork(of)});
    if (of.within)
        state->some = kernelTable(profile, study.classes(),
                                  workStartedWithin(profile, of.within->start, of.within->end),
                                  study.exposed(), study.counters());
    const KernelTable &kernels = of.within ? state->some : study.kernels();
    const KernelCounters *counters = study.counters();
    const auto &s = *state;
    TableOf<KernelRow> table("Kernels", std::span(kernels.rows), state);
    table.add({"name", "Kernel"}, [&s](const KernelRow &row) { return s.of.nameOf(row.name); })
        .add({"family", "Class"},
             [](const KernelRow &row) {
                 return row.family == WorkFamily::None ? textOf(row.workClass) : textOf(row.family);
             })
        .add({"class", "Class", Text, {}, {}, false},
             [](const KernelRow &row) { return textOf(row.workClass); })
        .add({"count", "Calls", Count}, &KernelRow::count)
        .add({"total", "Total", Time, "Sum of its durations; work that overlaps counts each"},
             &KernelRow::total)
        .add({"share", "Share", Share, "Of the sum of all durations"},
             [total = kernels.total](const KernelRow &row) { return shareOf(row.total, total); });
    if (counters) {
        addCounters(table, &KernelRow::counters);
        table.add({"counters.launches", "Counted", Count,
                   "Launches that Nsight Compute's counters are joined to; the means are of these"},
                  [](const KernelRow &row) {
                      return recorded(row.counters.joined() > 0, row.counters.joined());
                  });
    }
    table.add({"mean", "Mean", Time}, &KernelRow::mean)
        .add({"min", "Shortest", Time}, &KernelRow::shortest)
        .add({"max", "Longest", Time}, &KernelRow::longest)
        .add({"exposed", "Exposed", Share, "Of its total: while nothing else hid it"},
             [](const KernelRow &row) { return shareOf(row.exposed, row.total); })
        .add({"occupancy", counters && counters->joined > 0 ? "Estimated occ." : "Occupancy",
              Percent, "Mean of the profiler's estimates"},
             [](const KernelRow &row) {
                 return shareOf(100 * row.occupancySum, 100 * row.occupancyCount);
             })
        .add({"bytes", "Bytes", Size, "Of copies and fills"},
             [](const KernelRow &row) { return row.bytes > 0 ? Cell(row.bytes) : Cell(); })
        .target([&s](const KernelRow &row) {
            const auto event = s.longest.find(row.name);
            return nameTarget(
                eventTarget(EventKind::Work, event == s.longest.end() ? kNoRow : event->second),
                EventKind::Work, row.name);
        });
    if (kernels.rows.empty())
        table.note(of.within ? "Nothing began on a device in this stretch."
                             : noDeviceText(profile));
    else if (counters)
        table.note(joinNote(*counters, of.within));
    DataTable made = std::move(table).table();
    if (counters && !kernels.rows.empty())
        for (const std::string &sentence : joinSentences(*counters))
            made.noteTip += (made.noteTip.empty() ? "" : " ") + sentence;
    return made;
}

namespace {

/// A number as the file writes it, times in one unit.
Cell writtenCell(const TableColumn &column, std::string_view text)
{
    const auto number = column.isNumber ? numberOf(text) : std::nullopt;
    if (!number)
        return column.isNumber ? Cell() : Cell(text);
    if (const auto nanoseconds = nanosecondsOf(*number, column.unit))
        return *nanoseconds;
    return Cell(*number).as(std::string(text));
}

} // namespace

DataTable profilerTable(const CellTable &written)
{
    DataTable table;
    table.title = written.title;
    table.rows = written.rowCount();
    for (std::size_t at = 0; at < written.columns.size(); ++at) {
        const TableColumn &of = written.columns[at];
        const bool isTime = of.isNumber && nanosecondsOf(0, of.unit);
        const std::string title =
            of.name + (isTime || of.unit.empty() ? std::string() : " (" + of.unit + ')');
        table.columns.push_back({of.name, title,
                                 isTime        ? Time
                                 : of.isNumber ? Number
                                               : Text,
                                 of.name, title, true, false, [&written, &of, at](std::size_t row) {
                                     return writtenCell(of, written.cell(row, at));
                                 }});
    }
    return table;
}

DataTable countedKernelsTable(const ProfilerTables &tables)
{
    TableOf<CountedKernel> table("Kernels", countedKernels(tables));
    table.add({"name", "Kernel"}, &CountedKernel::name)
        .add({"launches", "Launches", Count},
             [](const CountedKernel &row) { return row.means.joined(); })
        .add({"time", "Time", Time, std::string(kCounterTimes)},
             [](const CountedKernel &row) { return row.hasTime ? Cell(row.time) : Cell(); });
    addCounters(table, &CountedKernel::means);
    table.note("Means weighted by the time of each launch");
    return std::move(table).table();
}

} // namespace vramscope
