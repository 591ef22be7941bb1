// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json_input.h"

#include "core/readers/cancel_guard.h"
#include "core/readers/pickle_heap.h"

namespace vramscope {

JsonInput::JsonInput(ByteWindow &window, const Progress &progress)
    : m_window(window)
    , m_progress(progress)
    , m_at(window.cursor())
    , m_end(window.end())
    , m_tokenStart(window.offset())
{
}

bool JsonInput::refill()
{
    if (m_failure || m_atEnd)
        return false;
    m_window.advance(static_cast<std::size_t>(m_at - m_window.cursor()));
    if (m_progress && !m_progress(m_window.fraction()))
        m_failure = readingCancelled();
    else if (m_window.offset() - m_tokenStart > static_cast<std::int64_t>(pickle::kLongestText))
        m_failure = Error{ErrorCode::Unsupported,
                          "The JSON holds a text of more than 16 MiB, which no recording does.",
                          m_tokenStart};
    else if (!m_window.ensure(1) && !m_window.status().ok())
        m_failure = m_window.status().error();
    m_at = m_window.cursor();
    m_end = m_failure ? m_at : m_window.end();
    m_atEnd = m_at == m_end;
    return !m_atEnd;
}

} // namespace vramscope
