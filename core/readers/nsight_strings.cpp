// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/nsight_strings.h"

#include <algorithm>

namespace vramscope::nsight {

Result<Strings> Strings::read(SqliteFile &file)
{
    static constexpr SqliteColumns kColumns{"id", "value"};
    constexpr std::size_t kLongest = std::size_t(64) << 10; // beyond are logs, no names
    Strings strings;
    const auto read = file.forEachRow("StringIds", kColumns.names, [&](SqliteRow row) {
        const std::string_view text = row.text(kColumns["value"]);
        const std::int64_t id = row.number(kColumns["id"]);
        if (id == kNoNumber || text.size() > kLongest)
            return;
        strings.m_entries.push_back(
            {id, strings.m_texts.size(), static_cast<std::uint32_t>(text.size()), kNone});
        strings.m_texts += text;
    });
    if (!read.ok())
        return read.error();
    if (!std::ranges::is_sorted(strings.m_entries, {}, &Entry::id))
        std::ranges::stable_sort(strings.m_entries, {}, &Entry::id);
    return strings;
}

/// Ids mostly follow each other without gaps.
std::size_t Strings::find(std::int64_t id) const
{
    if (m_entries.empty() || id < m_entries.front().id || id > m_entries.back().id)
        return m_entries.size();
    const std::uint64_t guess =
        static_cast<std::uint64_t>(id) - static_cast<std::uint64_t>(m_entries.front().id);
    if (guess < m_entries.size() && m_entries[guess].id == id)
        return guess;
    const auto found = std::ranges::lower_bound(m_entries, id, {}, &Entry::id);
    return found->id == id ? static_cast<std::size_t>(found - m_entries.begin()) : m_entries.size();
}

std::string_view Strings::text(std::int64_t id) const
{
    const std::size_t at = find(id);
    return at == m_entries.size() ? std::string_view() : textOf(m_entries[at]);
}

} // namespace vramscope::nsight
