// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/pickle_heap.h"

#include <algorithm>
#include <cassert>
#include <span>
#include <vector>

namespace vramscope::pickle {

/// The values that wait for their container. A vector with a push of one compare and two stores: a
/// snapshot pushes some twenty values per event.
class ValueStack
{
public:
    [[gnu::always_inline]] void push(ValueKind kind, std::uint64_t bits)
    {
        if (m_size == m_values.size())
            grow();
        Value &top = m_values[m_size++];
        top.kind = kind;
        top.bits = bits;
    }
    void push(Value value) { push(value.kind, value.bits); }

    [[nodiscard]] std::size_t size() const { return m_size; }
    [[nodiscard]] bool empty() const { return m_size == 0; }
    [[nodiscard]] const Value &operator[](std::size_t at) const { return m_values[at]; }
    [[nodiscard]] const Value &back() const { return m_values[m_size - 1]; }
    /// The values from `height` to the top.
    [[nodiscard]] std::span<const Value> from(std::size_t height) const
    {
        return std::span(m_values).subspan(height, m_size - height);
    }
    /// Takes all values from `height` up.
    void cut(std::size_t height)
    {
        assert(height <= m_size);
        m_size = height;
    }
    /// Puts a value below those from `height` up.
    void insert(std::size_t height, Value value)
    {
        push(value);
        const auto begin = m_values.begin();
        const auto last = begin + static_cast<std::ptrdiff_t>(m_size);
        std::rotate(begin + static_cast<std::ptrdiff_t>(height), last - 1, last);
    }

private:
    void grow() { m_values.resize(std::max<std::size_t>(1024, 2 * m_values.size())); }

    std::vector<Value> m_values;
    std::size_t m_size = 0;
};

} // namespace vramscope::pickle
