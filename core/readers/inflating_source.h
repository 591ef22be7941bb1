// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"

namespace vramscope {

enum class Compression { Gzip, Zstd };

/// Unfolds a compressed stream from the cursor of `input` on, which must outlive it; consecutive
/// streams are one. read() fails with Truncated if the stream ends too early, Malformed if it is
/// damaged, and Refused if it expands more than any recording: to over kMostExpansion times its
/// bytes, beyond the first kFreeExpansion bytes.
[[nodiscard]] std::unique_ptr<ByteSource> inflatingSource(ByteWindow &input, Compression form);

/// Snapshots shrink to a 60th at best, and to about a 100th where stacks are very deep.
inline constexpr std::int64_t kMostExpansion = 400;
inline constexpr std::int64_t kFreeExpansion = std::int64_t(32) << 20;

} // namespace vramscope
