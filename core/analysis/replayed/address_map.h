// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace vramscope {

/// A hash map from addresses to 32-bit numbers for replaying a trace: few entries live at once,
/// many come and go. Open addressing with linear probing; removal closes the gap, so that the map
/// never fills up with tombstones. kNone cannot be stored.
class AddressMap
{
public:
    static constexpr std::int32_t kNone = std::numeric_limits<std::int32_t>::min();

    AddressMap()
        : m_slots(kFirstCapacity)
    {
    }

    [[nodiscard]] std::size_t size() const { return m_size; }

    /// The value at `address`, or kNone.
    [[nodiscard]] std::int32_t find(std::uint64_t address) const
    {
        return m_slots[slotOf(address)].value;
    }

    /// Stores `value` and returns the value that it replaces, or kNone.
    std::int32_t exchange(std::uint64_t address, std::int32_t value)
    {
        std::size_t at = slotOf(address);
        const std::int32_t former = m_slots[at].value;
        if (former == kNone && 2 * ++m_size > m_slots.size()) {
            grow();
            at = slotOf(address);
        }
        m_slots[at] = {address, value};
        return former;
    }

    /// Removes and returns the value at `address`, or kNone.
    std::int32_t take(std::uint64_t address)
    {
        std::size_t gap = slotOf(address);
        const std::int32_t former = m_slots[gap].value;
        if (former == kNone)
            return kNone;
        --m_size;
        const std::size_t mask = m_slots.size() - 1;
        for (std::size_t at = (gap + 1) & mask; m_slots[at].value != kNone; at = (at + 1) & mask) {
            // Move up an entry that a probe from its home would no longer find across the gap.
            if (((at - home(m_slots[at].address)) & mask) >= ((at - gap) & mask)) {
                m_slots[gap] = m_slots[at];
                gap = at;
            }
        }
        m_slots[gap].value = kNone;
        return former;
    }

private:
    static constexpr std::size_t kFirstCapacity = 1024;

    struct Slot
    {
        std::uint64_t address = 0;
        std::int32_t value = kNone;
    };

    // The upper bits of the product depend on all bits of the address, including the lower ones,
    // which are zero in every address.
    [[nodiscard]] std::size_t home(std::uint64_t address) const
    {
        constexpr std::uint64_t kGoldenRatio = 0x9e3779b97f4a7c15U;
        return static_cast<std::size_t>((address * kGoldenRatio) >> 32U) & (m_slots.size() - 1);
    }

    // The slot that holds `address`, or the empty one where it belongs.
    [[nodiscard]] std::size_t slotOf(std::uint64_t address) const
    {
        std::size_t at = home(address);
        while (m_slots[at].value != kNone && m_slots[at].address != address)
            at = (at + 1) & (m_slots.size() - 1);
        return at;
    }

    void grow()
    {
        std::vector<Slot> former(2 * m_slots.size());
        former.swap(m_slots);
        for (const Slot &slot : former) {
            if (slot.value != kNone)
                m_slots[slotOf(slot.address)] = slot;
        }
    }

    std::vector<Slot> m_slots; // a power of two
    std::size_t m_size = 0;
};

} // namespace vramscope
