// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/simulator/recommendation.h"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace vramscope {

std::vector<std::size_t> ranked(std::span<const SimulationResult> results)
{
    std::vector<std::size_t> order(results.size());
    std::iota(order.begin(), order.end(), std::size_t(0));
    const auto key = [&](std::size_t at) {
        const SimulationResult &result = results[at];
        const bool fails = result.runsOut();
        return std::tuple(fails, result.failed, -result.outOfMemoryEvent.value_or(0),
                          result.figures.peakReserved,
                          result.figures.driverAllocations + result.figures.driverFrees);
    };
    std::ranges::stable_sort(order, {}, key);
    return order;
}

std::optional<std::size_t> recommended(const SimulationResult &now,
                                       std::span<const SimulationResult> results, double worthwhile)
{
    const std::vector<std::size_t> order = ranked(results);
    if (order.empty() || results[order.front()].runsOut())
        return {};
    const SimulationResult &best = results[order.front()];
    const auto isAbout = [&](const SimulationResult &result) {
        const auto least = static_cast<double>(best.figures.peakReserved);
        return !result.runsOut() && result.failed == best.failed &&
               static_cast<double>(result.figures.peakReserved) <= least * (1 + worthwhile);
    };
    const auto first = std::ranges::find_if(results, isAbout);
    const bool rescues = now.runsOut() || first->failed < now.failed;
    const Bytes saved = now.figures.peakReserved - first->figures.peakReserved;
    const bool saves = static_cast<double>(saved) >=
                       std::max(1.0, worthwhile * static_cast<double>(now.figures.peakReserved));
    if (!rescues && (!saves || first->failed > now.failed))
        return {};
    return static_cast<std::size_t>(first - results.begin());
}

std::vector<std::string> usualConfigurations(bool capacityKnown, std::optional<int> version,
                                             const std::string &own)
{
    std::vector<std::string> configurations{
        "",
        "expandable_segments:True",
        "max_split_size_mb:128",
        "max_split_size_mb:256",
        "max_split_size_mb:512",
        "roundup_power2_divisions:4",
        "roundup_power2_divisions:8",
        "large_segment_size_mb:12",
        "large_segment_size_mb:64",
        "large_segment_size_mb:256",
        "expandable_segments:True,large_segment_size_mb:12",
    };
    if (capacityKnown)
        configurations.emplace_back(
            "garbage_collection_threshold:0.8,per_process_memory_fraction:0.99");
    std::erase_if(configurations, [&](const std::string &configuration) {
        return version && !tooNewFor(*version, configuration).empty();
    });
    if (!own.empty() && std::ranges::find(configurations, own) == configurations.end())
        configurations.push_back(own);
    return configurations;
}

} // namespace vramscope
