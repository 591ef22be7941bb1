// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/operator_walk.h"

#include <tuple>

namespace vramscope {

std::uint32_t OperatorWalk::innermost(std::uint32_t thread, std::int64_t time)
{
    while (m_next < m_operators.count() &&
           std::tie(m_operators.thread[m_next], m_operators.start[m_next]) <=
               std::tie(thread, time))
        m_open = m_next++;
    if (m_open != kNoRow && m_operators.thread[m_open] != thread)
        m_open = kNoRow;
    while (m_open != kNoRow && m_operators.end[m_open] <= time)
        m_open = m_operators.parent[m_open];
    return m_open;
}

} // namespace vramscope
