// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"

#include <cstdint>
#include <initializer_list>
#include <string>

namespace vramscope {

/// What a rank does, in order of time; also bits of a MomentSet. Load to Rest are those of a
/// training step, Load, Profile, Serve and Rest those of serving.
enum class StepPhase { Load, Forward, Loss, Backward, EndOfBackward, Step, Profile, Serve, Rest };

/// Any of them.
class MomentSet
{
public:
    constexpr MomentSet() = default;
    constexpr MomentSet(std::initializer_list<StepPhase> moments)
    {
        for (const StepPhase at : moments)
            m_bits |= bit(at);
    }
    [[nodiscard]] constexpr bool contains(StepPhase at) const { return m_bits & bit(at); }
    [[nodiscard]] constexpr MomentSet operator|(MomentSet other) const
    {
        other.m_bits |= m_bits;
        return other;
    }
    bool operator==(const MomentSet &) const = default;

private:
    static constexpr unsigned bit(StepPhase at) { return 1U << static_cast<unsigned>(at); }
    unsigned m_bits = 0;
};

inline constexpr MomentSet kForwardToBackward = {StepPhase::Forward, StepPhase::Loss,
                                                 StepPhase::Backward, StepPhase::EndOfBackward};
inline constexpr MomentSet kWholeStep =
    kForwardToBackward | MomentSet{StepPhase::Step, StepPhase::Rest};

/// A point of time: a moment and, in forward and backward, which block of the rank runs (from 0)
/// or has just run.
struct Position
{
    StepPhase at = StepPhase::Rest;
    std::int64_t block = 0;
    bool after = false;
    bool operator==(const Position &) const = default;
};

/// "forward", "first backward block", "after backward of block 12", …, on a rank of `blocks`
/// blocks. The forward pass is named by its last block, with which it ends.
[[nodiscard]] std::string momentName(const Position &position, std::int64_t blocks);

/// Neighbouring blocks of a rank, counted from its first.
struct BlockRange
{
    std::int64_t first = 0;
    std::int64_t blocks = 0;
};

/// How a part changes while the blocks of a range run. The part's bytes are its largest size;
/// `each` comes or goes with every `stride` blocks.
struct BlockProfile
{
    enum class Kind {
        Steady,    ///< the same all the time
        Saved,     ///< comes block by block in forward, goes block by block in backward
        Grown,     ///< comes block by block in backward: gradients
        Running,   ///< there while one of the blocks runs; `base` stays when it has run
        Recomputed ///< a segment of `stride` blocks recomputed at once, used up block by block
    };
    Kind kind = Kind::Steady;
    BlockRange range;
    Exact each;
    std::int64_t stride = 1;
    Exact base;

    [[nodiscard]] static BlockProfile saved(BlockRange range, Exact each, std::int64_t stride = 1)
    {
        return {Kind::Saved, range, each, stride, {}};
    }
    [[nodiscard]] static BlockProfile grown(BlockRange range, Exact each)
    {
        return {Kind::Grown, range, each, 1, {}};
    }
    [[nodiscard]] static BlockProfile running(BlockRange range, Exact base = {})
    {
        return {Kind::Running, range, {}, 1, base};
    }
    [[nodiscard]] static BlockProfile recomputed(BlockRange range, Exact each, std::int64_t stride)
    {
        return {Kind::Recomputed, range, each, stride, {}};
    }

    /// What is there of `bytes` while, or after, a block runs forward or backward.
    [[nodiscard]] Exact at(const Position &position, Exact bytes) const;
    /// How often `each` is missing from the whole bytes while, or after, a block runs.
    [[nodiscard]] std::int64_t missing(const Position &position) const;

private:
    [[nodiscard]] std::int64_t started(std::int64_t block) const;
};

} // namespace vramscope
