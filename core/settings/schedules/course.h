// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"
#include "core/settings/schedules/position.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

namespace vramscope {

/// Blocks of a rank, counted from its first: neighbours, or blocks of one kind among others.
struct BlockRange
{
    std::int64_t first = 0;
    std::int64_t blocks = 0;
    /// How many of them come before each block of the rank, and before its end; null: neighbours.
    std::shared_ptr<const std::vector<std::int64_t>> counts = {};

    /// How many of them come before `block`.
    [[nodiscard]] std::int64_t before(std::int64_t block) const
    {
        if (!counts)
            return std::clamp<std::int64_t>(block - first, 0, blocks);
        const auto end = static_cast<std::int64_t>(counts->size()) - 1;
        return (*counts)[static_cast<std::size_t>(std::clamp<std::int64_t>(block, 0, end))];
    }
    [[nodiscard]] bool contains(std::int64_t block) const
    {
        return before(block + 1) > before(block);
    }
};

/// How a part changes while the blocks of a range run. The part's bytes are its largest size;
/// `each` comes or goes with every `stride` blocks.
struct Course
{
    enum class Kind {
        Steady,    ///< the same all the time
        Saved,     ///< comes block by block in forward, goes block by block in backward
        Grown,     ///< comes block by block in backward: gradients
        Running,   ///< there while one of the blocks runs; `base` stays when it has run
        Ahead,     ///< there while the blocks run, and between them
        Recomputed ///< a segment of `stride` blocks recomputed at once, used up block by block
    };
    Kind kind = Kind::Steady;
    BlockRange range;
    Exact each;
    std::int64_t stride = 1;
    Exact base;

    [[nodiscard]] static Course saved(BlockRange range, Exact each, std::int64_t stride = 1)
    {
        return {Kind::Saved, std::move(range), each, stride, {}};
    }
    [[nodiscard]] static Course grown(BlockRange range, Exact each)
    {
        return {Kind::Grown, std::move(range), each, 1, {}};
    }
    [[nodiscard]] static Course running(BlockRange range, Exact base = {})
    {
        return {Kind::Running, std::move(range), {}, 1, base};
    }
    [[nodiscard]] static Course ahead(BlockRange range)
    {
        return {Kind::Ahead, std::move(range), {}, 1, {}};
    }
    [[nodiscard]] static Course recomputed(BlockRange range, Exact each, std::int64_t stride)
    {
        return {Kind::Recomputed, std::move(range), each, stride, {}};
    }

    /// What is there of `bytes` while, or after, a block runs forward or backward.
    [[nodiscard]] Exact at(const Position &position, Exact bytes) const;
    /// How often `each` is missing from the whole bytes while, or after, a block runs.
    [[nodiscard]] std::int64_t missing(const Position &position) const;

private:
    [[nodiscard]] std::int64_t strides(std::int64_t count) const;
};

} // namespace vramscope
