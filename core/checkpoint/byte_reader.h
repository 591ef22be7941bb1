// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/descriptor.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <span>
#include <vector>

namespace vramscope {

/// Reads an open file from its start through a small buffer; skipped bytes are not read.
class ByteReader
{
public:
    ByteReader(int file, Bytes size)
        : m_file(file)
        , m_size(size)
    {
    }

    [[nodiscard]] Bytes at() const { return m_at; }
    [[nodiscard]] Bytes left() const { return m_size - m_at; }
    /// The number of the system's error; 0: none.
    [[nodiscard]] int failed() const { return m_failed; }
    /// Why read() failed.
    [[nodiscard]] Error failure() const
    {
        return m_failed != 0
                   ? unreadable(m_failed)
                   : Error{ErrorCode::Changed, "The file became shorter while it was read."};
    }

    /// False if the file ends before, or cannot be read.
    bool read(char *to, std::size_t size)
    {
        while (size > 0) {
            if (m_at < m_start || m_at >= m_start + static_cast<Bytes>(m_filled))
                if (!fill())
                    return false;
            const auto from = static_cast<std::size_t>(m_at - m_start);
            const std::size_t part = std::min(size, m_filled - from);
            std::memcpy(to, m_buffer.data() + from, part);
            to += part;
            size -= part;
            m_at += static_cast<Bytes>(part);
        }
        return true;
    }
    bool skip(Bytes size)
    {
        if (size < 0 || size > left())
            return false;
        m_at += size;
        return true;
    }

private:
    bool fill()
    {
        constexpr std::size_t kPiece = std::size_t(64) << 10U;
        m_buffer.resize(kPiece);
        const std::ptrdiff_t got =
            readAt(m_file, m_at, std::as_writable_bytes(std::span(m_buffer)));
        m_failed = got < 0 ? errno : 0;
        m_start = m_at;
        m_filled = got > 0 ? static_cast<std::size_t>(got) : 0;
        return got > 0;
    }

    int m_file;
    Bytes m_size;
    Bytes m_at = 0;
    std::vector<char> m_buffer;
    Bytes m_start = 0; ///< where in the file the buffer begins
    std::size_t m_filled = 0;
    int m_failed = 0;
};

} // namespace vramscope
