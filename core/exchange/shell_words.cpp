// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/shell_reader.h"

#include "core/base/format.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr std::size_t kLongestExpansion = std::size_t(1) << 20; ///< bytes, of all words together
constexpr std::size_t kWordCost = sizeof(ShellWord);

bool isBlank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

bool endsWord(char c)
{
    return isBlank(c) || std::string_view("\n;|&()<>").find(c) != std::string_view::npos;
}

bool isDeclaration(const std::string &word)
{
    return word == "export" || word == "declare" || word == "local" || word == "readonly" ||
           word == "env" || word == "-a" || word == "-x";
}

} // namespace

ShellWordList splitWords(const std::string &text, int line)
{
    ShellWordList words;
    bool inside = false;
    for (const char c : text) {
        if (isBlank(c) || c == '\n') {
            inside = false;
            line += c == '\n' ? 1 : 0;
            continue;
        }
        if (!inside)
            words.push_back({{}, line});
        inside = true;
        words.back().text += c;
    }
    return words;
}

void ShellReader::fail(std::string text)
{
    if (!m_error)
        m_error =
            Error{ErrorCode::Malformed, "Line " + formatCount(m_line) + ": " + std::move(text)};
    m_at = m_text.size();
}

void ShellReader::grow(std::size_t bytes)
{
    m_size += bytes;
    if (m_size > kLongestExpansion)
        fail("the variables expand to more than 1 MiB; this is no list of arguments.");
}

void ShellReader::skipBlanks(bool newlinesToo)
{
    while (!done()) {
        if (isBlank(peek()) || (newlinesToo && peek() == '\n')) {
            next();
        } else if (peek() == '\\' && (peek(1) == '\n' || (peek(1) == '\r' && peek(2) == '\n'))) {
            next();
            while (!done() && next() != '\n') {
            }
        } else if (peek() == '#') {
            while (!done() && peek() != '\n')
                next();
        } else {
            return;
        }
    }
}

bool ShellReader::startsCommand() const
{
    return m_words.empty() || m_words.back().end || isDeclaration(m_words.back().text);
}

/// "NAME=…", "NAME+=…" and arrays; false if no assignment begins here.
bool ShellReader::readAssignment()
{
    std::size_t end = m_at;
    while (end < m_text.size() && isNameCharacter(m_text[end]))
        ++end;
    const bool adds = m_text.substr(end).starts_with("+=");
    if (end == m_at || !(adds || m_text.substr(end).starts_with('=')))
        return false;
    const std::string name(m_text.substr(m_at, end - m_at));
    m_at = end + (adds ? 2 : 1);
    const int line = m_line;
    ShellWordList value;
    if (peek() == '(') {
        value = readArray();
    } else if (!done() && !endsWord(peek())) {
        std::string joined;
        for (const ShellWord &word : readWord())
            joined += (joined.empty() ? "" : " ") + word.text;
        value = splitWords(joined, line);
    }
    grow(value.size() * kWordCost);
    if (value.size() == 1) {
        grow(value.front().text.size() + kWordCost);
        m_assignments.push_back({name + '=' + value.front().text, line});
    }
    ShellWordList &variable = m_variables[name];
    if (!adds)
        variable.clear();
    variable.insert(variable.end(), value.begin(), value.end());
    return true;
}

ShellWordList ShellReader::readArray()
{
    next(); // the parenthesis
    ShellWordList words;
    for (skipBlanks(true); !done() && peek() != ')'; skipBlanks(true)) {
        if (endsWord(peek())) {
            next();
            continue;
        }
        const ShellWordList more = readWord();
        words.insert(words.end(), more.begin(), more.end());
    }
    if (done())
        fail("an array is not closed with ')'.");
    else
        next();
    return words;
}

/// Joins an expansion to the current word: its first word to the text before it.
void ShellReader::append(ShellWordList &to, const ShellWordList &words, bool &open, bool joined)
{
    for (std::size_t i = 0; i < words.size() && !m_error; ++i) {
        grow(words[i].text.size() + kWordCost);
        if (!open || (i > 0 && !joined)) {
            to.push_back({{}, words[i].line});
            open = true;
        }
        to.back().text += (i > 0 && joined ? " " : "") + words[i].text;
    }
}

ShellWordList ShellReader::readWord()
{
    ShellWordList words;
    bool open = false; // a word has begun
    const auto add = [&](char c) {
        if (!open)
            words.push_back({{}, m_line});
        open = true;
        words.back().text += c;
    };
    while (!done() && !endsWord(peek())) {
        if (peek() == '"') {
            readQuoted(words, open);
        } else if (peek() == '\'') {
            next();
            while (!done() && peek() != '\'')
                add(next());
            if (done())
                fail("a quote is not closed.");
            else
                next();
        } else if (peek() == '$') {
            append(words, expansion(), open, false);
        } else if (peek() == '\\') {
            next();
            if (!done() && peek() != '\n')
                add(next());
            else if (!done())
                next();
        } else {
            add(next());
        }
    }
    return words;
}

void ShellReader::readQuoted(ShellWordList &words, bool &open)
{
    next(); // the quote
    if (!open)
        words.push_back({{}, m_line});
    open = true;
    while (!done() && peek() != '"') {
        if (peek() == '$') {
            const std::string_view rest = m_text.substr(m_at);
            const bool each = rest.substr(0, rest.find('}')).ends_with("[@]");
            append(words, expansion(), open, !each);
        } else if (peek() == '\\' && peek(1) != '\0') {
            next();
            words.back().text += next(); // keeps the break of a continued line, to count it
        } else {
            words.back().text += next();
        }
    }
    if (done())
        fail("a quote is not closed.");
    else
        next();
}

Result<ShellWordList> ShellReader::read()
{
    for (skipBlanks(false); !done(); skipBlanks(false)) {
        if (endsWord(peek())) {
            // "2>&1": the number is not a word of the command.
            if ((peek() == '>' || peek() == '<') && m_at > 0 && !m_words.empty() &&
                !endsWord(m_text[m_at - 1]) &&
                m_words.back().text == std::string(1, m_text[m_at - 1]))
                m_words.pop_back();
            m_words.push_back({{}, m_line, true});
            next();
        } else if (!startsCommand() || !readAssignment()) {
            const ShellWordList words = readWord();
            m_words.insert(m_words.end(), words.begin(), words.end());
        }
    }
    if (m_error)
        return *m_error;
    const bool commands = std::ranges::any_of(
        m_words, [](const ShellWord &word) { return word.text.starts_with("--"); });
    if (!commands) {
        m_words.push_back({{}, m_line, true}); // the last command may end with the text
        for (const auto &[name, words] : m_variables) {
            m_words.insert(m_words.end(), words.begin(), words.end());
            m_words.push_back({{}, m_line, true});
        }
    }
    return m_words;
}

Result<ShellScript> readShell(std::string_view script)
{
    ShellReader reader(script);
    Result<ShellWordList> words = reader.read();
    if (!words)
        return words.error();
    return ShellScript{std::move(words).value(), reader.takeAssignments()};
}

Result<std::vector<ShellWord>> shellWords(std::string_view script)
{
    return ShellReader(script).read();
}

} // namespace vramscope
