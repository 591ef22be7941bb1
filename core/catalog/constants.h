// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/catalog/gpus.h"

#include <cstdint>

namespace vramscope {

// Constants of frameworks that the planner uses where a plan has no other value, from their
// sources; values measured in runs are in empirical.h.

/// Memory of cuBLAS in PyTorch's allocator during training: one workspace for the forward thread's
/// handle and one for the backward thread's. 8,519,680 bytes each before Hopper (CUDABlas' default,
/// 2 × 4 MiB + 8 × 16 KiB, seen in every A100 run); from Hopper on 32 MiB each and cuBLASLt's: 69
/// MiB in all, measured on an H100 with GPT-2 small. For other vendors' libraries it is unknown:
/// none.
[[nodiscard]] constexpr Bytes cublasWorkspace(GpuGeneration generation)
{
    constexpr Bytes kBeforeHopper = Bytes(2) * 8'519'680;
    constexpr Bytes kFromHopper = 69 * kMiB;
    if (vendorOf(generation) != GpuVendor::Nvidia)
        return 0;
    return generation >= GpuGeneration::Hopper ? kFromHopper : kBeforeHopper;
}

/// The forward handle's alone, before Hopper, as in serving.
inline constexpr Bytes kCublasHandle = 8'519'680;

// DeepSpeed's defaults, in elements (deepspeed/runtime/zero/config.py).
inline constexpr std::int64_t kZeroReduceBucket = 500'000'000;
inline constexpr std::int64_t kZeroAllgatherBucket = 500'000'000;
inline constexpr std::int64_t kZeroPrefetchBucket = 50'000'000;
inline constexpr std::int64_t kZeroMaxLiveParameters = 1'000'000'000;
inline constexpr std::int64_t kZeroMaxReuseDistance = 1'000'000'000;
inline constexpr std::int64_t kZeroPersistenceThreshold = 100'000;
inline constexpr std::int64_t kZeroSubGroup = 1'000'000'000;
// Offload to drives; DeepSpeed runtime/zero/offload_config.py.
inline constexpr std::int64_t kZeroStateBuffers = 4;
inline constexpr std::int64_t kZeroWeightBuffers = 5;
inline constexpr std::int64_t kZeroWeightBuffer = 100'000'000;
inline constexpr std::int64_t kZeroMaxInCpu = 1'000'000'000;

/// Rows or columns of a block that Shampoo factors: the default of max_preconditioner_dim in
/// facebookresearch/optimizers.
inline constexpr std::int64_t kShampooBlock = 1024;

/// GPUs in a node if a plan does not state it.
inline constexpr std::int64_t kGpusPerNode = 8;

} // namespace vramscope
