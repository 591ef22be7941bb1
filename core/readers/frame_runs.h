// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vramscope::pickle {

/// Remembers which stack a run of bytes stood for. Most of a snapshot is lists of references to
/// frames that were written before; as a memo slot keeps its value, equal bytes mean an equal
/// stack, and a run seen before needs no decoding. A training loop repeats itself, so the two runs
/// that followed the last one before are tried first: then not even the end is looked for.
/// Bounded in memory: past the limit nothing more is remembered.
class FrameRuns
{
public:
    struct Run
    {
        StackId stack = StackId::None;
        std::uint32_t size = 0; ///< bytes
    };

    FrameRuns();

    /// The run that is expected now, where `ahead` begins with it and then `end`.
    [[nodiscard]] std::optional<Run> expected(std::span<const std::uint8_t> ahead,
                                              std::uint8_t end);
    [[nodiscard]] std::optional<Run> find(std::span<const std::uint8_t> run);
    void remember(std::span<const std::uint8_t> run, StackId stack);
    /// Forgets everything: a memo slot has changed.
    void clear();

private:
    struct Entry
    {
        std::uint64_t hash = 0;
        std::uint32_t first = 0; // into m_bytes
        Run run;
        std::array<std::uint32_t, 2> next{}; // the entries that followed it, the newer one first
    };
    void follow(std::uint32_t entry);
    void insert(std::uint32_t entry);

    std::vector<Entry> m_entries;       // the first is none
    std::vector<std::uint32_t> m_table; // open addressing, a power of two; 0 is free
    std::vector<std::uint8_t> m_bytes;
    std::uint32_t m_last = 0; // entry
};

} // namespace vramscope::pickle
