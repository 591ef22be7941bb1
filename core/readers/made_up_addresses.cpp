// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/made_up_addresses.h"

namespace vramscope {

std::uint64_t MadeUpAddresses::place(Bytes size)
{
    const auto fit = m_gapsBySize.lower_bound({size, 0});
    if (fit == m_gapsBySize.end()) {
        // As an expandable segment grows: from the gap at its end on, if there is one.
        std::uint64_t address = m_end;
        if (!m_gaps.empty()) {
            const auto last = std::prev(m_gaps.end());
            if (last->first + static_cast<std::uint64_t>(last->second) == m_end) {
                address = last->first;
                removeGap(last);
            }
        }
        m_end = address + static_cast<std::uint64_t>(size);
        return address;
    }
    const auto [gapSize, address] = *fit;
    removeGap(m_gaps.find(address));
    if (gapSize > size)
        addGap(address + static_cast<std::uint64_t>(size), gapSize - size);
    return address;
}

void MadeUpAddresses::release(std::uint64_t address, Bytes size)
{
    const auto next = m_gaps.lower_bound(address);
    if (next != m_gaps.begin()) {
        const auto previous = std::prev(next);
        if (previous->first + static_cast<std::uint64_t>(previous->second) == address) {
            address = previous->first;
            size += previous->second;
            removeGap(previous);
        }
    }
    if (next != m_gaps.end() && address + static_cast<std::uint64_t>(size) == next->first) {
        size += next->second;
        removeGap(next);
    }
    addGap(address, size);
}

void MadeUpAddresses::addGap(std::uint64_t address, Bytes size)
{
    m_gaps.emplace(address, size);
    m_gapsBySize.emplace(size, address);
}

void MadeUpAddresses::removeGap(std::map<std::uint64_t, Bytes>::iterator gap)
{
    m_gapsBySize.erase({gap->second, gap->first});
    m_gaps.erase(gap);
}

} // namespace vramscope
