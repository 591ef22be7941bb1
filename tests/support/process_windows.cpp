// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/process.h"

#define WIN32_LEAN_AND_MEAN
#include <windows.h>

#include <psapi.h>
#include <tlhelp32.h>

namespace vramscope::test {

namespace {

PROCESS_MEMORY_COUNTERS_EX counters()
{
    PROCESS_MEMORY_COUNTERS_EX found{};
    found.cb = sizeof found;
    GetProcessMemoryInfo(GetCurrentProcess(), reinterpret_cast<PROCESS_MEMORY_COUNTERS *>(&found),
                         sizeof found);
    return found;
}

} // namespace

Bytes heapBytes()
{
    return static_cast<Bytes>(counters().PrivateUsage);
}

Bytes peakMemory()
{
    return static_cast<Bytes>(counters().PeakWorkingSetSize);
}

int threadCount()
{
    HANDLE const all = CreateToolhelp32Snapshot(TH32CS_SNAPTHREAD, 0);
    int count = 0;
    THREADENTRY32 thread{};
    thread.dwSize = sizeof thread;
    for (BOOL more = Thread32First(all, &thread); more != 0; more = Thread32Next(all, &thread))
        count += thread.th32OwnerProcessID == GetCurrentProcessId() ? 1 : 0;
    CloseHandle(all);
    return count;
}

bool makePipe(const std::filesystem::path &)
{
    return false;
}

bool readsEverything()
{
    return true; // permissions::none leaves a file readable
}

} // namespace vramscope::test
