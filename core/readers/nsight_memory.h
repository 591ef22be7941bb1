// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"

#include <cstdint>
#include <vector>

namespace vramscope::nsight {

/// A row of CUDA_GPU_MEMORY_USAGE_EVENTS. kNotStated where a value is missing.
struct MemoryRow
{
    std::int64_t time = kNotStated;
    std::int64_t process = kNotStated;
    std::int64_t device = kNotStated; ///< as Devices numbers it
    std::int64_t address = kNotStated;
    std::int64_t bytes = kNotStated;
    std::int64_t kind = kNotStated;      ///< ENUM_CUDA_MEM_KIND
    std::int64_t operation = kNotStated; ///< 0: allocated, 1: freed
};

/// What the recorded processes hold of each device: what CUDA gave out to anyone, NCCL and other
/// libraries included, the contexts themselves not.
class DeviceMemory
{
public:
    void add(const MemoryRow &row) { m_rows.push_back(row); }
    /// Changes with their running totals, by time; what cannot be told is a problem.
    void addTo(ProfileBuilder &builder);

private:
    std::vector<MemoryRow> m_rows;
};

} // namespace vramscope::nsight
