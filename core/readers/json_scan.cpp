// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json_scan.h"

#include "core/base/text.h"
#include "core/readers/decimal.h"
#include "core/readers/utf8.h"

#include <charconv>
#include <limits>
#include <optional>

namespace vramscope::json {

namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
constexpr std::uint64_t kHigh = 0x8080808080808080ULL;

/// The high bit of each byte that is `c`. Bytes above a match may be marked wrongly: only the
/// lowest mark is sure.
std::uint64_t marks(std::uint64_t eight, std::uint8_t c)
{
    const std::uint64_t difference = eight ^ (kOnes * c);
    return (difference - kOnes) & ~difference & kHigh;
}

std::uint64_t load(const std::uint8_t *at)
{
    std::uint64_t eight;
    std::memcpy(&eight, at, sizeof eight);
    return eight;
}

/// The first byte from `at` that a step marks, or `end`. Little-endian, as on all supported
/// machines.
template<class Marks, class Is>
const std::uint8_t *find(const std::uint8_t *at, const std::uint8_t *end, Marks marked, Is is)
{
    static_assert(std::endian::native == std::endian::little);
    for (; end - at >= 8; at += 8) {
        if (const std::uint64_t found = marked(load(at)); found != 0)
            return at + std::countr_zero(found) / 8;
    }
    while (at != end && !is(*at))
        ++at;
    return at;
}

const std::uint8_t *findQuoteOrEscape(const std::uint8_t *at, const std::uint8_t *end,
                                      std::uint64_t &seen)
{
    const auto *found = find(
        at, end,
        [&](std::uint64_t eight) {
            seen |= eight;
            return marks(eight, '"') | marks(eight, '\\');
        },
        [&](std::uint8_t c) {
            seen |= c;
            return c == '"' || c == '\\';
        });
    return found;
}

const std::uint8_t *findQuoteOrBracket(const std::uint8_t *at, const std::uint8_t *end)
{
    // Brackets and braces differ in one bit.
    constexpr std::uint64_t kFold = kOnes * 0x20;
    return find(
        at, end,
        [](std::uint64_t eight) {
            return marks(eight, '"') | marks(eight | kFold, '{') | marks(eight | kFold, '}');
        },
        [](std::uint8_t c) { return c == '"' || (c | 0x20) == '{' || (c | 0x20) == '}'; });
}

const std::uint8_t *skipDigits(const std::uint8_t *at, const std::uint8_t *end)
{
    while (at != end && static_cast<std::uint8_t>(*at - '0') <= 9)
        ++at;
    return at;
}

bool mayFollowValue(char c)
{
    return c == ',' || c == '}' || c == ']';
}

} // namespace

bool isNumber(std::string_view word)
{
    std::size_t at = word.starts_with('-') ? 1 : 0;
    const auto digits = [&] {
        const std::size_t first = at;
        while (at < word.size() && isDigit(word[at]))
            ++at;
        return at - first;
    };
    const std::size_t first = at;
    const std::size_t whole = digits();
    if (whole == 0 || (whole > 1 && word[first] == '0'))
        return false;
    if (at < word.size() && word[at] == '.') {
        ++at;
        if (digits() == 0)
            return false;
    }
    if (at < word.size() && (word[at] | 0x20) == 'e') {
        ++at;
        if (at < word.size() && (word[at] == '+' || word[at] == '-'))
            ++at;
        if (digits() == 0)
            return false;
    }
    return at == word.size();
}

int codeUnit(std::string_view text)
{
    if (text.size() < 6 || !text.starts_with("\\u"))
        return -1;
    unsigned unit = 0;
    const char *const end = text.data() + 6;
    const auto read = std::from_chars(text.data() + 2, end, unit, 16);
    return read.ec == std::errc() && read.ptr == end ? static_cast<int>(unit) : -1;
}

Scan Scanner::text(Value &value)
{
    const std::uint8_t *const first = m_at;
    std::uint64_t seen = 0; // all bits of all bytes; may include a few beyond the text
    bool hasEscapes = false;
    const std::uint8_t *at = m_at;
    for (;;) {
        at = findQuoteOrEscape(at, m_end, seen);
        if (at == m_end)
            return Scan::More;
        if (*at == '"')
            break;
        hasEscapes = true;
        if (m_end - at < 2)
            return Scan::More;
        at += 2;
    }
    value = {ValueType::Text, !hasEscapes && (seen & kHigh) == 0, view(first, at)};
    m_at = at + 1;
    return Scan::Done;
}

Scan Scanner::word(Value &value)
{
    const std::uint8_t *const first = m_at;
    // Most are digits, with or without a point, which are checked on the way.
    const std::uint8_t *const point = skipDigits(first, m_end);
    const bool hasPoint = point != m_end && *point == '.';
    const std::uint8_t *const last = hasPoint ? skipDigits(point + 1, m_end) : point;
    if (last != m_end && kEndsWord[*last] && point != first && last != point + 1 &&
        (*first != '0' || point == first + 1)) {
        value = {ValueType::Number, true, view(first, last)};
        m_at = last;
        return Scan::Done;
    }
    m_at = last;
    while (m_at != m_end && !kEndsWord[*m_at])
        ++m_at;
    if (m_at == m_end)
        return Scan::More;
    const std::string_view word = view(first, m_at);
    if (!word.empty() && (isDigit(word[0]) || word[0] == '-')) {
        value = {ValueType::Number, true, word};
        return isNumber(word) ? Scan::Done : Scan::Flawed;
    }
    value = {ValueType::Word, true, word};
    return word == "true" || word == "false" || word == "null" ? Scan::Done : Scan::Flawed;
}

Scan Scanner::value(Value &value)
{
    skipSpace();
    if (m_at == m_end)
        return Scan::More;
    Scan read = Scan::Done;
    const std::uint8_t *const first = m_at;
    switch (*m_at) {
    case '"':
        ++m_at;
        read = text(value);
        break;
    case '{':
    case '[':
        ++m_at;
        read = skipContainer();
        value = {*first == '{' ? ValueType::Object : ValueType::List, true, view(first, m_at)};
        break;
    default:
        read = word(value);
    }
    if (read != Scan::Done)
        return read;
    skipSpace();
    if (m_at == m_end)
        return Scan::More;
    return mayFollowValue(static_cast<char>(*m_at)) ? Scan::Done : Scan::Flawed;
}

Scan Scanner::skipContainer()
{
    std::size_t depth = 1;
    for (;;) {
        m_at = findQuoteOrBracket(m_at, m_end);
        if (m_at == m_end)
            return Scan::More;
        const char c = static_cast<char>(*m_at++);
        if (c == '"') {
            Value value;
            if (const Scan read = text(value); read != Scan::Done)
                return read;
            skipSpace();
            if (m_at == m_end)
                return Scan::More;
            if (*m_at != ':' && !mayFollowValue(static_cast<char>(*m_at)))
                return Scan::Flawed;
        } else if (c == '{' || c == '[') {
            ++depth;
        } else if (--depth == 0) {
            return Scan::Done;
        }
    }
}

namespace {

/// Resolves the escape at the front of `text` and returns its length; 0 if it is not an escape.
std::size_t resolveEscape(std::string_view text, std::string &to)
{
    constexpr std::uint32_t kReplacement = 0xFFFD;
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (text.size() < 2)
        return 0;
    if (const std::size_t letter = kLetters.find(text[1]); letter != std::string_view::npos) {
        to.push_back(kMeanings[letter]);
        return 2;
    }
    const int unit = codeUnit(text);
    if (unit < 0)
        return 0;
    const bool isHigh = unit >= 0xD800 && unit < 0xDC00;
    const int low = isHigh ? codeUnit(text.substr(6)) : -1;
    if (low >= 0xDC00 && low < 0xE000) {
        appendUtf8(to,
                   utf16Pair(static_cast<std::uint32_t>(unit), static_cast<std::uint32_t>(low)));
        return 12;
    }
    const bool isHalf = unit >= 0xD800 && unit < 0xE000;
    appendUtf8(to, isHalf ? kReplacement : static_cast<std::uint32_t>(unit));
    return 6;
}

} // namespace

std::string unescaped(std::string_view text, bool &isFlawed)
{
    std::string plain;
    plain.reserve(text.size());
    while (!text.empty()) {
        std::size_t length = 1;
        if (text[0] == '\\') {
            length = resolveEscape(text, plain);
            if (length == 0) {
                isFlawed = true;
                plain.push_back('\\');
                length = 1;
            }
        } else if (static_cast<unsigned char>(text[0]) < 0x80) {
            plain.push_back(text[0]);
        } else if (const std::size_t size = characterLength(text); size > 0) {
            plain.append(text.substr(0, size));
            length = size;
        } else {
            isFlawed = true;
            plain.append("\xEF\xBF\xBD");
        }
        text.remove_prefix(length);
    }
    return plain;
}

bool readDecimal(std::string_view text, int shift, std::int64_t &number)
{
    // Most are plain digits with a point; others take the careful way.
    constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 10 - 1;
    std::int64_t value = 0;
    std::size_t at = 0;
    int left = -1; // digits after the point still needed; -1 before the point
    for (; at < text.size() && value <= kMost; ++at) {
        if (isDigit(text[at]) && left != 0) {
            value = value * 10 + (text[at] - '0');
            left -= left > 0 ? 1 : 0;
        } else if (text[at] == '.' && left < 0) {
            left = shift;
        } else {
            break;
        }
    }
    bool isPlain = at == text.size() && at > 0;
    for (int missing = left < 0 ? shift : left; isPlain && missing > 0; --missing) {
        isPlain = value <= kMost;
        value *= isPlain ? 10 : 1;
    }
    if (isPlain) {
        number = value;
        return true;
    }
    const std::optional<std::int64_t> careful = scaledDecimal(text, shift);
    number = careful.value_or(0);
    return careful.has_value();
}

std::int64_t wholeNumber(const Value &value, std::int64_t otherwise)
{
    const bool canBe = value.type == ValueType::Number || value.type == ValueType::Text;
    return canBe ? vramscope::wholeNumber(value.text).value_or(otherwise) : otherwise;
}

} // namespace vramscope::json
