// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/nsight_devices.h"

#include "core/base/text.h"
#include "core/readers/nsight_names.h"

#include <algorithm>
#include <string>

namespace vramscope::nsight {

Result<Devices> Devices::read(SqliteFile &file)
{
    constexpr std::size_t kMost = 4096; // more than any machine has
    Devices devices;
    static constexpr SqliteColumns kGpu{"id", "name", "totalMemory"};
    auto read = file.forEachRow("TARGET_INFO_GPU", kGpu.names, [&](SqliteRow row) {
        if (devices.m_gpus.size() == kMost)
            return;
        const std::int64_t memory = row.number(kGpu["totalMemory"]);
        devices.m_gpus.push_back({row.number(kGpu["id"]),
                                  std::string(firstBytes(row.text(kGpu["name"]), 256)),
                                  memory > 0 ? memory : kNotStated});
    });
    if (!read.ok())
        return read.error();
    static constexpr SqliteColumns kDevice{"gpuId", "cudaId", "pid"};
    std::map<std::int64_t, std::int64_t> gpus; // by the number that some process gives them
    read = file.forEachRow("TARGET_INFO_CUDA_DEVICE", kDevice.names, [&](SqliteRow row) {
        const std::int64_t gpu = row.number(kDevice["gpuId"]);
        const std::int64_t device = row.number(kDevice["cudaId"]);
        if (gpu == kNoNumber || device == kNoNumber || devices.m_ids.size() == kMost)
            return;
        devices.m_ids.try_emplace({row.number(kDevice["pid"]), device}, gpu);
        if (gpus.try_emplace(device, gpu).first->second != gpu)
            devices.m_areAmbiguous = true;
    });
    if (!read.ok())
        return read.error();
    return devices;
}

std::int64_t Devices::number(std::int64_t globalPid, std::int64_t device, ProfileBuilder &builder)
{
    const auto isIt = [&](const Known &each) {
        return each.globalPid == globalPid && each.device == device;
    };
    if (m_last < m_known.size() && isIt(m_known[m_last]))
        return m_known[m_last].number;
    if (const auto found = std::ranges::find_if(m_known, isIt); found != m_known.end()) {
        m_last = static_cast<std::size_t>(found - m_known.begin());
        return found->number;
    }
    constexpr std::size_t kMost = 4096; // beyond, a damaged file, which is not worth the search
    if (m_known.size() == kMost)
        return device;
    std::int64_t number = device;
    if (const auto id = m_ids.find({processOf(globalPid), device}); id != m_ids.end()) {
        number = m_areAmbiguous ? id->second : device;
    } else if (m_taken.contains(device)) {
        number = 0;
        while (m_taken.contains(number))
            ++number;
        builder.addProblem("Several processes have a device " + std::to_string(device) +
                           ", and the file does not say whether they are one GPU: each was given "
                           "a number of its own.");
    }
    m_taken.insert(number);
    m_last = m_known.size();
    m_known.push_back({globalPid, device, number});
    return number;
}

std::int64_t Devices::ofContext(std::int64_t globalPid, std::int64_t context, std::int64_t device,
                                ProfileBuilder &builder)
{
    const auto found = m_contexts.find({globalPid, context});
    return found != m_contexts.end() ? found->second : number(globalPid, device, builder);
}

void Devices::describe(ProfileBuilder &builder) const
{
    std::set<std::int64_t> described;
    for (const Known &known : m_known) {
        const auto id = m_ids.find({processOf(known.globalPid), known.device});
        const auto gpu =
            id == m_ids.end() ? m_gpus.end() : std::ranges::find(m_gpus, id->second, &Gpu::id);
        if (gpu != m_gpus.end() && described.insert(known.number).second)
            builder.addGpu({known.number, gpu->name, gpu->memory});
    }
}

} // namespace vramscope::nsight
