// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/string_pool.h"

#include <cassert>

namespace vramscope {

StringPool::StringPool()
{
    intern({});
}

// Builds its own ids, which refer to its own strings.
StringPool::StringPool(const StringPool &other)
    : StringPool(other.mapped([](StringId, std::string_view text) { return std::string(text); }))
{
}

StringPool
StringPool::mapped(const std::function<std::string(StringId, std::string_view)> &rewrite) const
{
    StringPool pool;
    for (std::size_t at = 1; at < m_strings.size(); ++at) {
        const auto id = static_cast<StringId>(at);
        pool.m_strings.push_back(rewrite(id, m_strings[at]));
        pool.m_ids.emplace(pool.m_strings.back(), id);
    }
    return pool;
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
