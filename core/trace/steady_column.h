// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/expected_rows.h"

#include <cstddef>
#include <span>
#include <vector>

namespace vramscope {

/// A column in which mostly all values are the same, such as the stream of each event: as long as
/// they are, it keeps one of them and how many there are.
template<class T>
class SteadyColumn
{
public:
    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] T operator[](std::size_t at) const
    {
        return m_values.empty() ? m_value : m_values[at];
    }
    /// Every value that occurs, some of them often.
    [[nodiscard]] std::span<const T> occurring() const
    {
        return m_values.empty() ? std::span(&m_value, m_size > 0 ? 1 : 0) : std::span(m_values);
    }
    /// How often each value of occurring() stands for one.
    [[nodiscard]] std::size_t timesEach() const { return m_values.empty() ? m_size : 1; }

    void push_back(T value)
    {
        if (value != m_value || !m_values.empty())
            pushOther(value);
        ++m_size;
    }
    void set(std::size_t at, T value)
    {
        if ((*this)[at] != value)
            keepEach()[at] = value;
    }
    /// Moves the values from index `first` on to the end of `other`.
    void moveTail(std::size_t first, SteadyColumn &other)
    {
        const bool isLikeOther = m_values.empty() && other.m_values.empty() &&
                                 (other.empty() || other.m_value == m_value);
        if (isLikeOther) {
            other.m_value = m_value;
            other.m_size += m_size - first;
        } else {
            for (std::size_t at = first; at < m_size; ++at)
                other.push_back((*this)[at]);
        }
        m_size = first;
        m_values.resize(m_values.empty() ? 0 : first);
    }
    /// Makes room for so many values in all, where each is kept (reserveFor()).
    void expect(std::size_t count)
    {
        if (!m_values.empty())
            reserveFor(m_values, count);
    }
    void clear() { *this = {}; }

private:
    void pushOther(T value)
    {
        if (m_size == 0)
            m_value = value;
        else
            keepEach().push_back(value);
    }

    std::vector<T> &keepEach()
    {
        if (m_values.empty())
            m_values.assign(m_size, m_value);
        return m_values;
    }

    T m_value{}; // all are this one while m_values is empty
    std::size_t m_size = 0;
    std::vector<T> m_values;
};

} // namespace vramscope
