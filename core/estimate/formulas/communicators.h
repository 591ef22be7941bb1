// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope {

struct Settings;
struct Origin;

/// A process group in which a GPU communicates over NCCL. Every group has a communicator of its
/// own, with buffers for each channel to the neighbours in its rings and trees; they are allocated
/// at the first collective and stay.
struct Communicator
{
    std::string_view axis; ///< the group's purpose: "data", "tensor", …
    std::int64_t ranks = 1;
    std::int64_t peers = 0;  ///< GPUs of the node to which an all-to-all opens channels one by one
    bool isOverHost = false; ///< see isJoinedOverHost

    [[nodiscard]] Bytes bytes() const;      ///< 0 for a group of one
    [[nodiscard]] double deviation() const; ///< bytes by which it may be off
};

/// Whether NVIDIA's GPUs reach each other over PCIe alone, and other nodes from there, in fewer
/// channels than NVLink has. A GPU that is known by its size alone may have either.
[[nodiscard]] bool isJoinedOverHost(const Settings &s);

inline constexpr std::size_t kMostCommunicators = 7;

/// The groups of a layout, those of one rank among them: gradients and shards over data, its
/// shards and replicas apart under hybrid sharding; tensor, pipeline and context; experts, which
/// exchange tokens all to all, and the replicas of an expert.
[[nodiscard]] std::array<Communicator, kMostCommunicators> communicators(const Settings &s);

/// Their total size.
[[nodiscard]] Bytes communicatorBytes(const Settings &s);
[[nodiscard]] Origin communicatorOrigin(const Settings &s);

/// "688 MiB (data, 8) + 544 MiB (tensor, 2)"; empty without any.
[[nodiscard]] std::string communicatorsText(const Settings &s);

} // namespace vramscope
