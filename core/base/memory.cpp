// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"

#include "core/base/format.h"
#include "core/base/platform.h"

#include <algorithm>
#include <atomic>
#include <string>

namespace vramscope {

namespace {

std::atomic<FreeMemorySource> theSource = systemFreeMemory;

} // namespace

std::optional<Bytes> freeMemory()
{
    return theSource.load()();
}

FreeMemorySource setFreeMemorySource(FreeMemorySource source)
{
    return theSource.exchange(source ? source : systemFreeMemory);
}

Error notEnoughMemory(std::optional<Bytes> needed, std::optional<Bytes> free)
{
    std::string text = "There is not enough memory";
    if (needed)
        text += ": this needs about " + formatBytes(*needed);
    if (free)
        text += (needed ? ", and " : ": ") + formatBytes(*free) + " are free";
    if (const auto limit = addressLimit())
        text += " (this program may take " + formatBytes(*limit) + ": ulimit -v)";
    return {ErrorCode::Unreadable,
            text + ". Close other programs, or use a machine with more memory."};
}

bool MemoryShare::suffices(double done)
{
    m_done = std::max(m_done, done);
    const auto free = m_atStart && !m_spent ? freeMemory() : std::nullopt;
    if (free) {
        m_taken = *m_atStart - *free;
        m_spent = m_taken > *m_atStart / 2;
    }
    return !m_spent;
}

Error MemoryShare::error() const
{
    constexpr double kLeastDone = 0.01; // before, the rest cannot be estimated
    if (!m_atStart || m_done < kLeastDone)
        return notEnoughMemory({}, m_atStart);
    // If it was stopped, the analysis would have taken as much again; otherwise all was taken.
    const auto taken = static_cast<double>(m_spent ? 2 * m_taken : *m_atStart);
    return notEnoughMemory(static_cast<Bytes>(taken / std::min(m_done, 1.0)), m_atStart);
}

} // namespace vramscope
