// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstdint>
#include <map>
#include <set>
#include <utility>

namespace vramscope {

/// Makes up addresses for allocations with only a known size: the smallest gap that fits, else the
/// end with the gap before it. Logarithmic in the number of gaps.
class MadeUpAddresses
{
public:
    explicit MadeUpAddresses(std::uint64_t first)
        : m_end(first)
    {
    }

    /// An address for `size` bytes, more than 0.
    [[nodiscard]] std::uint64_t place(Bytes size);
    /// Frees what was placed there.
    void release(std::uint64_t address, Bytes size);
    /// The end of the last byte that was ever in use.
    [[nodiscard]] std::uint64_t end() const { return m_end; }

private:
    void addGap(std::uint64_t address, Bytes size);
    void removeGap(std::map<std::uint64_t, Bytes>::iterator gap);

    std::uint64_t m_end;
    std::map<std::uint64_t, Bytes> m_gaps;                  // by address
    std::set<std::pair<Bytes, std::uint64_t>> m_gapsBySize; // the same
};

} // namespace vramscope
