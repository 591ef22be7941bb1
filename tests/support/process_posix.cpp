// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/process.h"

#include <filesystem>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef VRAMSCOPE_SANITIZED
// Of the sanitizers' runtime; GCC ships no header for it.
extern "C" std::size_t __sanitizer_get_current_allocated_bytes();
#elif defined(__APPLE__)
#include <malloc/malloc.h>
#else
#include <malloc.h>
#endif

namespace vramscope::test {

Bytes heapBytes()
{
#ifdef VRAMSCOPE_SANITIZED
    return static_cast<Bytes>(__sanitizer_get_current_allocated_bytes());
#elif defined(__APPLE__)
    return static_cast<Bytes>(mstats().bytes_used);
#else
    const struct mallinfo2 info = mallinfo2();
    return static_cast<Bytes>(info.uordblks + info.hblkhd);
#endif
}

Bytes peakMemory()
{
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return Bytes(usage.ru_maxrss) * 1024;
}

int threadCount()
{
    std::error_code error;
    int count = 0;
    for (std::filesystem::directory_iterator at("/proc/self/task", error), end; at != end; ++at)
        ++count;
    return count;
}

bool makePipe(const std::filesystem::path &file)
{
    return ::mkfifo(file.c_str(), 0600) == 0;
}

bool readsEverything()
{
    return ::geteuid() == 0;
}

} // namespace vramscope::test
