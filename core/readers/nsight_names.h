// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

// Nsight Systems' numeric codes in the words of torch.profiler, so that recordings of both can be
// compared.

namespace vramscope::nsight {

/// "Memcpy HtoD (Pinned -> Device)", from ENUM_CUDA_MEMCPY_OPER and two of ENUM_CUDA_MEM_KIND.
[[nodiscard]] std::string copyName(std::int64_t copyKind, std::int64_t from, std::int64_t to);
/// "Memset (Device)", from ENUM_CUDA_MEM_KIND.
[[nodiscard]] std::string fillName(std::int64_t kind);
/// "Stream Wait Event", from ENUM_CUPTI_SYNC_TYPE.
[[nodiscard]] std::string_view syncName(std::int64_t type);
/// A call without the version that Nsight adds: "cudaLaunchKernel" for "cudaLaunchKernel_v7000".
[[nodiscard]] std::string_view callName(std::string_view name);

/// The process and thread in a "globalTid", the process in a "globalPid": 24 bits each.
[[nodiscard]] constexpr std::int64_t processOf(std::int64_t global)
{
    return global >> 24 & 0xFFFFFF;
}
[[nodiscard]] constexpr std::int64_t threadOf(std::int64_t global)
{
    return global & 0xFFFFFF;
}

} // namespace vramscope::nsight
