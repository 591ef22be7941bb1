// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/profiler_tables.h"

#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <system_error>

namespace vramscope {

namespace {

struct CounterName
{
    std::string_view name;
    KernelCounter counter;
};

// The names of metrics are those of all versions; the labels of their sections changed.
constexpr std::array kCounterNames{
    CounterName{"sm__warps_active.avg.pct_of_peak_sustained_active", KernelCounter::Occupancy},
    CounterName{"Achieved Occupancy", KernelCounter::Occupancy},
    CounterName{"sm__throughput.avg.pct_of_peak_sustained_elapsed", KernelCounter::SmThroughput},
    CounterName{"Compute (SM) Throughput", KernelCounter::SmThroughput},
    CounterName{"SOL SM", KernelCounter::SmThroughput},
    CounterName{"SM [%]", KernelCounter::SmThroughput},
    CounterName{"gpu__dram_throughput.avg.pct_of_peak_sustained_elapsed",
                KernelCounter::DramThroughput},
    CounterName{"dram__throughput.avg.pct_of_peak_sustained_elapsed",
                KernelCounter::DramThroughput},
    CounterName{"DRAM Throughput", KernelCounter::DramThroughput},
    CounterName{"SOL DRAM", KernelCounter::DramThroughput},
};

/// Digits in groups of three, as Nsight Compute writes large numbers; without the commas.
std::optional<std::string> withoutCommas(std::string_view text)
{
    const std::size_t whole = std::min(text.find('.'), text.size());
    const std::size_t first = text.find(',');
    constexpr std::size_t kGroup = 4; // with its comma
    const std::size_t sign = text.starts_with('-') ? 1 : 0;
    if (first == sign || first - sign >= kGroup || (whole - first) % kGroup != 0)
        return {};
    for (std::size_t at = first; at < text.size(); ++at) {
        const bool isComma = at < whole && (at - first) % kGroup == 0;
        if ((text[at] == ',') != isComma)
            return {};
    }
    std::string plain(text);
    std::erase(plain, ',');
    return plain;
}

} // namespace

std::string_view textOf(TableTool tool)
{
    return tool == TableTool::NsysStats ? "nsys stats" : "Nsight Compute";
}

std::string_view textOf(KernelCounter counter)
{
    constexpr std::array<std::string_view, kKernelCounters> kTexts{
        "achieved occupancy", "SM throughput", "DRAM throughput"};
    return kTexts[static_cast<std::size_t>(counter)];
}

void CellTable::add(std::string_view cell)
{
    m_text += cell;
    m_ends.push_back(static_cast<std::uint32_t>(m_text.size()));
}

std::string_view CellTable::cell(std::size_t row, std::size_t column) const
{
    const std::size_t at = row * columns.size() + column;
    const std::size_t from = at == 0 ? 0 : m_ends[at - 1];
    return std::string_view(m_text).substr(from, m_ends[at] - from);
}

std::optional<double> numberOf(std::string_view cell)
{
    cell = trimmed(cell);
    std::string plain;
    if (cell.find(',') != std::string_view::npos) {
        auto without = withoutCommas(cell);
        if (!without)
            return {};
        plain = std::move(*without);
        cell = plain;
    }
    double value = 0;
    const auto [end, error] = std::from_chars(cell.data(), cell.data() + cell.size(), value);
    const bool isWhole = error == std::errc() && end == cell.data() + cell.size();
    return isWhole && std::isfinite(value) ? std::optional(value) : std::nullopt;
}

std::optional<std::int64_t> nanosecondsOf(double value, std::string_view unit)
{
    struct TimeUnit
    {
        std::string_view word;
        std::string_view sign;
        double nanoseconds;
    };
    constexpr std::array kUnits{TimeUnit{"nsecond", "ns", 1}, TimeUnit{"usecond", "us", 1e3},
                                TimeUnit{"msecond", "ms", 1e6}, TimeUnit{"second", "s", 1e9}};
    for (const TimeUnit &each : kUnits) {
        if (unit != each.word && unit != each.sign)
            continue;
        const double time = value * each.nanoseconds;
        constexpr double kMost = 9e18; // fits 64 bits
        if (time < 0 || time > kMost)
            return {};
        return std::llround(time);
    }
    return {};
}

std::optional<KernelCounter> counterNamed(std::string_view metric)
{
    const auto *found = std::ranges::find(kCounterNames, metric, &CounterName::name);
    return found == kCounterNames.end() ? std::nullopt : std::optional(found->counter);
}

bool isDuration(std::string_view metric)
{
    return metric == "gpu__time_duration.sum" || metric == "Duration";
}

} // namespace vramscope
