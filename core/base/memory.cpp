// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/memory.h"

#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <charconv>
#include <fcntl.h>
#include <string>
#include <string_view>
#include <sys/resource.h>
#include <unistd.h>

namespace vramscope {

namespace {

/// The beginning of one of the system's files, in a buffer of its own: used when memory is short.
class SystemText
{
public:
    explicit SystemText(const char *file)
    {
        const int in = ::open(file, O_RDONLY | O_CLOEXEC);
        if (in < 0)
            return;
        const ssize_t count = ::read(in, m_buffer.data(), m_buffer.size());
        m_length = count > 0 ? static_cast<std::size_t>(count) : 0;
        ::close(in);
    }

    /// The number that follows `name`.
    [[nodiscard]] std::optional<Bytes> numberAfter(std::string_view name) const
    {
        const std::string_view text(m_buffer.data(), m_length);
        const std::size_t at = text.find(name);
        if (at == std::string_view::npos)
            return {};
        const std::size_t first = text.find_first_not_of(" \t", at + name.size());
        Bytes number = 0;
        if (first == std::string_view::npos ||
            std::from_chars(text.data() + first, text.data() + text.size(), number).ec !=
                std::errc())
            return {};
        return number;
    }

private:
    std::array<char, 4096> m_buffer{};
    std::size_t m_length = 0;
};

/// The limit on the address space of this program, from `ulimit -v`.
std::optional<Bytes> addressLimit()
{
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
        return {};
    return static_cast<Bytes>(limit.rlim_cur);
}

std::optional<Bytes> systemFreeMemory()
{
    constexpr Bytes kKilo = 1024;
    std::optional<Bytes> free = SystemText("/proc/meminfo").numberAfter("MemAvailable:");
    if (free)
        *free *= kKilo;
    if (const auto limit = addressLimit()) {
        const auto used = SystemText("/proc/self/status").numberAfter("VmSize:");
        const Bytes left = std::max<Bytes>(*limit - used.value_or(0) * kKilo, 0);
        free = std::min(free.value_or(left), left);
    }
    return free;
}

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
