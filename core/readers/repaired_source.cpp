// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/repaired_source.h"

#include <algorithm>
#include <cstring>

namespace vramscope {

Result<std::size_t> RepairedSource::read(std::span<std::byte> into)
{
    std::size_t filled = 0;
    while (filled < into.size()) {
        if (m_piece.empty())
            m_piece = m_repair.piece();
        if (m_piece.empty())
            break;
        const std::size_t count = std::min(into.size() - filled, m_piece.size());
        std::memcpy(into.data() + filled, m_piece.data(), count);
        m_piece.remove_prefix(count);
        filled += count;
    }
    return filled;
}

} // namespace vramscope
