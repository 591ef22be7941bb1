// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vramscope {

enum class GpuVendor { Nvidia, Amd, Apple, Intel, Huawei, MooreThreads, Google, Amazon };

/// Which cuBLAS default workspace and which framework constants apply. Those of NVIDIA lead, in
/// order of time; later ones are told by atLeast(). A Jetson is of the generation of its GPU.
/// Before Ampere there is no bf16 arithmetic and no flash attention; cuBLAS takes the workspace of
/// CUDA's default there as on Ampere and Ada.
enum class GpuGeneration {
    Kepler,
    Maxwell,
    Pascal,
    Volta,
    Turing,
    Ampere,
    Ada,
    Hopper,
    Blackwell,
    Rubin,
    Gcn, ///< Polaris and Vega
    Cdna,
    Cdna2,
    Cdna3,
    Cdna4,
    Cdna5,
    Rdna2,
    Rdna3, ///< and 3.5
    Rdna4,
    Apple,
    Xe, ///< Arc and Data Center GPU Max
    Gaudi,
    Ascend,
    Musa,
    Tpu,
    Trainium ///< and Inferentia
};

[[nodiscard]] constexpr GpuVendor vendorOf(GpuGeneration generation)
{
    using enum GpuGeneration;
    if (generation <= Rubin)
        return GpuVendor::Nvidia;
    if (generation <= Rdna4)
        return GpuVendor::Amd;
    switch (generation) {
    case Apple:
        return GpuVendor::Apple;
    case Xe:
    case Gaudi:
        return GpuVendor::Intel;
    case Ascend:
        return GpuVendor::Huawei;
    case Musa:
        return GpuVendor::MooreThreads;
    case Tpu:
        return GpuVendor::Google;
    default:
        return GpuVendor::Amazon;
    }
}

/// Of NVIDIA, and of generation `first` or a later one.
[[nodiscard]] constexpr bool atLeast(GpuGeneration generation, GpuGeneration first)
{
    return vendorOf(generation) == GpuVendor::Nvidia && generation >= first;
}

/// "NVIDIA"; "CDNA 3", "Blackwell".
[[nodiscard]] std::string_view vendorName(GpuVendor vendor);
[[nodiscard]] std::string_view generationName(GpuGeneration generation);

/// What a capacity is the size of.
enum class DeviceMemory {
    Own,        ///< the device's own
    Pool,       ///< all that system, host and device share
    ShareOfPool ///< what the system lets the device take of such a pool
};

/// A GPU under the name that plans use: a row of resources/gpus/gpus.csv, whose README states the
/// columns.
struct GpuPreset
{
    std::string name;  ///< "h100-sxm-80gb"
    std::string title; ///< "H100 SXM5 80 GB"
    GpuGeneration generation = GpuGeneration::Ampere;
    std::int64_t gigabytes =
        0;              ///< the size as sold; of a Mac, a Jetson and their kin all its memory
    Bytes capacity = 0; ///< what driver and torch report; 0: unknown
    std::string like{}; ///< the GPU whose report is scaled to this size; empty: its own report
    Bytes memoryBandwidth = 0; ///< bytes a second; 0: unknown
    Bytes hostLink = 0;        ///< bytes a second and direction to the host; 0: unknown, or no link
    std::string source;        ///< of the capacity
    std::int64_t bf16Flops = 0; ///< dense, a second; 0: unknown
    Bytes driverTotal = 0;      ///< what nvidia-smi or rocm-smi shows as the total; 0: unknown
    DeviceMemory memory = DeviceMemory::Own;
    std::string otherName{}; ///< by which plans may call it as well; mostly empty

    /// Whether the capacity is what a driver or a runtime reported of this GPU.
    [[nodiscard]] bool isReported() const { return capacity > 0 && like.empty(); }
    /// One memory with the host: what is offloaded stays in it.
    [[nodiscard]] bool unified() const { return memory != DeviceMemory::Own; }
    [[nodiscard]] GpuVendor vendor() const { return vendorOf(generation); }
};

/// B200, GB300 and their kin, of compute capability 10, told from the GeForce, RTX PRO and DGX
/// Spark of the same generation (12) by memory that is stacked: kernels are built for one or the
/// other.
[[nodiscard]] bool isDatacenterBlackwell(const GpuPreset &gpu);

/// A part of another GPU (MIG), which is a device of its own.
[[nodiscard]] bool isSlice(const GpuPreset &gpu);

/// All rows of the table, read once; pointers to them stay valid.
[[nodiscard]] std::span<const GpuPreset> gpuPresets();
/// By its name, or its other one.
[[nodiscard]] const GpuPreset *findGpuPreset(std::string_view name);

/// The size that a GPU is sold with, in GB as vendors count them.
[[nodiscard]] inline std::int64_t soldGigabytes(const GpuPreset &gpu)
{
    return gpu.gigabytes;
}

/// Its title, or "GPU of 24 GB" of one whose size is all that is known.
[[nodiscard]] std::string gpuTitle(const GpuPreset *gpu, std::int64_t gigabytes);

/// What a card that is sold with so many GB reports: the median of the NVIDIA cards from Turing on
/// and AMD cards of that size, or, where the table has none of the size, of all cards scaled to it.
/// Cards with error correction, such as the L4, report up to 7 % less. 0 for no size, and above
/// 1,000,000 GB.
[[nodiscard]] Bytes usualCapacity(std::int64_t gigabytes);

} // namespace vramscope
