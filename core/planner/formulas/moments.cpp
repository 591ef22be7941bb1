// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/moments.h"

#include <algorithm>

namespace vramscope {

std::string momentName(const Position &position, std::int64_t blocks)
{
    if (position.after)
        return "after " + momentName({position.at, position.block}, blocks);
    const auto ofBlock = [&](const char *pass) {
        return std::string(pass) + " of block " + std::to_string(position.block + 1);
    };
    switch (position.at) {
    case StepPhase::Load:
        return "load";
    case StepPhase::Forward:
        return position.block == blocks - 1 ? "forward" : ofBlock("forward");
    case StepPhase::Loss:
        return "loss";
    case StepPhase::Backward:
        if (position.block == blocks - 1)
            return "first backward block";
        return position.block == 0 ? "last backward block" : ofBlock("backward");
    case StepPhase::EndOfBackward:
        return "end of backward";
    case StepPhase::Step:
        return "optimizer step";
    case StepPhase::Profile:
        return "profile run";
    case StepPhase::Serve:
        return "serving";
    case StepPhase::Rest:
        break;
    }
    return "at rest";
}

/// Strides that have begun when `block` runs forward.
std::int64_t BlockProfile::started(std::int64_t block) const
{
    const std::int64_t within = std::clamp<std::int64_t>(block - range.first + 1, 0, range.blocks);
    return (within + stride - 1) / stride;
}

std::int64_t BlockProfile::missing(const Position &position) const
{
    const std::int64_t notRun = position.block - range.first + (position.after ? 0 : 1);
    switch (kind) {
    case Kind::Saved: {
        // A block that has run backward has dropped what it saved.
        const bool dropped = position.at == StepPhase::Backward && position.after;
        return started(range.first + range.blocks - 1) -
               started(dropped ? position.block - 1 : position.block);
    }
    case Kind::Grown:
        return std::clamp<std::int64_t>(notRun, 0, range.blocks);
    case Kind::Recomputed:
        return stride - ((position.block - range.first) % stride + (position.after ? 0 : 1));
    case Kind::Steady:
    case Kind::Running:
        break;
    }
    return 0;
}

Exact BlockProfile::at(const Position &position, Exact bytes) const
{
    const std::int64_t within = position.block - range.first;
    const bool mine = within >= 0 && within < range.blocks;
    switch (kind) {
    case Kind::Steady:
        return bytes;
    case Kind::Running:
        return !mine || position.after ? base : bytes;
    case Kind::Recomputed:
        return mine ? excess(bytes, each * missing(position)) : Exact(0);
    case Kind::Saved:
    case Kind::Grown:
        break;
    }
    return excess(bytes, each * missing(position));
}

} // namespace vramscope
