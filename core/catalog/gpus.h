// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vramscope {

enum class GpuVendor { Nvidia, Amd, Apple, Intel, Huawei, Google };

/// Which cuBLAS default workspace and which framework constants apply. Those of NVIDIA lead, in
/// order of time; later ones are told by atLeast(). A Jetson is of the generation of its GPU.
enum class GpuGeneration {
    Volta,
    Turing,
    Ampere,
    Ada,
    Hopper,
    Blackwell,
    Cdna2,
    Cdna3,
    Cdna4,
    Rdna3, ///< and 3.5
    Rdna4,
    Apple,
    Xe, ///< Arc and Data Center GPU Max
    Ascend,
    Tpu
};

[[nodiscard]] constexpr GpuVendor vendorOf(GpuGeneration generation)
{
    using enum GpuGeneration;
    if (generation <= Blackwell)
        return GpuVendor::Nvidia;
    if (generation <= Rdna4)
        return GpuVendor::Amd;
    switch (generation) {
    case Apple:
        return GpuVendor::Apple;
    case Xe:
        return GpuVendor::Intel;
    case Ascend:
        return GpuVendor::Huawei;
    default:
        return GpuVendor::Google;
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

/// A GPU under the name that plans use. Capacity is what driver and torch report, never derived
/// from the name.
struct GpuPreset
{
    std::string name;  ///< "h100-sxm-80gb"
    std::string title; ///< "H100 SXM5 80 GB"
    GpuGeneration generation = GpuGeneration::Ampere;
    Bytes capacity = 0;        ///< 0: unknown
    Bytes memoryBandwidth = 0; ///< bytes a second; 0: unknown
    Bytes hostLink = 0;        ///< bytes a second and direction to the host; 0: unknown, or no link
    std::string source;
    std::int64_t bf16Flops = 0; ///< dense, a second; 0: unknown
    Bytes driverTotal = 0;      ///< what nvidia-smi or rocm-smi shows as the total; 0: unknown
    DeviceMemory memory = DeviceMemory::Own;
    std::string otherName{}; ///< by which plans may call it as well; mostly empty

    /// One memory with the host: what is offloaded stays in it.
    [[nodiscard]] bool unified() const { return memory != DeviceMemory::Own; }
    [[nodiscard]] GpuVendor vendor() const { return vendorOf(generation); }
};

/// B200, GB300 and their kin, of compute capability 10, told from the GeForce, RTX PRO and DGX
/// Spark of the same generation (12) by memory that is stacked: kernels are built for one or the
/// other.
[[nodiscard]] bool isDatacenterBlackwell(const GpuPreset &gpu);

[[nodiscard]] std::span<const GpuPreset> gpuPresets();
/// By its name, or its other one.
[[nodiscard]] const GpuPreset *findGpuPreset(std::string_view name);

} // namespace vramscope
