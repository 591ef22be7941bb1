// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"

#include <QColor>
#include <QString>

#include <array>

namespace vramscope {

// What views divide memory into: the categories inside torch's allocations, after them what lies
// between those and the device level (allocator slack, CUDA context, NCCL), and last what a
// recording holds inside the allocations that no rule names; a plan has none of it.

inline constexpr std::size_t kPartCount = kCategoryCount + 2;
inline constexpr std::size_t kOutsidePart = kCategoryCount;
inline constexpr std::size_t kUnknownPart = kCategoryCount + 1;

using PartBytes = std::array<Bytes, kPartCount>;

/// "Parameters", …, "Allocator and driver", "Unknown".
[[nodiscard]] QString partName(std::size_t part);
/// The categorical colour; greys for what lies outside the tensors and for what is unknown, which
/// charts draw with a pattern.
[[nodiscard]] QColor partColor(std::size_t part);

/// Bytes of each part at a moment. What lies outside the tensors is counted at the peak alone,
/// where the device level is known; all zero when nothing was computed.
[[nodiscard]] PartBytes partBytes(const Estimate &estimate, std::size_t moment);

} // namespace vramscope
