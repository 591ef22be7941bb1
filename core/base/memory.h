// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"

#include <optional>

namespace vramscope {

/// What this program may still take: the least of what the machine has available without swapping
/// and what the limit on the program's address space leaves. Nothing where neither is known.
[[nodiscard]] std::optional<Bytes> freeMemory();

/// Replaces what freeMemory() asks, for tests; nullptr asks the system again. Gives the one before.
using FreeMemorySource = std::optional<Bytes> (*)();
FreeMemorySource setFreeMemorySource(FreeMemorySource source);

/// What is said of work that ended for want of memory, wherever that was noticed: "There is not
/// enough memory: this needs about 3.2 GiB, and 1.1 GiB are free …", as far as it is known.
[[nodiscard]] Error notEnoughMemory(std::optional<Bytes> needed = {},
                                    std::optional<Bytes> free = freeMemory());

/// Watches what one piece of work takes of the memory that was free when it began. Beyond half of
/// it the work is to stop: what comes after reading, the analysis, takes about as much again, and a
/// machine that swaps answers nobody.
class MemoryShare
{
public:
    MemoryShare()
        : m_atStart(freeMemory())
    {
    }

    /// Whether the work may go on when `done` of it, from 0 to 1, is behind it; false for good
    /// once it was.
    [[nodiscard]] bool suffices(double done);
    [[nodiscard]] bool isSpent() const { return m_spent; }
    /// What to say of the work that was stopped, or that got no memory.
    [[nodiscard]] Error error() const;

private:
    std::optional<Bytes> m_atStart;
    Bytes m_taken = 0;
    double m_done = 0;
    bool m_spent = false;
};

} // namespace vramscope
