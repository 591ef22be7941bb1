// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// What wrote a table.
enum class TableTool : std::uint8_t { NsysStats, NsightCompute };

/// "nsys stats", "Nsight Compute".
[[nodiscard]] std::string_view textOf(TableTool tool);

/// A column as a tool writes it: "Total Time (ns)" is Total Time in ns.
struct TableColumn
{
    std::string name;
    std::string unit{};   ///< "" where none is stated, or where each cell states its own
    bool isNumber = true; ///< all cells that hold anything hold a number
};

/// A table of texts, a row after the other. Takes the bytes of its cells and four more each.
class CellTable
{
public:
    std::string title; ///< what the tool calls it, "cuda_gpu_kern_sum"
    std::vector<TableColumn> columns;

    /// The next cell; a row is full when it has as many as there are columns.
    void add(std::string_view cell);

    /// Of full rows.
    [[nodiscard]] std::size_t rowCount() const
    {
        return columns.empty() ? 0 : m_ends.size() / columns.size();
    }
    [[nodiscard]] std::string_view cell(std::size_t row, std::size_t column) const;

private:
    std::string m_text;
    std::vector<std::uint32_t> m_ends;
};

/// The number that a cell of a profiler's table holds: "35872", "-1.5", "1,200.00"; nothing of any
/// other text, as "n/a" is.
[[nodiscard]] std::optional<double> numberOf(std::string_view cell);

/// A time of a table as nanoseconds: its unit is "ns", "us", "ms", "s", as Nsight writes them, or
/// "nsecond" and so on, as it did before 2024. Nothing of another unit, and of what does not fit.
[[nodiscard]] std::optional<std::int64_t> nanosecondsOf(double value, std::string_view unit);

/// What Nsight Compute counts of a kernel that is shown beside the kernels of a run, in per cent of
/// the most that the device could do.
enum class KernelCounter : std::uint8_t {
    Occupancy,      ///< warps active, of those that fit a multiprocessor
    SmThroughput,   ///< of the multiprocessors' units, the busiest
    DramThroughput, ///< of the device's memory
};
inline constexpr std::size_t kKernelCounters = 3;
using CounterValues = std::array<std::optional<double>, kKernelCounters>;

/// "achieved occupancy", "SM throughput", "DRAM throughput".
[[nodiscard]] std::string_view textOf(KernelCounter counter);
/// Which of them a metric is, by its name or by the label that Nsight Compute gave it in 2020 to
/// 2025. Its unit has to be per cent: labels are used twice.
[[nodiscard]] std::optional<KernelCounter> counterNamed(std::string_view metric);
/// Whether a metric is the duration of a kernel.
[[nodiscard]] bool isDuration(std::string_view metric);

/// One launch of a kernel under Nsight Compute.
struct CounterLaunch
{
    std::string name; ///< as it is written, with arguments or without
    std::int64_t device = kNotStated;
    std::array<std::int64_t, 3> grid{kNotStated, kNotStated, kNotStated};
    std::array<std::int64_t, 3> block{kNotStated, kNotStated, kNotStated};
    std::int64_t duration = kNotStated; ///< ns, alone on the device and at the clocks of the tool
    CounterValues values{};
};

/// The tables of one file. Constant.
struct ProfilerTables
{
    TableTool tool = TableTool::NsysStats;
    std::vector<CellTable> tables; ///< at least one; of Nsight Compute one, a launch a row
    /// As they were launched. Empty where Nsight Compute printed a summary instead of launches.
    std::vector<CounterLaunch> launches;
    std::vector<std::string> problems; ///< sentences: lines left out, a table cut short
};

} // namespace vramscope
