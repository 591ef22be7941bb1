// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

namespace vramscope {

/// Numbers pairs of numbers in the order in which they first come: (name, class) → row of a table,
/// (path, name) → longer path. A flat table, some nanoseconds a look, where a map of the standard
/// library would dominate a table of a million operators.
class PairIds
{
public:
    static constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

    PairIds()
        : m_slots(64, kNone)
    {
    }

    /// The number of a pair, a new one where it comes for the first time.
    std::uint32_t id(std::uint32_t a, std::uint32_t b)
    {
        const std::uint64_t key = std::uint64_t(a) << 32 | b;
        std::size_t slot = slotOf(key);
        if (m_slots[slot] != kNone)
            return m_slots[slot];
        if ((m_keys.size() + 1) * 2 > m_slots.size()) {
            grow();
            slot = slotOf(key);
        }
        m_slots[slot] = static_cast<std::uint32_t>(m_keys.size());
        m_keys.push_back(key);
        return m_slots[slot];
    }

    [[nodiscard]] std::pair<std::uint32_t, std::uint32_t> pair(std::uint32_t id) const
    {
        return {static_cast<std::uint32_t>(m_keys[id] >> 32),
                static_cast<std::uint32_t>(m_keys[id])};
    }
    [[nodiscard]] std::size_t size() const { return m_keys.size(); }

private:
    [[nodiscard]] std::size_t slotOf(std::uint64_t key) const
    {
        const std::size_t mask = m_slots.size() - 1;
        std::uint64_t mixed = key * 0x9e3779b97f4a7c15U;
        mixed ^= mixed >> 32;
        std::size_t slot = static_cast<std::size_t>(mixed) & mask;
        while (m_slots[slot] != kNone && m_keys[m_slots[slot]] != key)
            slot = (slot + 1) & mask;
        return slot;
    }
    void grow()
    {
        m_slots.assign(m_slots.size() * 2, kNone);
        for (std::size_t at = 0; at < m_keys.size(); ++at)
            m_slots[slotOf(m_keys[at])] = static_cast<std::uint32_t>(at);
    }

    std::vector<std::uint32_t> m_slots; ///< a power of two, half of it free at least
    std::vector<std::uint64_t> m_keys;
};

} // namespace vramscope
