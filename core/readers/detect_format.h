// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <cstddef>
#include <cstdint>
#include <span>

namespace vramscope {

/// The formats that can be read.
enum class TraceFormat { SnapshotPickle };

/// How many bytes from the start detectFormat() wants to see, where the file has them.
inline constexpr std::size_t kDetectionBytes = 4096;

/// Recognises a file by its first bytes, never by its name. Anything that cannot be read is an
/// Error that says what it is and what to do.
[[nodiscard]] Result<TraceFormat> detectFormat(std::span<const std::uint8_t> start);

} // namespace vramscope
