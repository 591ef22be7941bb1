// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <array>
#include <string_view>

namespace vramscope {

/// A link between a GPU and its host.
struct HostLink
{
    std::string_view name;
    std::string_view title;
    double bytesPerSecond; ///< in one direction, as large copies of pinned memory reach it
    std::string_view source;

    /// Seconds that both directions take one after the other.
    [[nodiscard]] constexpr double seconds(Bytes down, Bytes up) const
    {
        return (static_cast<double>(down) + static_cast<double>(up)) / bytesPerSecond;
    }
};

/// PCIe reaches about four fifths of its raw rate (32 and 64 GB/s with 16 lanes).
inline constexpr std::array<HostLink, 3> kHostLinks = {{
    {"pcie-4", "PCIe 4.0 x16", 25e9, "raw 32 GB/s a direction; PCI-SIG"},
    {"pcie-5", "PCIe 5.0 x16", 50e9, "raw 64 GB/s a direction; PCI-SIG"},
    {"nvlink-c2c", "NVLink-C2C", 450e9, "rated 900 GB/s in both directions; NVIDIA Grace Hopper"},
}};

} // namespace vramscope
