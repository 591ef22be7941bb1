// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/exchange/shell_words.h"

#include <map>
#include <optional>

namespace vramscope {

using ShellWordList = std::vector<ShellWord>;

/// Reads a script character by character. Words and assignments are in shell_words.cpp, expansions
/// after a '$' in shell_expansion.cpp.
class ShellReader
{
public:
    explicit ShellReader(std::string_view text)
        : m_text(text)
    {
    }

    Result<ShellWordList> read();
    /// "NAME=value", in the order of the text.
    [[nodiscard]] ShellWordList takeAssignments() { return std::move(m_assignments); }

private:
    [[nodiscard]] bool done() const { return m_at >= m_text.size(); }
    [[nodiscard]] char peek(std::size_t ahead = 0) const
    {
        return m_at + ahead < m_text.size() ? m_text[m_at + ahead] : '\0';
    }
    char next()
    {
        m_line += peek() == '\n' ? 1 : 0;
        return m_text[m_at++];
    }
    void skipBlanks(bool newlinesToo);
    [[nodiscard]] bool startsCommand() const;
    bool readAssignment();
    ShellWordList readArray();
    ShellWordList readWord();
    void readQuoted(ShellWordList &words, bool &open);
    ShellWordList expansion();
    ShellWordList bracedExpansion();
    std::string skipParentheses();
    ShellWordList valueOf(const std::string &name, const std::string &spelled) const;
    void append(ShellWordList &to, const ShellWordList &words, bool &open, bool joined);
    void grow(std::size_t bytes);
    void fail(std::string text);

    std::string_view m_text;
    std::size_t m_at = 0;
    int m_line = 1;
    std::map<std::string, ShellWordList, std::less<>> m_variables;
    ShellWordList m_words;
    ShellWordList m_assignments;
    std::size_t m_size = 0;
    std::optional<Error> m_error;
};

/// A text cut at its white space; each line break inside it counts.
[[nodiscard]] ShellWordList splitWords(const std::string &text, int line);

[[nodiscard]] constexpr bool isNameCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

} // namespace vramscope
