// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

namespace vramscope::test {

/// Whether a sanitizer runs along, which takes several times as long.
#ifdef VRAMSCOPE_SANITIZED
inline constexpr bool kSanitized = true;
#else
inline constexpr bool kSanitized = false;
#endif

/// Bytes that this process holds on its heap at the moment, under a sanitizer as it counts them.
[[nodiscard]] Bytes heapBytes();

/// Threads of this process; 0 where the system does not tell.
[[nodiscard]] int threadCount();

} // namespace vramscope::test
