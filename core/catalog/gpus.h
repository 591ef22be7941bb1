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

/// Which cuBLAS default workspace and which framework constants apply. NVIDIA's come first, in
/// order of time; atLeast() finds later ones. A Jetson has the generation of its GPU. Before Ampere
/// there is no bf16 arithmetic and no flash attention; cuBLAS uses the workspace of CUDA's default
/// there as on Ampere and Ada.
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

/// Whether it is NVIDIA's, of generation `first` or a later one.
[[nodiscard]] constexpr bool atLeast(GpuGeneration generation, GpuGeneration first)
{
    return vendorOf(generation) == GpuVendor::Nvidia && generation >= first;
}

/// "NVIDIA"; "CDNA 3", "Blackwell".
[[nodiscard]] std::string_view vendorName(GpuVendor vendor);
[[nodiscard]] std::string_view generationName(GpuGeneration generation);

/// The memory that a capacity measures.
enum class DeviceMemory {
    Own,        ///< the device's own
    Pool,       ///< the whole memory that system, host and device share
    ShareOfPool ///< the share of such a pool that the system lets the device use
};

/// A GPU under the name that plans use: a row of resources/gpus/gpus.csv, whose README describes
/// the columns.
struct GpuPreset
{
    std::string name;  ///< "h100-sxm-80gb"
    std::string title; ///< "H100 SXM5 80 GB"
    GpuGeneration generation = GpuGeneration::Ampere;
    std::int64_t gigabytes =
        0;              ///< the size as sold; for a Mac, a Jetson and their kin all its memory
    Bytes capacity = 0; ///< reported by driver and torch; 0: unknown
    std::string like{}; ///< the GPU whose report is scaled to this size; empty: its own report
    Bytes memoryBandwidth = 0; ///< bytes a second; 0: unknown
    Bytes hostLink = 0;        ///< bytes a second and direction to the host; 0: unknown, or no link
    std::string source;        ///< of the capacity
    std::int64_t bf16Flops = 0; ///< dense, a second; 0: unknown
    Bytes driverTotal = 0;      ///< the total in nvidia-smi or rocm-smi; 0: unknown
    DeviceMemory memory = DeviceMemory::Own;
    std::string otherName{}; ///< another name that plans may use; mostly empty

    /// Whether a driver or a runtime reported the capacity of this GPU.
    [[nodiscard]] bool isReported() const { return capacity > 0 && like.empty(); }
    /// One memory with the host: offloaded data stays in it.
    [[nodiscard]] bool unified() const { return memory != DeviceMemory::Own; }
    [[nodiscard]] GpuVendor vendor() const { return vendorOf(generation); }
};

/// B200, GB300 and their kin, of compute capability 10, which differ from the GeForce, RTX PRO and
/// DGX Spark of the same generation (12) by stacked memory: kernels are built for one or the other.
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

/// Its title, or "GPU of 24 GB" if only its size is known.
[[nodiscard]] std::string gpuTitle(const GpuPreset *gpu, std::int64_t gigabytes);

/// Capacity that a card sold with this many GB reports: the median of the NVIDIA cards from Turing
/// on and AMD cards of that size, or, where the table has none of the size, of all cards scaled to
/// it. Cards with error correction, such as the L4, report up to 7 % less. 0 for no size, and above
/// 1,000,000 GB.
[[nodiscard]] Bytes usualCapacity(std::int64_t gigabytes);

} // namespace vramscope
