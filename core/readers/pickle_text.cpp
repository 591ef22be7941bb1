// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/pickle_heap.h"
#include "core/readers/pickle_machine.h"
#include "core/readers/pickle_opcodes.h"
#include "core/readers/utf8.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>
#include <optional>

// The values that protocol 0 writes as text, one per line.

namespace vramscope::pickle {

namespace {

/// The number in `digits` hexadecimal digits at `at`.
std::optional<std::uint32_t> hexNumber(std::string_view text, std::size_t at, std::size_t digits)
{
    if (at + digits > text.size())
        return {};
    std::uint32_t value = 0;
    const char *const end = text.data() + at + digits;
    const auto result = std::from_chars(text.data() + at, end, value, 16);
    if (result.ec != std::errc() || result.ptr != end)
        return {};
    return value;
}

/// The character that a backslash and `c` mean in a Python string, if it is another one.
std::optional<char> simpleEscape(char c)
{
    constexpr std::string_view kLetters = "ntrabfv0\\'\"";
    constexpr std::string_view kMeanings("\n\t\r\a\b\f\v\0\\'\"", 11);
    const std::size_t at = kLetters.find(c);
    if (at == std::string_view::npos)
        return {};
    return kMeanings[at];
}

} // namespace

bool Machine::stepText(std::uint8_t opcode)
{
    std::string text;
    switch (opcode) {
    case kInt:
    case kLong:
        if (!line(text, kLongestText))
            return false;
        if (opcode == kInt && (text == "00" || text == "01"))
            return push(ValueKind::Bool, text == "01");
        if (text.ends_with('L'))
            text.pop_back();
        return decimalInt(text);
    case kFloat: {
        if (!line(text, kLongestText))
            return false;
        double value = 0;
        const char *const end = text.data() + text.size();
        const auto result = std::from_chars(text.data(), end, value);
        if (result.ptr != end || result.ec == std::errc::invalid_argument)
            return malformed("a number that is none");
        return push(ValueKind::Float, std::bit_cast<std::uint64_t>(value));
    }
    case kString:
        return line(text, kLongestText) && quotedText(text);
    case kUnicode:
        return line(text, kLongestText) && escapedText(text);
    default:
        return refuse(opcode);
    }
}

/// A whole number; kept up to 64 bits, larger ones are dropped.
bool Machine::decimalInt(std::string_view digits)
{
    const char *const end = digits.data() + digits.size();
    const bool isNegative = digits.starts_with('-');
    if (isNegative) {
        std::int64_t value = 0;
        const auto result = std::from_chars(digits.data(), end, value);
        if (result.ptr != end || result.ec == std::errc::invalid_argument)
            return malformed("a number that is none");
        return push(result.ec == std::errc() ? ValueKind::Int : ValueKind::Opaque,
                    static_cast<std::uint64_t>(value));
    }
    std::uint64_t value = 0;
    const auto result = std::from_chars(digits.data(), end, value);
    if (result.ptr != end || result.ec == std::errc::invalid_argument)
        return malformed("a number that is none");
    return push(result.ec == std::errc() ? ValueKind::Int : ValueKind::Opaque, value);
}

/// A string in quotes, as Python prints it.
bool Machine::quotedText(std::string_view line)
{
    constexpr std::size_t kQuotes = 2;
    if (line.size() < kQuotes || line.front() != line.back() ||
        (line.front() != '\'' && line.front() != '"'))
        return malformed("a string without quotes");
    line = line.substr(1, line.size() - kQuotes);
    std::string text;
    text.reserve(line.size());
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] != '\\' || at + 1 == line.size()) {
            text.push_back(line[at]);
            continue;
        }
        ++at;
        const auto code = line[at] == 'x' ? hexNumber(line, at + 1, 2) : std::nullopt;
        if (code) {
            text.push_back(static_cast<char>(*code));
            at += 2;
        } else if (const auto c = simpleEscape(line[at])) {
            text.push_back(*c);
        } else {
            text.append({'\\', line[at]});
        }
    }
    return push(Value::of(m_shape.intern(text)));
}

/// A text in which line ends and characters outside Latin-1 are written as \u1234 or \U12345678;
/// other characters are single bytes of Latin-1.
bool Machine::escapedText(std::string_view line)
{
    std::string text;
    text.reserve(line.size());
    for (std::size_t at = 0; at < line.size(); ++at) {
        const auto c = static_cast<unsigned char>(line[at]);
        const char next = at + 1 < line.size() ? line[at + 1] : '\0';
        const std::size_t digits = c != '\\' ? 0 : next == 'u' ? 4 : next == 'U' ? 8 : 0;
        const auto code = digits > 0 ? hexNumber(line, at + 2, digits) : std::nullopt;
        appendUtf8(text, code.value_or(c));
        if (code)
            at += 1 + digits;
    }
    return push(Value::of(m_shape.intern(text)));
}

/// The text up to the end of the line.
bool Machine::line(std::string &text, std::size_t most)
{
    for (;;) {
        if (!need(1) || (m_in.offset() >= m_nextReport && !report()))
            return false;
        const std::uint8_t *const at = m_in.cursor();
        const void *const end = std::memchr(at, '\n', m_in.available());
        const std::size_t count =
            end ? static_cast<std::size_t>(static_cast<const std::uint8_t *>(end) - at)
                : m_in.available();
        if (text.size() + count > most)
            return malformed("a line without an end");
        text.append(reinterpret_cast<const char *>(at), count);
        m_in.advance(end ? count + 1 : count);
        if (end)
            return true;
    }
}

} // namespace vramscope::pickle
