// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"

#include <unordered_map>

namespace vramscope {

/// Where a recording gives back memory of private pools (CUDA graphs, MemPools), and where it uses
/// each for the last time. PyTorch gives it back only when the last graph or MemPool of the pool is
/// gone: what goes back after the last use tells that. Of memory whose pool the file does not tell
/// it knows nothing (see SegmentLives).
class PoolReleases
{
public:
    /// `page`: what expandable segments of the large pool were mapped in.
    PoolReleases(const DeviceTrace &device, const Allocations &allocations, Bytes page);

    /// The pool whose memory goes back with this event; the default one where none does.
    [[nodiscard]] PoolId releasedAt(EventIndex event) const;
    /// Whether something is asked of this pool at `event` or after it.
    [[nodiscard]] bool isUsedFrom(EventIndex event, PoolId pool) const;

private:
    void use(PoolId pool, EventIndex event);

    std::unordered_map<EventIndex, PoolId> m_released; // private ones
    std::unordered_map<PoolId, EventIndex> m_lastUse;
};

} // namespace vramscope
