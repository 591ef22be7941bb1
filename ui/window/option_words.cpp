// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/option_words.h"

namespace vramscope {

using namespace Qt::StringLiterals;

bool OptionWords::next()
{
    m_joined.reset();
    if (!m_onlyFiles && m_next < m_words.size() && m_words[m_next] == u"--") {
        m_onlyFiles = true;
        ++m_next;
    }
    if (m_next == m_words.size())
        return false;
    m_word = m_words[m_next++];
    m_isFile = m_onlyFiles || !m_word.startsWith(u'-') || m_word == u"-";
    if (m_isFile)
        return true;
    if (const qsizetype equals = m_word.indexOf(u'='); equals >= 0) {
        m_joined = m_word.mid(equals + 1);
        m_word.truncate(equals);
    }
    if (m_word == u"-o")
        m_word = u"--out"_s;
    return true;
}

std::optional<QString> OptionWords::value()
{
    if (m_joined)
        return m_joined;
    return m_next < m_words.size() ? std::optional(m_words[m_next++]) : std::nullopt;
}

} // namespace vramscope
