// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <iterator>

namespace vramscope {

/// An input iterator over the characters of a text that comes in pieces, which has hasMore() and
/// m_at; the default one is the end.
template<class Text>
class TextIterator
{
public:
    using iterator_category = std::input_iterator_tag;
    using value_type = char;
    using difference_type = std::ptrdiff_t;
    using pointer = const char *;
    using reference = char;

    TextIterator() = default;
    explicit TextIterator(Text &text)
        : m_text(&text)
    {
    }
    char operator*() const { return static_cast<char>(*m_text->m_at); }
    TextIterator &operator++()
    {
        ++m_text->m_at;
        return *this;
    }
    TextIterator operator++(int) { return ++*this; }
    bool operator==(const TextIterator &) const { return !m_text || !m_text->hasMore(); }

private:
    Text *m_text = nullptr;
};

} // namespace vramscope
