// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/frame_runs.h"

#include <algorithm>
#include <cstring>

namespace vramscope::pickle {

namespace {

constexpr std::size_t kMostBytes = std::size_t(16) << 20; // some ten thousand deep stacks
constexpr std::size_t kFirstTableSize = 1024;

} // namespace

FrameRuns::FrameRuns()
    : m_table(kFirstTableSize)
{
}

std::uint64_t FrameRuns::hash(std::span<const std::uint8_t> run)
{
    constexpr std::uint64_t kFactor = 0x9E3779B97F4A7C15ULL;
    std::uint64_t hash = run.size() * kFactor;
    const std::uint8_t *at = run.data();
    std::size_t left = run.size();
    for (; left >= 8; at += 8, left -= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, at, 8);
        hash = (hash ^ word) * kFactor;
        hash ^= hash >> 32;
    }
    std::uint64_t rest = 0;
    std::memcpy(&rest, at, left);
    hash = (hash ^ rest) * kFactor;
    return hash ^ (hash >> 32);
}

std::optional<StackId> FrameRuns::find(std::span<const std::uint8_t> run, std::uint64_t hash) const
{
    const std::size_t mask = m_table.size() - 1;
    for (std::size_t slot = hash & mask; m_table[slot].size != 0; slot = (slot + 1) & mask) {
        const Entry &entry = m_table[slot];
        if (entry.hash == hash && entry.size == run.size() &&
            std::memcmp(m_bytes.data() + entry.first, run.data(), run.size()) == 0)
            return entry.stack;
    }
    return {};
}

void FrameRuns::remember(std::span<const std::uint8_t> run, std::uint64_t hash, StackId stack)
{
    if (run.empty() || m_bytes.size() + run.size() > kMostBytes)
        return;
    const std::size_t mask = m_table.size() - 1;
    std::size_t slot = hash & mask;
    while (m_table[slot].size != 0)
        slot = (slot + 1) & mask;
    m_table[slot] = {hash, static_cast<std::uint32_t>(m_bytes.size()),
                     static_cast<std::uint32_t>(run.size()), stack};
    m_bytes.insert(m_bytes.end(), run.begin(), run.end());
    if (++m_used * 2 > m_table.size())
        grow();
}

void FrameRuns::grow()
{
    std::vector<Entry> old(m_table.size() * 2);
    old.swap(m_table);
    const std::size_t mask = m_table.size() - 1;
    for (const Entry &entry : old) {
        std::size_t slot = entry.hash & mask;
        while (m_table[slot].size != 0)
            slot = (slot + 1) & mask;
        if (entry.size != 0)
            m_table[slot] = entry;
    }
}

void FrameRuns::clear()
{
    if (m_used == 0)
        return;
    m_table.assign(kFirstTableSize, {});
    m_used = 0;
    m_bytes.clear();
}

} // namespace vramscope::pickle
