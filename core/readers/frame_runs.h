// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace vramscope::pickle {

/// Remembers which stack a run of bytes stood for. Most of a snapshot is lists of references to
/// frames that were written before; as a memo slot keeps its value, equal bytes mean an equal
/// stack, and a run seen before needs no decoding. Bounded in memory: past the limit nothing more
/// is remembered.
class FrameRuns
{
public:
    FrameRuns();

    [[nodiscard]] static std::uint64_t hash(std::span<const std::uint8_t> run);
    [[nodiscard]] std::optional<StackId> find(std::span<const std::uint8_t> run,
                                              std::uint64_t hash) const;
    void remember(std::span<const std::uint8_t> run, std::uint64_t hash, StackId stack);
    /// Forgets everything: a memo slot has changed.
    void clear();

private:
    struct Entry
    {
        std::uint64_t hash = 0;
        std::uint32_t first = 0; // into m_bytes
        std::uint32_t size = 0;  // 0: free
        StackId stack = StackId::None;
    };
    void grow();

    std::vector<Entry> m_table; // open addressing, a power of two
    std::size_t m_used = 0;
    std::vector<std::uint8_t> m_bytes;
};

} // namespace vramscope::pickle
