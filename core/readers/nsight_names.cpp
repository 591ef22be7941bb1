// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/nsight_names.h"

#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <cstddef>

namespace vramscope::nsight {

namespace {

/// Entry number `at`, or the first, which means unknown.
template<std::size_t count>
std::string_view entry(const std::array<std::string_view, count> &names, std::int64_t at)
{
    return names[at >= 0 && at < static_cast<std::int64_t>(count) ? static_cast<std::size_t>(at)
                                                                  : 0];
}

std::string_view memoryKind(std::int64_t kind)
{
    static constexpr std::array<std::string_view, 7> kKinds{
        "Pageable", "Pinned", "Device", "Array", "Managed", "Device Static", "Managed Static"};
    return kind >= 0 && kind < static_cast<std::int64_t>(kKinds.size())
               ? kKinds[static_cast<std::size_t>(kind)]
               : "Unknown";
}

} // namespace

std::string copyName(std::int64_t copyKind, std::int64_t from, std::int64_t to)
{
    static constexpr std::array<std::string_view, 14> kKinds{
        "Unknown", "HtoD", "DtoH", "HtoA", "AtoH", "AtoA", "AtoD",
        "DtoA",    "DtoD", "HtoH", "PtoP", "HtoD", "DtoH", "DtoD"};
    constexpr std::int64_t kFirstUnified = 11; // pages that move by themselves
    std::string name = "Memcpy ";
    name += entry(kKinds, copyKind);
    if (copyKind >= kFirstUnified && copyKind < static_cast<std::int64_t>(kKinds.size()))
        return name + " (Unified Memory)";
    name += " (";
    name += memoryKind(from);
    name += " -> ";
    name += memoryKind(to);
    return name + ')';
}

std::string fillName(std::int64_t kind)
{
    return "Memset (" + std::string(memoryKind(kind)) + ')';
}

std::string_view syncName(std::int64_t type)
{
    static constexpr std::array<std::string_view, 5> kTypes{
        "Unknown Sync", "Event Sync", "Stream Wait Event", "Stream Sync", "Context Sync"};
    return entry(kTypes, type);
}

std::string_view callName(std::string_view name)
{
    constexpr std::size_t kFewest = 4; // "_v2" belongs to the name of the call
    const std::size_t mark = name.rfind("_v");
    if (mark == name.npos || name.size() - mark - 2 < kFewest)
        return name;
    for (const char c : name.substr(mark + 2)) {
        if (!isDigit(c))
            return name;
    }
    return name.substr(0, mark);
}

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
