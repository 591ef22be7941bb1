// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace vramscope::json {

[[nodiscard]] constexpr bool isSpace(std::uint8_t c)
{
    return c <= ' ' && (c == ' ' || c == '\n' || c == '\r' || c == '\t');
}

/// Characters that end a number or a word.
inline constexpr auto kEndsWord = [] {
    std::array<bool, 256> ends{};
    for (const char c : std::string_view(" \n\r\t,:\"{}[]"))
        ends[static_cast<std::uint8_t>(c)] = true;
    return ends;
}();

[[nodiscard]] inline std::string_view view(const std::uint8_t *first, const std::uint8_t *last)
{
    return {reinterpret_cast<const char *>(first), static_cast<std::size_t>(last - first)};
}

/// Whether a word is a JSON number.
[[nodiscard]] bool isNumber(std::string_view word);

/// The code unit of the "\uXXXX" at the front; -1 if there is no such escape.
[[nodiscard]] int codeUnit(std::string_view text);

/// How a step over JSON text went.
enum class Scan : std::uint8_t {
    Done,
    More,   ///< the bytes end too early; begin again with more of them
    Flawed, ///< this is no JSON
};

/// The type of a value, from its first character.
enum class ValueType : std::uint8_t { None, Text, Number, Word, Object, List };

/// A value at its place in the text.
struct Value
{
    ValueType type = ValueType::None;
    bool isPlain = true;   ///< a text without escapes, all ASCII
    std::string_view text; ///< a text without its quotes, other values as written
};

/// Walks over JSON text in memory, eight bytes at a time if it can. It checks what it sees anyway:
/// that texts end where a text may end, and that values are followed by what may follow them;
/// brackets are counted, not matched. Control characters within texts are accepted.
class Scanner
{
public:
    Scanner(const std::uint8_t *at, const std::uint8_t *end)
        : m_at(at)
        , m_end(end)
    {
    }

    [[nodiscard]] const std::uint8_t *at() const { return m_at; }
    [[nodiscard]] bool atEnd() const { return m_at == m_end; }

    void skipSpace()
    {
        while (m_at != m_end && isSpace(*m_at))
            ++m_at;
    }
    /// Takes `wanted` after white space.
    Scan take(char wanted)
    {
        skipSpace();
        if (m_at == m_end)
            return Scan::More;
        if (*m_at != static_cast<std::uint8_t>(wanted))
            return Scan::Flawed;
        ++m_at;
        return Scan::Done;
    }
    /// The next character after white space; 0 at the end.
    [[nodiscard]] char peek()
    {
        skipSpace();
        return m_at == m_end ? '\0' : static_cast<char>(*m_at);
    }

    /// A key with its colon.
    Scan key(std::string_view &name)
    {
        Value value;
        if (const Scan opened = take('"'); opened != Scan::Done)
            return opened;
        if (const Scan read = text(value); read != Scan::Done)
            return read;
        name = value.text;
        return take(':');
    }

    /// Any value. Objects and lists are skipped to their end.
    Scan value(Value &value);
    /// Skips past the bracket that closes the one opened last.
    Scan skipContainer();

private:
    /// The rest of a text whose opening quote was taken.
    Scan text(Value &value);
    Scan word(Value &value);

    const std::uint8_t *m_at;
    const std::uint8_t *m_end;
};

/// The meaning of a text: escapes resolved, bytes that are not UTF-8 replaced.
[[nodiscard]] std::string unescaped(std::string_view text, bool &isFlawed);

/// Reads a number in whole units of ten to the -`shift`: rounded half away from zero, never through
/// a float. False if the characters are not a number of 64 bits.
bool readDecimal(std::string_view text, int shift, std::int64_t &number);

/// A whole number, also written as a text; else `otherwise`.
[[nodiscard]] std::int64_t wholeNumber(const Value &value, std::int64_t otherwise);

} // namespace vramscope::json
