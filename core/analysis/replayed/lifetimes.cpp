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

LifeIndex Lifetimes::firstBornAfter(EventIndex event, LifeIndex from) const
{
    std::size_t first = from; // born up to the event
    std::size_t step = 1;
    while (first + step < birth.size() && birth[first + step] <= event) {
        first += step;
        step *= 2;
    }
    const auto begin = birth.begin() + static_cast<std::ptrdiff_t>(first);
    const auto end =
        birth.begin() + static_cast<std::ptrdiff_t>(std::min(first + step, birth.size()));
    return static_cast<LifeIndex>(std::upper_bound(begin, end, event) - birth.begin());
}

} // namespace vramscope
