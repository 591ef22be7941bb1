// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/run_table.h"

#include "core/readers/pickle_heap.h"

#include <cstring>

namespace vramscope::pickle {

namespace {

constexpr std::size_t kFirstTableSize = 512;

std::uint64_t hashOf(std::span<const std::uint8_t> run)
{
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
    std::uint64_t hash = run.size() * kFactor;
    const std::uint8_t *at = run.data();
    std::size_t left = run.size();
    for (; left >= 8; at += 8, left -= 8) {
        hash = (hash ^ littleEndian<std::uint64_t>(at)) * kFactor;
        hash ^= hash >> 32;
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, at, left);
    hash = (hash ^ rest) * kFactor;
    return hash ^ (hash >> 32);
}

} // namespace

RunTable::RunTable(std::size_t mostBytes)
    : m_mostBytes(mostBytes)
    , m_entries(1)
    , m_table(kFirstTableSize)
{
}

std::uint32_t RunTable::expected(std::span<const std::uint8_t> ahead, std::uint8_t end)
{
    for (const std::uint32_t candidate : m_entries[m_last].next) {
        const Entry &entry = m_entries[candidate];
        if (entry.size > 0 && ahead.size() > entry.size && ahead[entry.size] == end &&
            std::memcmp(m_bytes.data() + entry.first, ahead.data(), entry.size) == 0)
            return m_last = candidate;
    }
    return 0;
}

std::uint32_t RunTable::number(std::span<const std::uint8_t> run)
{
    const std::uint64_t hash = hashOf(run);
    const std::size_t mask = m_table.size() - 1;
    for (std::size_t slot = hash & mask; m_table[slot] != 0; slot = (slot + 1) & mask) {
        const Entry &entry = m_entries[m_table[slot]];
        if (entry.hash == hash && entry.size == run.size() &&
            std::memcmp(m_bytes.data() + entry.first, run.data(), run.size()) == 0) {
            follow(m_table[slot]);
            return m_last;
        }
    }
    if (byteCount() + run.size() > m_mostBytes)
        return 0;
    const auto added = static_cast<std::uint32_t>(m_entries.size());
    m_entries.push_back({hash, m_bytes.size(), run.size(), {}});
    m_bytes.insert(m_bytes.end(), run.begin(), run.end());
    if (m_entries.size() * 2 > m_table.size()) {
        m_table.assign(m_table.size() * 2, 0);
        for (std::uint32_t entry = 1; entry < added; ++entry)
            insert(entry);
    }
    insert(added);
    follow(added);
    return added;
}

void RunTable::follow(std::uint32_t entry)
{
    auto &next = m_entries[m_last].next;
    next = {entry, next[0]};
    m_last = entry;
}

void RunTable::insert(std::uint32_t entry)
{
    const std::size_t mask = m_table.size() - 1;
    std::size_t slot = m_entries[entry].hash & mask;
    while (m_table[slot] != 0)
        slot = (slot + 1) & mask;
    m_table[slot] = entry;
}

void RunTable::clear()
{
    if (m_entries.size() > 1)
        *this = RunTable(m_mostBytes);
}

} // namespace vramscope::pickle
