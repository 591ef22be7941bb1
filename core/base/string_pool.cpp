// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/string_pool.h"

#include <cassert>

namespace vramscope {

StringPool::StringPool()
{
    intern({});
}

StringId StringPool::intern(std::string_view text)
{
    if (const auto known = m_ids.find(text); known != m_ids.end())
        return known->second;
    const auto id = static_cast<StringId>(m_strings.size());
    m_strings.emplace_back(text);
    m_ids.emplace(m_strings.back(), id);
    return id;
}

std::string_view StringPool::text(StringId id) const
{
    assert(static_cast<std::size_t>(id) < m_strings.size());
    return m_strings[static_cast<std::size_t>(id)];
}

} // namespace vramscope
