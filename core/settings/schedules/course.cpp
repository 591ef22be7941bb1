// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/schedules/course.h"

namespace vramscope {

/// Strides that so many blocks have begun. A division costs more than all else here.
std::int64_t Course::strides(std::int64_t count) const
{
    return stride == 1 ? count : (count + stride - 1) / stride;
}

std::int64_t Course::missing(const Position &position) const
{
    switch (kind) {
    case Kind::Saved: {
        // A block that has run backward has dropped what it saved.
        const bool dropped = position.phase == StepPhase::Backward && position.after;
        return strides(range.blocks) -
               strides(range.before(dropped ? position.block : position.block + 1));
    }
    case Kind::Grown:
        return range.before(position.block + (position.after ? 0 : 1)); // those still to run
    case Kind::Recomputed:
        return stride - ((position.block - range.first) % stride + (position.after ? 0 : 1));
    case Kind::Steady:
    case Kind::Running:
    case Kind::Ahead:
        break;
    }
    return 0;
}

Exact Course::at(const Position &position, Exact bytes) const
{
    switch (kind) {
    case Kind::Steady:
        return bytes;
    case Kind::Running:
        return position.after || !range.contains(position.block) ? base : bytes;
    case Kind::Ahead:
        return range.contains(position.block) ? bytes : Exact(0);
    case Kind::Recomputed:
        return range.contains(position.block) ? excess(bytes, each * missing(position)) : Exact(0);
    case Kind::Saved:
    case Kind::Grown:
        break;
    }
    return excess(bytes, each * missing(position));
}

} // namespace vramscope
