// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <filesystem>

namespace vramscope::test {

/// Whether a sanitizer runs along, which takes several times as long.
#ifdef VRAMSCOPE_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Bytes that this process holds on its heap at the moment, under a sanitizer as it counts them.
[[nodiscard]] Bytes heapBytes();

/// The most memory that this process has had at once.
[[nodiscard]] Bytes peakMemory();

/// Threads of this process; 0 where the system does not tell.
[[nodiscard]] int threadCount();

/// Whether files have permissions and links, and folders pipes, as in POSIX.
inline constexpr bool kPosix = std::filesystem::path::preferred_separator == '/';
/// Makes a pipe with that name, where folders have them.
[[nodiscard]] bool makePipe(const std::filesystem::path &file);

/// Whether this process may read files that have no permissions.
[[nodiscard]] bool readsEverything();

} // namespace vramscope::test
