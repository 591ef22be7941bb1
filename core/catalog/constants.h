// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/catalog/gpus.h"

#include <cstdint>

namespace vramscope {

// Constants of frameworks and drivers that the planner uses where a plan states nothing else. Each
// says where it is from.

/// What cuBLAS takes inside PyTorch's allocator during training: one workspace for the forward
/// thread's handle and one for the backward thread's. 8,519,680 bytes each before Hopper
/// (CUDABlas' default, 2 × 4 MiB + 8 × 16 KiB, seen in every A100 run); from Hopper on 32 MiB each
/// and cuBLASLt beside them: 69 MiB in all, measured on an H100 with GPT-2 small.
[[nodiscard]] constexpr Bytes cublasWorkspace(GpuGeneration generation)
{
    constexpr Bytes kBeforeHopper = 2 * 8'519'680;
    constexpr Bytes kFromHopper = 69 * kMiB;
    return generation >= GpuGeneration::Hopper ? kFromHopper : kBeforeHopper;
}

/// The same for serving, which has the forward handle only.
[[nodiscard]] constexpr Bytes cublasServingWorkspace(GpuGeneration generation)
{
    return generation >= GpuGeneration::Hopper ? 32 * kMiB : 8'519'680;
}

/// What Transformer Engine and Megatron take at rest beside their states before Hopper: 57 to 74 MB
/// in three recorded A100 runs (NVIDIA/Megatron-LM, functional tests).
inline constexpr Bytes kTransformerEngineWorkspace = 62 * kMiB;

/// CUDA context with lazy module loading: 426 MiB (RTX 6000 Ada, PyTorch 2.10, CUDA 13); others
/// report 0.3 to 0.6 GB.
inline constexpr Bytes kCudaContext = 426 * kMiB;

/// One NCCL communicator of two A100s over NVLink after one all-reduce (NVIDIA/nccl#964). Larger
/// groups and further groups take more.
inline constexpr Bytes kNcclCommunicator = 544 * kMiB;

/// What vLLM reports as non-torch memory on H100 (llm-d-incubation/llm-d-planner, 49 runs of vLLM
/// 0.19): one GPU, pipeline stages, and tensor parallel ranks.
inline constexpr Bytes kVllmNonTorch = 27 * kGiB / 100;
inline constexpr Bytes kVllmNonTorchPipeline = 7 * kGiB / 100;
inline constexpr Bytes kVllmNonTorchTensor = 210 * kGiB / 100;

/// Reserved over allocated memory of PyTorch's allocator with steady shapes: measured 1.02 to 1.24;
/// torchtitan's Llama-3-8B 1.11.
inline constexpr double kReservedFactor = 1.10;
inline constexpr double kReservedFactorLow = 1.02;
inline constexpr double kReservedFactorHigh = 1.24;

// DeepSpeed's defaults, in elements (deepspeed/runtime/zero/config.py).
inline constexpr std::int64_t kZeroReduceBucket = 500'000'000;
inline constexpr std::int64_t kZeroAllgatherBucket = 500'000'000;
inline constexpr std::int64_t kZeroPrefetchBucket = 50'000'000;
inline constexpr std::int64_t kZeroMaxLiveParameters = 1'000'000'000;
inline constexpr std::int64_t kZeroPersistenceThreshold = 100'000;

/// Rows or columns of a block that Shampoo factors: max_preconditioner_dim's default in
/// facebookresearch/optimizers.
inline constexpr std::int64_t kShampooBlock = 1024;

/// DistributedDataParallel's buckets: the first 1 MiB, then 25 MiB (torch.nn.parallel).
inline constexpr Bytes kDdpBucket = 25 * kMiB;

/// GPUs in a node where a plan says nothing.
inline constexpr std::int64_t kGpusPerNode = 8;

} // namespace vramscope
