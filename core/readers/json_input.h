// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/readers/byte_source.h"
#include "core/readers/text_iterator.h"

#include <cstddef>
#include <optional>

namespace vramscope {

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
