// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/run_table.h"

#include <algorithm>

namespace vramscope {

namespace {

const std::string kHostType = "0"; // of ProfileMemory

std::optional<Bytes> peakOf(const Profile &profile)
{
    std::optional<Bytes> peak;
    for (const ProfileMemory &memory : profile.memory()) {
        if (memory.type != kHostType && memory.peakAllocated != kNotStated)
            peak = std::max(peak.value_or(0), memory.peakAllocated);
    }
    return peak;
}

} // namespace

std::optional<bool> RunRow::reachesCompute() const
{
    const auto efficiency = times.computeEfficiency();
    return efficiency ? std::optional(*efficiency > kComputeTarget) : std::nullopt;
}

std::optional<bool> RunRow::reachesOverlap() const
{
    const auto overlap = times.overlap();
    return overlap ? std::optional(*overlap > kOverlapTarget) : std::nullopt;
}

std::optional<RunRow> runRow(const std::string &name, const ProfileStudy &study)
{
    RunRow row;
    row.name = name;
    std::vector<DeviceBreakdown> devices;
    const Profile &profile = study.profile();
    if (study.steps().hasMedian)
        devices = breakdownByDevice(profile, study.classes(), workOfAllSteps(profile));
    row.isOfSteps = !devices.empty();
    if (row.isOfSteps)
        row.steps = static_cast<std::int64_t>(study.steps().steps.size());
    else
        devices = study.devices();
    const auto most = std::ranges::max_element(
        devices, {}, [](const DeviceBreakdown &device) { return device.times.count(); });
    if (most == devices.end())
        return std::nullopt;
    row.device = most->device;
    row.times = most->times;
    row.problems = study.problems();
    row.peakAllocated = peakOf(profile);
    return row;
}

} // namespace vramscope
