// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <span>
#include <string>
#include <string_view>

namespace vramscope {

/// Which cuBLAS default workspace and which framework constants apply.
enum class GpuGeneration { Volta, Turing, Ampere, Ada, Hopper, Blackwell };

/// A GPU under the name that plans use. Capacity is what driver and torch report, never derived
/// from the name.
struct GpuPreset
{
    std::string name;  ///< "h100-sxm-80gb"
    std::string title; ///< "H100 SXM5 80 GB"
    GpuGeneration generation = GpuGeneration::Ampere;
    Bytes capacity = 0;        ///< 0: unknown
    Bytes memoryBandwidth = 0; ///< bytes a second; 0: unknown
    Bytes hostLink = 0;        ///< bytes a second and direction to the host; 0: unknown
    std::string source;
};

[[nodiscard]] std::span<const GpuPreset> gpuPresets();
[[nodiscard]] const GpuPreset *findGpuPreset(std::string_view name);

} // namespace vramscope
