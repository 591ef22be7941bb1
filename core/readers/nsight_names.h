// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"
#include "core/readers/sqlite_file.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope::nsight {

// Nsight Systems' numeric codes in the words of torch.profiler, so that recordings of both can be
// compared.

/// "Memcpy HtoD (Pinned -> Device)", from ENUM_CUDA_MEMCPY_OPER and two of ENUM_CUDA_MEM_KIND.
[[nodiscard]] std::string copyName(std::int64_t copyKind, std::int64_t from, std::int64_t to);
/// "Memset (Device)", from ENUM_CUDA_MEM_KIND.
[[nodiscard]] std::string fillName(std::int64_t kind);
/// "Stream Wait Event", from ENUM_CUPTI_SYNC_TYPE.
[[nodiscard]] std::string_view syncName(std::int64_t type);
/// A call without the version that Nsight adds: "cudaLaunchKernel" for "cudaLaunchKernel_v7000".
[[nodiscard]] std::string_view callName(std::string_view name);

/// The process and thread in a "globalTid", the process in a "globalPid": 24 bits each.
[[nodiscard]] constexpr std::int64_t processOf(std::int64_t global)
{
    return global >> 24 & 0xFFFFFF;
}
[[nodiscard]] constexpr std::int64_t threadOf(std::int64_t global)
{
    return global & 0xFFFFFF;
}

/// The texts of an export (StringIds) by their ids. Exports of programs that number their ranges
/// have millions, few of them names: a text becomes a name when it is first requested.
class Strings
{
public:
    [[nodiscard]] static Result<Strings> read(SqliteFile &file);

    /// Empty if the id does not exist.
    [[nodiscard]] std::string_view text(std::int64_t id) const;
    /// The position of a text, which is faster to use than its id; count() if the id does not
    /// exist.
    [[nodiscard]] std::size_t find(std::int64_t id) const;
    /// Whether a position from find() has no text or an empty one.
    [[nodiscard]] bool isEmpty(std::size_t place) const
    {
        return place == m_entries.size() || m_entries[place].size == 0;
    }
    /// The name at a position from find(), passed through `shorten`.
    template<class Shorten>
    StringId nameAt(std::size_t place, ProfileBuilder &builder, Shorten shorten)
    {
        if (place == m_entries.size())
            return StringId::Empty;
        Entry &entry = m_entries[place];
        if (entry.name == kNone)
            entry.name = builder.internText(shorten(textOf(entry)));
        return entry.name;
    }
    template<class Shorten>
    StringId name(std::int64_t id, ProfileBuilder &builder, Shorten shorten)
    {
        return nameAt(find(id), builder, shorten);
    }
    [[nodiscard]] std::size_t count() const { return m_entries.size(); }

private:
    static constexpr StringId kNone{0xFFFFFFFF};
    struct Entry
    {
        std::int64_t id;
        std::uint64_t begin;
        std::uint32_t size;
        StringId name;
    };
    [[nodiscard]] std::string_view textOf(const Entry &entry) const
    {
        return std::string_view(m_texts).substr(entry.begin, entry.size);
    }

    std::vector<Entry> m_entries; // by id
    std::string m_texts;
};

} // namespace vramscope::nsight
