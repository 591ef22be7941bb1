// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"
#include "core/readers/sqlite_file.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>
#include <vector>

namespace vramscope::nsight {

/// Numbers the GPUs of a recording. Each process counts its own from 0, so "device 0" of two
/// processes may be two GPUs: TARGET_INFO_CUDA_DEVICE says which. Without it they are kept apart,
/// and a problem says so.
class Devices
{
public:
    [[nodiscard]] static Result<Devices> read(SqliteFile &file);

    /// The number of the GPU that the process `globalPid` calls `device`.
    [[nodiscard]] std::int64_t number(std::int64_t globalPid, std::int64_t device,
                                      ProfileBuilder &builder);
    /// The GPU of a context of the process, if the context was used before; else number().
    [[nodiscard]] std::int64_t ofContext(std::int64_t globalPid, std::int64_t context,
                                         std::int64_t device, ProfileBuilder &builder);
    void addContext(std::int64_t globalPid, std::int64_t context, std::int64_t number)
    {
        m_contexts.try_emplace({globalPid, context}, number);
    }
    /// Adds names and sizes of the numbered GPUs, from TARGET_INFO_GPU.
    void describe(ProfileBuilder &builder) const;

private:
    struct Gpu
    {
        std::int64_t id;
        std::string name;
        std::int64_t memory;
    };
    struct Known
    {
        std::int64_t globalPid;
        std::int64_t device;
        std::int64_t number;
    };
    using Own = std::pair<std::int64_t, std::int64_t>; // process, and its own number
    std::vector<Gpu> m_gpus;
    std::map<Own, std::int64_t> m_ids;      // of GPUs, by pid and device
    bool m_areAmbiguous = false;            // one number means several GPUs
    std::vector<Known> m_known;             // in order of their first use
    std::size_t m_last = 0;                 // in m_known
    std::set<std::int64_t> m_taken;         // numbers
    std::map<Own, std::int64_t> m_contexts; // of GPUs
};

} // namespace vramscope::nsight
