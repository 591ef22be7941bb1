// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/readers/byte_source.h"

#include <cstddef>
#include <iterator>
#include <optional>

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

/// The characters of a window, one at a time, as a JSON parser takes them: with a bounded token
/// length, progress and cancel. It ends early after an error, which failure() gives.
class JsonInput
{
public:
    JsonInput(ByteWindow &window, const Progress &progress);

    /// To be called after every complete token: none may be longer than the part that is kept.
    void tokenEnded() { m_tokenStart = offset(); }
    /// Hands the position back to the window: nothing is read after this.
    void finish() { m_window.advance(static_cast<std::size_t>(m_at - m_window.cursor())); }
    [[nodiscard]] std::int64_t offset() const
    {
        return m_window.offset() + (m_at - m_window.cursor());
    }
    /// The bytes that are known to exist.
    [[nodiscard]] std::int64_t size() const { return m_window.size(); }
    [[nodiscard]] const std::optional<Error> &failure() const { return m_failure; }
    [[nodiscard]] bool isAtEnd() const { return m_atEnd; }

    using Iterator = TextIterator<JsonInput>;
    [[nodiscard]] Iterator begin() { return Iterator(*this); }
    [[nodiscard]] Iterator end() { return {}; }

private:
    friend Iterator;
    bool hasMore() { return m_at != m_end || refill(); }
    bool refill();

    ByteWindow &m_window;
    const Progress &m_progress;
    const std::uint8_t *m_at;
    const std::uint8_t *m_end;
    std::int64_t m_tokenStart;
    bool m_atEnd = false;
    std::optional<Error> m_failure;
};

} // namespace vramscope
