// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/large_pages.h"

#include <climits>
#include <cstdint>
#include <memory>
#include <new>

#ifdef __GLIBC__
#include <malloc.h>
#include <unistd.h>
#endif
#if __has_include(<sys/mman.h>)
#include <sys/mman.h>
#endif

namespace vramscope {

void preferLargePages([[maybe_unused]] const void *begin, [[maybe_unused]] std::size_t size)
{
#ifdef MADV_HUGEPAGE
    constexpr std::uintptr_t kPage = std::uintptr_t(2) << 20; // of x86-64, and the usual one of ARM
    constexpr std::size_t kLeast = kPage / 2;                 // otherwise most of it is not touched
    if (size < kLeast)
        return;
    // From the page in which it begins: usually another column is before it. Memory after its end
    // may stay unused.
    const auto from = reinterpret_cast<std::uintptr_t>(begin);
    const std::uintptr_t first = from / kPage * kPage;
    const std::uintptr_t last = (from + size) / kPage * kPage;
    if (first < last) {
        void *const pages = reinterpret_cast<void *>(first); // NOLINT(performance-no-int-to-ptr)
        (void)madvise(pages, last - first, MADV_HUGEPAGE);
    }
#endif
}

void keepFreedMemory()
{
#ifdef __GLIBC__
    constexpr std::size_t kLargestKept = std::size_t(8) << 20;
    constexpr std::size_t kStep = std::size_t(24) << 20; // the memory for 100,000 events
    constexpr std::size_t kMoreThanThere = std::size_t(1) << 20;
    mallopt(M_MMAP_THRESHOLD, static_cast<int>(kLargestKept));
    mallopt(M_TRIM_THRESHOLD, INT_MAX);
    mallopt(M_TOP_PAD, static_cast<int>(kStep));
    // Not touched, but the heap grows by a step.
    const std::unique_ptr<std::byte[]> first(new (std::nothrow) std::byte[kMoreThanThere]);
    if (!first) { // the address space has no room for a step (ulimit -v): keep the usual growth
        mallopt(M_TOP_PAD, 128 << 10);
        return;
    }
    const std::byte *const begin = first.get();
    const auto *const end = static_cast<const std::byte *>(sbrk(0));
    if (end > begin && end <= begin + 2 * kStep) // otherwise the memory does not come from glibc
        preferLargePages(begin, static_cast<std::size_t>(end - begin));
#endif
}

} // namespace vramscope
