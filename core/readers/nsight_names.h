// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// What Nsight Systems writes as numbers, in the words in which torch.profiler writes the same, so
// that recordings of both can be compared.

namespace vramscope::nsight {

/// "Memcpy HtoD (Pinned -> Device)", by ENUM_CUDA_MEMCPY_OPER and two of ENUM_CUDA_MEM_KIND.
[[nodiscard]] std::string copyName(std::int64_t copyKind, std::int64_t from, std::int64_t to);
/// "Memset (Device)", by ENUM_CUDA_MEM_KIND.
[[nodiscard]] std::string fillName(std::int64_t kind);
/// "Stream Wait Event", by ENUM_CUPTI_SYNC_TYPE.
[[nodiscard]] std::string_view syncName(std::int64_t type);
/// A call without the version that Nsight adds: "cudaLaunchKernel" of "cudaLaunchKernel_v7000".
[[nodiscard]] std::string_view callName(std::string_view name);

/// Process and thread of a "globalTid", the process of a "globalPid": 24 bits each.
[[nodiscard]] constexpr std::int64_t processOf(std::int64_t global)
{
    return global >> 24 & 0xFFFFFF;
}
[[nodiscard]] constexpr std::int64_t threadOf(std::int64_t global)
{
    return global & 0xFFFFFF;
}

} // namespace vramscope::nsight
