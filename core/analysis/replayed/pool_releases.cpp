// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/pool_releases.h"

#include "core/analysis/replayed/segment_lives.h"

#include <algorithm>

namespace vramscope {

PoolReleases::PoolReleases(const DeviceTrace &device, const Allocations &allocations, Bytes page)
{
    const EventIndex count = device.events.count();
    const SegmentLives lives(device, page);
    for (const SegmentLife &life : lives.all()) {
        if (life.pool != PoolId::Default && life.death < count)
            m_released.emplace(life.death, life.pool);
    }
    for (AllocationIndex at = 0; at < allocations.count(); ++at)
        use(allocations.pool[at], allocations.birth[at]);
    for (const OutOfMemoryEvent &failure : device.outOfMemory)
        use(device.events.pool[static_cast<std::size_t>(failure.event)], failure.event);
}

void PoolReleases::use(PoolId pool, EventIndex event)
{
    EventIndex &last = m_lastUse.try_emplace(pool, event).first->second;
    last = std::max(last, event);
}

PoolId PoolReleases::releasedAt(EventIndex event) const
{
    const auto found = m_released.find(event);
    return found == m_released.end() ? PoolId::Default : found->second;
}

bool PoolReleases::isUsedFrom(EventIndex event, PoolId pool) const
{
    const auto found = m_lastUse.find(pool);
    return found != m_lastUse.end() && found->second >= event;
}

} // namespace vramscope
