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

/// How the GPUs of a node reach each other.
struct PeerLink
{
    std::string_view gpus; ///< the beginning of the names that have it
    std::string_view title;
    double bytesPerSecond; ///< rated, of one GPU and in one direction
};

/// NVIDIA's and AMD's data sheets; those are rated for both directions.
inline constexpr std::array<PeerLink, 22> kPeerLinks = {{
    {"v100-sxm", "NVLink 2", 150e9},
    {"a100-sxm", "NVLink 3", 300e9},
    {"a800-sxm", "NVLink 3", 200e9},
    {"h100-sxm", "NVLink 4", 450e9},
    {"h100-nvl", "NVLink bridge", 300e9},
    {"h200", "NVLink 4", 450e9},
    {"h20-", "NVLink 4", 450e9},
    {"h800", "NVLink 4", 200e9},
    {"gh200", "NVLink 4", 450e9},
    {"b100", "NVLink 5", 900e9},
    {"b200", "NVLink 5", 900e9},
    {"b300", "NVLink 5", 900e9},
    {"gb200", "NVLink 5", 900e9},
    {"gb300", "NVLink 5", 900e9},
    {"mi210", "Infinity Fabric", 150e9},
    {"mi250", "Infinity Fabric", 200e9},
    {"mi300x", "Infinity Fabric", 448e9},
    {"mi325x", "Infinity Fabric", 448e9},
    {"mi350x", "Infinity Fabric", 537.6e9},
    {"mi355x", "Infinity Fabric", 537.6e9},
    {"ascend-910b", "HCCS", 196e9},
    {"gb10", "ConnectX-7", 25e9},
}};

/// Null: they reach each other over the links to the host.
[[nodiscard]] inline const PeerLink *peerLinkOf(std::string_view gpu)
{
    for (const PeerLink &link : kPeerLinks)
        if (gpu.starts_with(link.gpus))
            return &link;
    return nullptr;
}

} // namespace vramscope
