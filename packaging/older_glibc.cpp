// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
//
// libstdc++'s archive takes random numbers of std::random_device from arc4random, which glibc has
// only since 2.36: with one of our own the programs start where glibc 2.34 is.
#include <cstdint>
#include <cstdlib>

#include <sys/random.h>

extern "C" std::uint32_t arc4random() noexcept
{
    std::uint32_t number = 0;
    if (getrandom(&number, sizeof number, 0) != sizeof number)
        std::abort(); // as glibc's does where the kernel has none to give
    return number;
}
