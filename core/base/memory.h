// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"

#include <optional>

namespace vramscope {

/// How much more memory this program may allocate: the smaller of the machine's available memory
/// without swapping and the rest of the limit on the program's address space. Nothing if neither is
/// known.
[[nodiscard]] std::optional<Bytes> freeMemory();

/// Replaces the source of freeMemory(), for tests; nullptr restores the system's. Returns the
/// previous one.
using FreeMemorySource = std::optional<Bytes> (*)();
FreeMemorySource setFreeMemorySource(FreeMemorySource source);

/// The error for work that ended for lack of memory, wherever that was noticed: "There is not
/// enough memory: this needs about 3.2 GiB, and 1.1 GiB are free …", as far as it is known.
[[nodiscard]] Error notEnoughMemory(std::optional<Bytes> needed = {},
                                    std::optional<Bytes> free = freeMemory());

/// Watches how much of the free memory one piece of work takes. Beyond half of it the work should
/// stop: the analysis, which follows reading, takes about as much again, and a swapping machine
/// does not respond.
class MemoryShare
{
public:
    MemoryShare()
        : m_atStart(freeMemory())
    {
    }

    /// Whether the work may continue after its part `done`, from 0 to 1; once false, always false.
    [[nodiscard]] bool suffices(double done);
    [[nodiscard]] bool isSpent() const { return m_spent; }
    /// The error for work that was stopped, or that got no memory.
    [[nodiscard]] Error error() const;

private:
    std::optional<Bytes> m_atStart;
    Bytes m_taken = 0;
    double m_done = 0;
    bool m_spent = false;
};

} // namespace vramscope
