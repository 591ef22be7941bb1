// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/line_reader.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace vramscope {

LineReader::LineReader(ByteWindow &input, Tick tick)
    : m_input(input)
    , m_tick(std::move(tick))
{
    const auto startsWith = [&](const char *mark, std::size_t size) {
        const bool found = m_input.ensure(size) && std::memcmp(m_input.cursor(), mark, size) == 0;
        if (found)
            m_input.advance(size);
        return found;
    };
    if (startsWith("\xFF\xFE", 2))
        m_encoding = Encoding::LittleEndian;
    else if (startsWith("\xFE\xFF", 2))
        m_encoding = Encoding::BigEndian;
    else
        (void)startsWith("\xEF\xBB\xBF", 3);
}

bool LineReader::next(std::string &line)
{
    line.clear();
    m_offset = m_input.offset();
    m_ended = false;
    if (!m_input.ensure(1))
        return false;
    while (!m_ended && mayGoOn() && (m_encoding == Encoding::Utf8 ? take8(line) : take16(line))) {
    }
    if (m_stopped)
        return false;
    if (line.ends_with('\r'))
        line.pop_back();
    return true;
}

/// Calls the tick from time to time.
bool LineReader::mayGoOn()
{
    constexpr std::int64_t kTickBytes = std::int64_t(16) << 10;
    if (m_tick && !m_stopped && m_input.offset() >= m_nextTick) {
        m_nextTick = m_input.offset() + kTickBytes;
        m_stopped = !m_tick();
    }
    return !m_stopped;
}

/// Takes the part of the line in the window; false at the end of the text.
bool LineReader::take8(std::string &line)
{
    if (!m_input.ensure(1))
        return false;
    const std::uint8_t *const start = m_input.cursor();
    const auto *stop =
        static_cast<const std::uint8_t *>(std::memchr(start, '\n', m_input.available()));
    const std::size_t size = stop ? static_cast<std::size_t>(stop - start) : m_input.available();
    const std::size_t room = kLongest - std::min(line.size(), kLongest);
    line.append(reinterpret_cast<const char *>(start), std::min(size, room));
    m_ended = stop != nullptr;
    m_input.advance(size + (m_ended ? 1 : 0));
    return true;
}

/// Takes one unit.
bool LineReader::take16(std::string &line)
{
    if (!m_input.ensure(2)) {
        m_input.advance(m_input.available());
        return false;
    }
    const std::uint8_t *const at = m_input.cursor();
    const bool little = m_encoding == Encoding::LittleEndian;
    const std::uint32_t unit =
        little ? at[0] | std::uint32_t(at[1]) << 8 : at[1] | std::uint32_t(at[0]) << 8;
    m_input.advance(2);
    m_ended = unit == '\n';
    if (!m_ended && line.size() < kLongest)
        m_units.append(line, unit);
    return true;
}

} // namespace vramscope
