// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/consistency.h"

namespace vramscope {

namespace {

Inconsistency activeAboveReserved(const UsageCurve &curve)
{
    const auto [count, first] = curve.activeAboveReserved();
    return {"More bytes are active than reserved: segment events are missing, or frees were lost.",
            count, first};
}

} // namespace

std::vector<Inconsistency> inconsistencies(const AddressSpace &space, const UsageCurve &curve)
{
    if (!curve.isReservedKnown())
        return {{"The recording holds no segments: what was reserved is not known.", 1, -1}};
    const Consistency &found = space.consistency();
    std::vector<Inconsistency> all{
        activeAboveReserved(curve),
        {"A segment event contradicts the segments at the end: events were lost, or some actions "
         "were not recorded.",
         found.contradictorySegments, -1},
        {"An allocation lies where the allocator held no free memory; it is left out of the bands.",
         found.unplaced, found.firstUnplaced},
        {"A segment went back to the device while a block in it was in use.", found.returnedInUse,
         -1},
        {"A block begins inside free memory instead of at its front.", found.insideHole, -1},
        {"A block at the end has another size than its request explains under the recorded "
         "settings.",
         found.otherSize, -1},
        {"A block is in use at the end in the events or in the segments, but not in both.",
         found.otherEnd, -1},
    };
    std::erase_if(all, [](const Inconsistency &one) { return one.count == 0; });
    return all;
}

} // namespace vramscope
