// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/large_pages.h"

#include <cstdint>

#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace vramscope {

void preferLargePages([[maybe_unused]] const void *begin, [[maybe_unused]] std::size_t size)
{
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t kPage = std::uintptr_t(2) << 20; // of x86-64, and the usual one of ARM
    constexpr std::size_t kLeast = kPage / 2;                 // else most of it is not touched
    if (size < kLeast)
        return;
    // From the page in which it begins: mostly another column lies before it. What lies behind its
    // end may stay unused.
    const auto from = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = from / kPage * kPage;
    const std::uintptr_t last = (from + size) / kPage * kPage;
    if (first < last)
        (void)madvise(reinterpret_cast<void *>(first), last - first,
                      MADV_HUGEPAGE); // NOLINT(performance-no-int-to-ptr)
#endif
}

} // namespace vramscope
