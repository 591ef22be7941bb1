// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reserve/planned_reserve.h"

#include "core/reserve/planned_requests.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The name of a point that requests give as their event.
std::string pointName(const Lifecycle &lifecycle, std::int32_t event)
{
    if (event < 0)
        return {};
    const auto point = static_cast<std::size_t>(event);
    const std::size_t first = lifecycle.firstStep.size();
    if (point < first)
        return lifecycle.firstStep[point].moment + ", first step";
    return lifecycle.steadyStep[point - first].moment + ", steady step";
}

} // namespace

std::optional<Bytes> allocatorCapacity(const Estimate &figures)
{
    if (!figures.capacity)
        return {};
    const Bytes beside = figures.peakDevice - figures.peakReserved;
    return std::max<Bytes>(*figures.capacity - beside, 0);
}

std::vector<PlannedReserve> plannedReserves(const Plan &plan,
                                            std::span<const std::string> configurations)
{
    const Lifecycle steps = lifecycle(plan);
    const RequestStream requests = plannedRequests(plan, steps);
    if (requests.requests.empty())
        return {};
    std::vector<PlannedReserve> reserves;
    std::vector<AllocatorSettings> settings;
    for (const std::string &configuration : configurations) {
        ConfiguredSettings configured = configuredSettings(configuration);
        settings.push_back(configured.settings);
        reserves.push_back({configuration, std::move(configured.issues), {}, {}, {}});
    }
    const auto results = simulateAll(requests, settings,
                                     allocatorCapacity(estimate(plan)).value_or(kUnknownCapacity));
    for (std::size_t i = 0; i < reserves.size(); ++i) {
        reserves[i].result = (*results)[i]; // nothing cancels
        reserves[i].peakAt = pointName(steps, reserves[i].result.peakEvent);
        reserves[i].outOfMemoryAt =
            pointName(steps, reserves[i].result.outOfMemoryEvent.value_or(-1));
    }
    return reserves;
}

std::string whyNothingReserved(const Estimate &figures, std::span<const PlannedReserve> reserves)
{
    if (!figures.computed)
        return whyNotComputed(figures);
    if (reserves.empty())
        return "Only the steps of a training plan are simulated, and this plan is for serving. "
               "Engines take their memory once and divide it themselves.";
    return {};
}

} // namespace vramscope
