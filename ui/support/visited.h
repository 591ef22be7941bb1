// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <vector>

namespace vramscope {

/// The places that a view has shown, for going back and forward between them. Each jump is one, and
/// a run of small steps is one. What changes the place says whether it is another now.
template<class Place>
class Visited
{
public:
    [[nodiscard]] const Place &current() const { return m_places[m_at]; }
    [[nodiscard]] bool canGoBack() const { return m_at > 0; }
    [[nodiscard]] bool canGoForward() const { return m_at + 1 < m_places.size(); }

    /// Starts again: no place before or after.
    void start(const Place &place)
    {
        m_places = {place};
        m_at = 0;
        m_stepping = false;
    }
    bool jump(const Place &place) { return go(place, false); }
    bool step(const Place &place) { return go(place, true); }
    bool back() { return canGoBack() && stopAt(m_at - 1); }
    bool forward() { return canGoForward() && stopAt(m_at + 1); }
    /// Makes each place another, without moving.
    template<class Other>
    void replace(const Other &other)
    {
        for (Place &place : m_places)
            place = other(place);
    }

private:
    bool go(const Place &place, bool stepping)
    {
        if (place == current())
            return false;
        m_places.resize(m_at + 1);
        if (stepping && m_stepping)
            m_places.back() = place;
        else
            m_places.push_back(place);
        m_at = m_places.size() - 1;
        m_stepping = stepping;
        return true;
    }
    bool stopAt(std::size_t at)
    {
        m_at = at;
        m_stepping = false;
        return true;
    }

    std::vector<Place> m_places{Place{}};
    std::size_t m_at = 0;
    bool m_stepping = false; ///< the current place was made by small steps, which go on changing it
};

} // namespace vramscope
