// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/timeline/live_stack.h"

#include <algorithm>

namespace vramscope {

LiveStack::LiveStack(const Lifetimes &lives, const BandColors &colors, EventIndex event)
    : m_lives(lives)
    , m_colorOf(colors.of)
    , m_unborn(lives.firstBornAfter(event))
{
    for (const LifeIndex life : lives.liveAfter(event))
        push(life);
    updateSoonest(0);
}

std::size_t LiveStack::advance(EventIndex event)
{
    const std::size_t lowest = lowestDead(event);
    removeDead(lowest, event);
    const std::size_t kept = size();
    const LifeIndex unborn = std::max(m_unborn, m_lives.firstBornAfter(event));
    m_lives.forEachDyingAfter(event, m_unborn, unborn, [this](LifeIndex born) { push(born); });
    m_unborn = unborn;
    updateSoonest(std::min(lowest, kept));
    return lowest;
}

std::size_t LiveStack::positionOf(Bytes offset) const
{
    return static_cast<std::size_t>(std::ranges::upper_bound(m_tops, offset) - m_tops.begin());
}

void LiveStack::push(LifeIndex life)
{
    const Bytes below = total();
    m_live.push_back(life);
    m_deaths.push_back(m_lives.death[life]);
    m_colors.push_back(m_colorOf[life]);
    m_tops.push_back(wrappingSum(below, m_lives.size[life]));
}

std::size_t LiveStack::lowestDead(EventIndex event) const
{
    const auto block =
        std::ranges::find_if(m_soonest, [event](EventIndex death) { return death <= event; });
    if (block == m_soonest.end())
        return size();
    auto at = static_cast<std::size_t>(block - m_soonest.begin()) * kBlock;
    while (m_deaths[at] > event)
        ++at;
    return at;
}

// Written without branches: which of them died is anyone's guess.
void LiveStack::removeDead(std::size_t from, EventIndex event)
{
    std::size_t to = from;
    Bytes formerTop = bottom(from);
    Bytes newTop = formerTop;
    for (std::size_t at = from; at < m_live.size(); ++at) {
        const bool alive = m_deaths[at] > event;
        const Bytes bytes = wrappingDifference(m_tops[at], formerTop);
        formerTop = m_tops[at];
        newTop = wrappingSum(newTop, alive ? bytes : 0);
        m_live[to] = m_live[at];
        m_deaths[to] = m_deaths[at];
        m_colors[to] = m_colors[at];
        m_tops[to] = newTop;
        to += alive ? 1 : 0;
    }
    m_live.resize(to);
    m_deaths.resize(to);
    m_colors.resize(to);
    m_tops.resize(to);
}

void LiveStack::updateSoonest(std::size_t from)
{
    m_soonest.resize((size() + kBlock - 1) / kBlock);
    for (std::size_t block = from / kBlock; block < m_soonest.size(); ++block) {
        const auto first = m_deaths.begin() + static_cast<std::ptrdiff_t>(block * kBlock);
        const auto last =
            m_deaths.begin() + static_cast<std::ptrdiff_t>(std::min(size(), (block + 1) * kBlock));
        m_soonest[block] = *std::min_element(first, last);
    }
}

} // namespace vramscope
