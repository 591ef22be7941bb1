// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/lifetimes.h"

#include <algorithm>

namespace vramscope {

Lifetimes::Lifetimes(std::vector<EventIndex> births, std::vector<EventIndex> deaths,
                     std::vector<Bytes> sizes)
    : birth(std::move(births))
    , death(std::move(deaths))
    , size(std::move(sizes))
{
    buildIndex();
}

std::vector<LifeIndex> Lifetimes::liveAfter(EventIndex event) const
{
    return overlapping(event, event);
}

std::vector<LifeIndex> Lifetimes::overlapping(EventIndex first, EventIndex last) const
{
    std::vector<LifeIndex> found;
    m_deaths.forEachAbove(0, firstBornAfter(last), first, [&](std::size_t index) {
        found.push_back(static_cast<LifeIndex>(index));
    });
    return found;
}

LifeIndex Lifetimes::firstBornAfter(EventIndex event) const
{
    return static_cast<LifeIndex>(std::ranges::upper_bound(birth, event) - birth.begin());
}

} // namespace vramscope
