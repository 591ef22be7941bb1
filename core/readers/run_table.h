// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace vramscope::pickle {

/// Gives equal runs of bytes equal numbers. Most of a snapshot is lists of references to frames
/// that were written before; a training loop repeats itself, so the two runs that followed the last
/// one before are tried first: then not even the end of a run is searched.
class RunTable
{
public:
    /// `mostBytes`: the limit of byteCount(); past it nothing more is added.
    explicit RunTable(std::size_t mostBytes);

    /// The number of the expected run, if `ahead` begins with it and then `end`; otherwise 0.
    [[nodiscard]] std::uint32_t expected(std::span<const std::uint8_t> ahead, std::uint8_t end);
    /// The number of a non-empty run, from 1; a new run is added. 0 if it is new and there is no
    /// room.
    [[nodiscard]] std::uint32_t number(std::span<const std::uint8_t> run);

    /// Numbers are below this.
    [[nodiscard]] std::size_t end() const { return m_entries.size(); }
    [[nodiscard]] std::span<const std::uint8_t> bytes(std::uint32_t number) const
    {
        return {m_bytes.data() + m_entries[number].first, m_entries[number].size};
    }
    [[nodiscard]] std::size_t size(std::uint32_t number) const { return m_entries[number].size; }
    /// The bytes of all runs and their entries.
    [[nodiscard]] std::size_t byteCount() const
    {
        return m_bytes.size() + m_entries.size() * sizeof(Entry);
    }
    void clear();

private:
    struct Entry
    {
        std::uint64_t hash = 0;
        std::size_t first = 0; // into m_bytes
        std::size_t size = 0;
        std::array<std::uint32_t, 2> next{}; // the entries that followed it, the newer one first
    };
    void follow(std::uint32_t entry);
    void insert(std::uint32_t entry);

    std::size_t m_mostBytes;
    std::vector<Entry> m_entries;       // the first is unused
    std::vector<std::uint32_t> m_table; // open addressing, a power of two; 0 is free
    std::vector<std::uint8_t> m_bytes;
    std::uint32_t m_last = 0; // entry
};

} // namespace vramscope::pickle
