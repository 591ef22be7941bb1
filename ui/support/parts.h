// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"

#include <QColor>
#include <QString>

#include <array>

namespace vramscope {

// The parts into which views divide memory: the categories inside torch's allocations, then the
// parts between those and the device level (allocator slack, CUDA context, NCCL), and last the
// allocations of a recording without a category; a plan has no such bytes.

inline constexpr std::size_t kPartCount = kCategoryCount + 2;
inline constexpr std::size_t kOutsidePart = kCategoryCount;
inline constexpr std::size_t kUnknownPart = kCategoryCount + 1;

using PartBytes = std::array<Bytes, kPartCount>;
[[nodiscard]] Bytes totalOf(const PartBytes &parts);

/// "Parameters", …, "Allocator and driver", "Unknown".
[[nodiscard]] QString partName(std::size_t part);
/// The categorical colour; greys for memory outside the tensors and for unknown memory, which
/// charts draw with a pattern.
[[nodiscard]] QColor partColor(std::size_t part);

/// Bytes of each part at a moment. Memory outside the tensors is counted only at the peak, where
/// the device level is known; all zero if nothing was computed.
[[nodiscard]] PartBytes partBytes(const Estimate &estimate, std::size_t moment);
/// The same without memory outside the tensors.
[[nodiscard]] PartBytes allocatedParts(const Estimate &estimate, std::size_t moment);

} // namespace vramscope
