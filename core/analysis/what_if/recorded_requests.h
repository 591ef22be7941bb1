// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/simulator/simulation.h"

#include <unordered_map>

namespace vramscope {

/// Where a recording returns memory of private pools (CUDA graphs, MemPools), and where it uses
/// each for the last time. PyTorch returns it only when the last graph or MemPool of the pool is
/// gone: a return after the last use shows that. Memory without a known pool is not covered (see
/// SegmentLives).
class PoolReleases
{
public:
    /// `page`: the mapping unit of expandable segments of the large pool.
    PoolReleases(const DeviceTrace &device, const Allocations &allocations, Bytes page);

    /// The pool whose memory this event returns; otherwise the default one.
    [[nodiscard]] PoolId releasedAt(EventIndex event) const;
    /// Whether this pool gets a request at `event` or after it.
    [[nodiscard]] bool isUsedFrom(EventIndex event, PoolId pool) const;

private:
    void use(PoolId pool, EventIndex event);

    std::unordered_map<EventIndex, PoolId> m_released; // private ones
    std::unordered_map<PoolId, EventIndex> m_lastUse;
};

/// A recorded program's requests to the allocator, without the allocator's actions. The numbers of
/// allocations are those of `allocations`; those of failed requests follow. With `earlier`, memory
/// from before the recording comes first, in the order of its addresses: allocated from nothing, as
/// far as the file shows. Addresses run as the recorded driver's did.
[[nodiscard]] RequestStream recordedRequests(const Trace &trace, const DeviceTrace &device,
                                             const Allocations &allocations, bool earlier);

/// Whether recorded segments came at rising addresses or at falling ones: rising if most of them
/// are above all before them. An undecided order counts as falling, as on Linux.
[[nodiscard]] AddressOrder recordedOrder(const DeviceTrace &device);

} // namespace vramscope
