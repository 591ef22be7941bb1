// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/process.h"

#include <filesystem>

#ifdef VRAMSCOPE_SANITIZED
// Of the sanitizers' runtime; GCC ships no header for it.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#else
#include <malloc.h>
#endif

namespace vramscope::test {

Bytes heapBytes()
{
#ifdef VRAMSCOPE_SANITIZED
    return static_cast<Bytes>(__sanitizer_get_current_allocated_bytes());
#else
    const struct mallinfo2 info = mallinfo2();
    return static_cast<Bytes>(info.uordblks + info.hblkhd);
#endif
}

int threadCount()
{
    std::error_code error;
    int count = 0;
    for (std::filesystem::directory_iterator at("/proc/self/task", error), end; at != end; ++at)
        ++count;
    return count;
}

} // namespace vramscope::test
