// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"
#include "core/readers/utf8.h"

#include <cstdint>
#include <functional>
#include <string>

namespace vramscope {

/// The lines of a text in UTF-8 or, by its byte order mark, UTF-16 (from PowerShell's `>`), as
/// UTF-8 without their ends.
class LineReader
{
public:
    /// Longer lines are cut: no log has any.
    static constexpr std::size_t kLongest = std::size_t(64) << 10;

    using Tick = std::function<bool()>;

    /// `tick` is called every few kilobytes, also within a line, and stops the reading when false.
    explicit LineReader(ByteWindow &input, Tick tick = {});

    /// The next line; false at the end of the text, or after tick() returned false.
    bool next(std::string &line);
    /// Where the last line began in the file.
    [[nodiscard]] std::int64_t offset() const { return m_offset; }
    /// True if the last line has an end, so that it is not cut off.
    [[nodiscard]] bool ended() const { return m_ended; }
    /// True once tick() has returned false.
    [[nodiscard]] bool stopped() const { return m_stopped; }

private:
    enum class Encoding { Utf8, LittleEndian, BigEndian };

    bool mayGoOn();
    bool take8(std::string &line);
    bool take16(std::string &line);

    ByteWindow &m_input;
    Tick m_tick;
    std::int64_t m_nextTick = 0; // where in the file
    Encoding m_encoding = Encoding::Utf8;
    std::int64_t m_offset = 0;
    Utf16Units m_units;
    bool m_ended = false;
    bool m_stopped = false;
};

} // namespace vramscope
