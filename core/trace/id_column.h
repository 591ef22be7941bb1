// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/expected_rows.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace vramscope {

/// A column of small numbers, such as the stack and the stream of each event, in as little memory
/// as they need: one number and its count while all are the same; two bytes each while they are
/// below 65,536, as in all but a few recordings; full width otherwise.
template<class Id>
class IdColumn
{
public:
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] Id operator[](std::size_t at) const
    {
        switch (m_width) {
        case Width::Same:
            return m_same;
        case Width::Narrow:
            return static_cast<Id>(m_narrow[at]);
        case Width::Whole:
            break;
        }
        return m_whole[at];
    }
    class Iterator
    {
    public:
        using value_type = Id;
        using difference_type = std::ptrdiff_t;

        Iterator() = default;
        Iterator(const IdColumn &column, std::size_t at)
            : m_column(&column)
            , m_at(at)
        {
        }
        Id operator*() const { return (*m_column)[m_at]; }
        Iterator &operator++()
        {
            ++m_at;
            return *this;
        }
        Iterator operator++(int) { return {*m_column, m_at++}; }
        bool operator==(const Iterator &) const = default;

    private:
        const IdColumn *m_column = nullptr;
        std::size_t m_at = 0;
    };
    [[nodiscard]] Iterator begin() const { return {*this, 0}; }
    [[nodiscard]] Iterator end() const { return {*this, m_size}; }
    /// Calls visit(id, times) for the ids in the column, more than once for an id if they differ.
    template<class Visit>
    void forEach(Visit visit) const
    {
        if (m_width == Width::Same && m_size > 0)
            visit(m_same, m_size);
        for (const Narrow id : m_narrow)
            visit(static_cast<Id>(id), std::size_t(1));
        for (const Id id : m_whole)
            visit(id, std::size_t(1));
    }

    void push_back(Id id)
    {
        if (m_width != Width::Same || id != m_same)
            pushOther(id);
        ++m_size;
    }
    void set(std::size_t at, Id id)
    {
        if ((*this)[at] == id)
            return;
        widenFor(id);
        if (m_width == Width::Narrow)
            m_narrow[at] = static_cast<Narrow>(id);
        else
            m_whole[at] = id;
    }
    /// Moves the entries from index `first` on to the end of `other`.
    void moveTail(std::size_t first, IdColumn &other)
    {
        const bool bothSame = m_width == Width::Same && other.m_width == Width::Same;
        if (bothSame && (other.empty() || other.m_same == m_same)) {
            other.m_same = m_same;
            other.m_size += m_size - first;
        } else if (m_width == Width::Narrow && other.m_width == Width::Narrow) {
            const auto tail = m_narrow.begin() + static_cast<std::ptrdiff_t>(first);
            other.m_narrow.insert(other.m_narrow.end(), tail, m_narrow.end());
            other.m_size += m_size - first;
        } else {
            for (std::size_t at = first; at < m_size; ++at)
                other.push_back((*this)[at]);
        }
        m_size = first;
        m_narrow.resize(m_width == Width::Narrow ? first : 0);
        m_whole.resize(m_width == Width::Whole ? first : 0);
    }
    /// Makes room for `count` entries in all, if each is stored, now or later (reserveFor()).
    void expect(std::size_t count)
    {
        m_expected = count;
        if (m_width == Width::Narrow)
            reserveFor(m_narrow, count);
        if (m_width == Width::Whole)
            reserveFor(m_whole, count);
    }
    void clear() { *this = {}; }

private:
    using Narrow = std::uint16_t;
    enum class Width : std::uint8_t { Same, Narrow, Whole };

    static bool isNarrow(Id id)
    {
        return static_cast<std::uint64_t>(id) <= std::numeric_limits<Narrow>::max();
    }

    void pushOther(Id id)
    {
        if (m_size == 0) {
            m_same = id;
            m_width = Width::Same;
            return;
        }
        if (m_width != Width::Narrow || !isNarrow(id))
            widenFor(id);
        if (m_width == Width::Narrow)
            m_narrow.push_back(static_cast<Narrow>(id));
        else
            m_whole.push_back(id);
    }

    // Stores each entry, wide enough for the existing ones and `id`.
    void widenFor(Id id)
    {
        const std::size_t room = std::max(m_expected, m_size + 1);
        if (m_width == Width::Same && isNarrow(id) && isNarrow(m_same)) {
            m_width = Width::Narrow;
            reserveLarge(m_narrow, room);
            m_narrow.assign(m_size, static_cast<Narrow>(m_same));
        } else if (m_width == Width::Same) {
            m_width = Width::Whole;
            reserveLarge(m_whole, room);
            m_whole.assign(m_size, m_same);
        } else if (m_width == Width::Narrow && !isNarrow(id)) {
            m_width = Width::Whole;
            reserveLarge(m_whole, room);
            for (const Narrow each : m_narrow)
                m_whole.push_back(static_cast<Id>(each));
            m_narrow = {};
        }
    }

    Width m_width = Width::Same;
    Id m_same{};
    std::size_t m_size = 0;
    std::size_t m_expected = 0;
    std::vector<Narrow> m_narrow; // the others are empty
    std::vector<Id> m_whole;
};

} // namespace vramscope
