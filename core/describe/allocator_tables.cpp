// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/allocator_tables.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/estimate/verdict.h"

#include <limits>
#include <numeric>

namespace vramscope {

namespace {

using SettingCell = DataTable::Cell;

/// Rows are in the order of `order`, but read as `text`.
template<class Order>
SettingCell ordered(Order order, std::string text)
{
    return SettingCell(order).as(std::move(text));
}

std::string withIssues(std::string name, const std::vector<SettingIssue> &issues)
{
    for (const SettingIssue &issue : issues)
        name.append("\n").append(issue.text);
    return name;
}

/// Sorted by when memory runs out, the earlier the worse, then by failures.
SettingCell failureCell(const WhatIf &asked)
{
    const SimulationResult &result = asked.result;
    if (!asked.simulated)
        return SettingCell().as(failureText(asked));
    return ordered(result.runsOut()
                       ? std::numeric_limits<std::int64_t>::max() - 1 - *result.outOfMemoryEvent
                       : static_cast<std::int64_t>(result.failed),
                   failureText(asked));
}

} // namespace

std::string configurationName(const std::string &configuration)
{
    return configuration.empty() ? "PyTorch's default" : printable(configuration);
}

std::string whereText(const PlannedReserve &reserve)
{
    if (!reserve.result.runsOut())
        return reserve.peakAt;
    const std::string &when = reserve.outOfMemoryAt;
    const bool fits = when.starts_with("after ") || when.starts_with("at ");
    return "out of memory " + (fits ? when : "at the " + when);
}

DataTable reservesTable(const std::shared_ptr<const PlanReserves> &found, ByteUnit unit)
{
    using enum DataTable::Kind;
    const auto placeOf = [of = found.get()](const PlannedReserve &reserve) {
        return &reserve - of->reserves.data();
    };
    TableOf<PlannedReserve> table("Settings", std::span<const PlannedReserve>(found->reserves),
                                  found);
    table
        .add({"setting", "Setting", Text, "PYTORCH_CUDA_ALLOC_CONF"},
             [placeOf](const PlannedReserve &reserve) {
                 return ordered(placeOf(reserve), configurationName(reserve.configuration));
             })
        .tips([](const PlannedReserve &reserve) {
            return withIssues(configurationName(reserve.configuration), reserve.issues);
        })
        .add({"reserved", "Reserved", Size,
              "The most bytes reserved, by the plan's factor; the bar: the share of what the "
              "device has for the allocator"},
             [](const PlannedReserve &reserve) { return reserve.result.figures.peakReserved; })
        .tips([of = found.get(), unit](const PlannedReserve &reserve) {
            std::string lines = formatExactBytes(reserve.result.figures.peakReserved, unit);
            if (const auto part = of->share(reserve))
                lines += '\n' + formatNumber(100 * *part, 3) +
                         " % of what the device has for the allocator";
            if (reserve.result.runsOut())
                lines += "\nsimulated: " + whereText(reserve);
            return lines;
        })
        .add({"likely", "Likely", Number, "The range in which it is likely to lie"},
             [unit](const PlannedReserve &reserve) {
                 return ordered(static_cast<double>(reserve.high),
                                formatBytes(reserve.low, unit) + " to " +
                                    formatBytes(reserve.high, unit));
             })
        .add({"verdict", "Verdict", Text, "How the plan compares with its card under the setting"},
             [](const PlannedReserve &reserve) {
                 return reserve.verdict ? ordered(static_cast<int>(*reserve.verdict),
                                                  std::string(verdictWord(*reserve.verdict)))
                                        : SettingCell("");
             })
        .add({"stranded", "Stranded", Size,
              "Simulated: bytes that are free between blocks in use when most is reserved"},
             [](const PlannedReserve &reserve) { return reserve.result.strandedAtPeak; })
        .add({"segments", "Segments", Count,
              "Simulated: segments at the end, of expandable ones the mapped ranges"},
             &PlannedReserve::segments)
        .add({"retries", "Retries", Count,
              "Simulated, where the plan does not fit well within the device: allocations that "
              "first gave back all that was cached"},
             [](const PlannedReserve &reserve) { return reserve.result.figures.retries; })
        .add({"where", "Most reserved", Text,
              "Simulated: when most is reserved for the first time, or where memory does not "
              "suffice"},
             &whereText)
        .strong([of = found.get(), placeOf](const PlannedReserve &reserve) {
            return of->best && static_cast<std::ptrdiff_t>(*of->best) == placeOf(reserve);
        });
    return std::move(table).table();
}

std::string settingName(const WhatIfFindings &findings, std::size_t row)
{
    return row == 0 ? "as recorded" : configurationName(findings.row(row).configuration);
}

std::string failureText(const WhatIf &asked)
{
    const SimulationResult &result = asked.result;
    if (!asked.simulated)
        return "not simulated";
    if (result.runsOut())
        return *result.outOfMemoryEvent < 0 ? "before the first event"
                                            : "at event " + formatCount(*result.outOfMemoryEvent);
    if (result.failed > 0)
        return "as recorded, " + counted(result.failed, "time");
    return result.rescued > 0 ? "no longer" : "no";
}

DataTable whatIfsTable(const std::shared_ptr<const WhatIfFindings> &findings)
{
    using enum DataTable::Kind;
    std::vector<std::size_t> settings(findings ? findings->rowCount() : 0);
    std::iota(settings.begin(), settings.end(), std::size_t(0));
    // Figures of a setting that was not simulated are unknown.
    const auto of = [findings](auto figure) {
        return [findings, figure](std::size_t setting) {
            const WhatIf &asked = findings->row(setting);
            return asked.simulated ? SettingCell(figure(asked.result)) : SettingCell();
        };
    };
    TableOf<std::size_t> table("Settings", std::move(settings));
    table
        .add({"setting", "Setting", Text, "PYTORCH_CUDA_ALLOC_CONF; checked rows are drawn"},
             [findings](std::size_t setting) {
                 return ordered(setting, settingName(*findings, setting));
             })
        .tips([findings](std::size_t setting) {
            const WhatIf &asked = findings->row(setting);
            std::string name = settingName(*findings, setting);
            if (setting == 0 && !asked.configuration.empty())
                name += '\n' + asked.configuration;
            return withIssues(std::move(name), asked.issues);
        })
        .add({"reserved", "Reserved", Size, "The most bytes reserved"},
             of([](const SimulationResult &result) { return result.figures.peakReserved; }))
        .add({"delta", "Δ recorded", SizeChange,
              "The most bytes reserved against those under the recorded settings"},
             of([findings](const SimulationResult &result) {
                 return result.figures.peakReserved -
                        findings->whatIfs.recorded.result.figures.peakReserved;
             }))
        .add({"stranded", "Stranded", Size,
              "Bytes that were free between blocks in use when most was reserved"},
             of([](const SimulationResult &result) { return result.strandedAtPeak; }))
        .add({"calls", "Calls", Count,
              "Calls of the driver: cudaMalloc and cudaFree, or pages mapped and unmapped"},
             of([](const SimulationResult &result) {
                 return result.figures.driverAllocations + result.figures.driverFrees;
             }))
        .add({"retries", "Retries", Count, "Allocations that first gave back all that was cached"},
             of([](const SimulationResult &result) { return result.figures.retries; }))
        .add({"failure", "Out of memory", Text, "Whether memory suffices, and where it does not"},
             [findings](std::size_t setting) { return failureCell(findings->row(setting)); })
        .strong([findings](std::size_t setting) {
            return findings->whatIfs.best && setting == *findings->whatIfs.best + 1;
        });
    return std::move(table).table();
}

} // namespace vramscope
