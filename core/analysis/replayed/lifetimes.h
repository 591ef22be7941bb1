// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/max_tree.h"
#include "core/trace/trace.h"

#include <limits>
#include <vector>

namespace vramscope {

/// Index into Lifetimes.
using LifeIndex = std::uint32_t;
inline constexpr LifeIndex kNoLife = std::numeric_limits<LifeIndex>::max();

/// Things that use bytes from one event to another, sorted by birth: the allocations of a device,
/// some of them, or its segments. Each lives "after event e" exactly when birth <= e < death; birth
/// -1: present before the first event, death = number of events: present at the end. Immutable once
/// built.
class Lifetimes
{
public:
    /// One entry per thing in each, `births` ascending. Linear.
    Lifetimes(std::vector<EventIndex> births, std::vector<EventIndex> deaths,
              std::vector<Bytes> sizes);
    Lifetimes(const Lifetimes &) = delete;
    Lifetimes &operator=(const Lifetimes &) = delete;

    [[nodiscard]] LifeIndex count() const { return static_cast<LifeIndex>(birth.size()); }

    /// All that live after `event` (-1 … events - 1), in order of birth, in time proportional to
    /// the answer.
    [[nodiscard]] std::vector<LifeIndex> liveAfter(EventIndex event) const;

    /// All that live after some event of [first, last], in order of birth, in time proportional to
    /// the answer.
    [[nodiscard]] std::vector<LifeIndex> overlapping(EventIndex first, EventIndex last) const;
    /// Calls visit(index) for each of [first, last) that dies after `event`, in order of birth, in
    /// time proportional to the answer.
    template<class Visit>
    void forEachDyingAfter(EventIndex event, LifeIndex first, LifeIndex last, Visit &&visit) const
    {
        m_deaths.forEachAbove(first, last, event,
                              [&visit](std::size_t at) { visit(static_cast<LifeIndex>(at)); });
    }

    /// The first that is born after `event`, or count().
    [[nodiscard]] LifeIndex firstBornAfter(EventIndex event) const;
    /// firstBornAfter(event) in time logarithmic in the distance from `from`, which is born no
    /// later.
    [[nodiscard]] LifeIndex firstBornAfter(EventIndex event, LifeIndex from) const;

    // Columns. Constant after construction; public because every view walks them.
    std::vector<EventIndex> birth;
    std::vector<EventIndex> death;
    std::vector<Bytes> size;

protected:
    /// For subclasses that fill the columns themselves; buildIndex() follows.
    Lifetimes() = default;
    void buildIndex() { m_deaths = MaxTree<EventIndex>(death); }

private:
    MaxTree<EventIndex> m_deaths;
};

} // namespace vramscope
