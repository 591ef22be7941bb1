// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/json_repair.h"

#include "core/base/text.h"
#include "core/readers/json_scan.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cstring>

using namespace std::string_view_literals;

namespace vramscope {

namespace {

constexpr std::size_t kChunk = std::size_t(64) << 10;      // of repaired text
constexpr std::int64_t kTickBytes = std::int64_t(1) << 20; // of white space
constexpr std::size_t kAhead = 2048; // bytes that a decision may look at, and the longest number
constexpr std::size_t kNear = 512;   // how far the true end of a text is searched

bool endsWord(std::uint8_t c)
{
    return json::kEndsWord[c];
}

/// A JSON number of a size that a double can hold.
bool isNumber(std::string_view word)
{
    if (!json::isNumber(word))
        return false;
    if (word.find_first_of("eE") == std::string_view::npos && word.size() < 300)
        return true;
    double value = 0;
    const auto read = std::from_chars(word.data(), word.data() + word.size(), value);
    return read.ec == std::errc();
}

bool isJsonWord(std::string_view word)
{
    return word == "true"sv || word == "false"sv || word == "null"sv || isNumber(word);
}

/// A word that begins a value, or that writers put in place of a number.
bool looksLikeWord(std::string_view word)
{
    constexpr std::string_view kNone[] = {"NaN",  "nan",  "Infinity", "inf",      "-Infinity",
                                          "-inf", "-nan", "None",     "-nan(ind)"};
    return isJsonWord(word) || std::ranges::find(kNone, word) != std::end(kNone);
}

const std::uint8_t *skipSpace(const std::uint8_t *at, const std::uint8_t *end)
{
    while (at < end && json::isSpace(*at))
        ++at;
    return at;
}

/// The next quotation mark without a backslash before it.
const std::uint8_t *nextQuote(const std::uint8_t *at, const std::uint8_t *end)
{
    while (at < end && *at != '"')
        at += *at == '\\' && end - at > 1 ? 2 : 1;
    return at;
}

/// `count` bytes from `at`, or the end where that comes first.
const std::uint8_t *ahead(const std::uint8_t *at, const std::uint8_t *end, std::size_t count)
{
    return static_cast<std::size_t>(end - at) < count ? end : at + count;
}

/// True if a value can begin here; bytes out of sight count as valid.
bool isValueAhead(const std::uint8_t *at, const std::uint8_t *end)
{
    at = skipSpace(at, end);
    if (at == end || *at == '"' || *at == '{' || *at == '[' || *at == ']')
        return true;
    const std::uint8_t *stop = std::find_if(at, end, endsWord);
    return stop == end || looksLikeWord(json::view(at, stop));
}

/// How many bytes from `at` need no look: no quotes, backslashes, control characters or bytes
/// beyond ASCII. Eight at a time, using the carries of arithmetic within bytes.
std::size_t plainRun(const std::uint8_t *at, const std::uint8_t *end)
{
    constexpr std::uint64_t kOnes = 0x0101010101010101ULL;
    constexpr std::uint64_t kHigh = 0x8080808080808080ULL;
    const std::uint8_t *const start = at;
    while (end - at >= 8) {
        std::uint64_t eight;
        std::memcpy(&eight, at, 8);
        const std::uint64_t quote = eight ^ (kOnes * '"');
        const std::uint64_t backslash = eight ^ (kOnes * '\\');
        const std::uint64_t special =
            ((eight - kOnes * 0x20) | (quote - kOnes) | (backslash - kOnes) | eight) & kHigh;
        if (special != 0) // the lowest is right, higher ones may come from a borrow
            break;
        at += 8;
    }
    while (at < end && *at >= 0x20 && *at < 0x80 && *at != '"' && *at != '\\')
        ++at;
    return static_cast<std::size_t>(at - start);
}

} // namespace

std::string_view jsonFlawText(JsonFlaw flaw)
{
    constexpr std::string_view kTexts[] = {
        "A quotation mark within a text is not escaped; it was taken as part of the text.",
        "A backslash within a text begins no escape; it was taken as a backslash.",
        "A text holds a control character as it is.",
        "A text holds bytes that are no UTF-8; they are shown as replacement characters.",
        "A value is no number that JSON knows (NaN, Infinity); it was left out.",
        "A comma has nothing after it; it was passed over.",
        "A value is missing; it was left out.",
    };
    static_assert(std::size(kTexts) == kJsonFlawCount);
    return kTexts[static_cast<std::size_t>(flaw)];
}

JsonRepair::JsonRepair(ByteWindow &input, Tick tick, std::string_view open)
    : m_input(input)
    , m_tick(std::move(tick))
    , m_out(2 * kChunk + kAhead)
    , m_open(open)
    , m_keyIsNext(open.ends_with('{'))
{
    if (!open.empty())
        return;
    if (lookAhead() && std::memcmp(m_input.cursor(), "\xEF\xBB\xBF",
                                   std::min<std::size_t>(3, m_input.available())) == 0)
        m_input.advance(std::min<std::size_t>(3, m_input.available()));
}

void JsonRepair::mend(JsonFlaw flaw)
{
    Flaws &flaws = m_flaws[static_cast<std::size_t>(flaw)];
    if (flaws.count++ == 0)
        flaws.firstOffset = m_input.offset();
}

/// Reads the next kAhead bytes into the window, or all that are left; false at the end.
bool JsonRepair::lookAhead()
{
    if (m_input.available() < kAhead && !m_endInSight && !m_input.ensure(kAhead)) {
        // Near the end fewer bytes than requested may be left.
        while (m_input.ensure(m_input.available() + 1) && m_input.available() < kAhead) {
        }
        m_endInSight = m_input.available() < kAhead;
    }
    return m_input.available() > 0;
}

Result<std::size_t> JsonRepair::read(std::span<std::byte> into)
{
    std::size_t filled = 0;
    while (filled < into.size() && (m_at != m_end || refill())) {
        const std::size_t count =
            std::min(into.size() - filled, static_cast<std::size_t>(m_end - m_at));
        std::memcpy(into.data() + filled, m_at, count);
        m_at += count;
        filled += count;
    }
    return filled;
}

bool JsonRepair::refill()
{
    m_size = 0;
    while (m_size == 0 && !gaveUp() && lookAhead()) {
        m_stopped = m_tick && !m_tick();
        // Omitted bytes take time as well.
        const std::int64_t pause = m_input.offset() + kTickBytes;
        while (!gaveUp() && m_size < kChunk && m_input.offset() < pause && lookAhead())
            m_inText ? text() : outside();
    }
    m_at = m_out.data();
    m_end = m_at + m_size;
    m_ended = m_size == 0 && !gaveUp();
    return m_size > 0;
}

void JsonRepair::outside()
{
    const std::uint8_t *at = m_input.cursor();
    if (json::isSpace(*at)) {
        const std::uint8_t *stop = skipSpace(at, m_input.end());
        m_input.advance(static_cast<std::size_t>(stop - at));
    } else if (*at == '"') {
        beforeValue();
        put("\"");
        m_inText = true;
        m_textSize = 0;
        m_isKey = m_keyIsNext;
        m_keyIsNext = false;
        m_input.advance(1);
    } else if (endsWord(*at)) {
        punctuation(static_cast<char>(*at));
        m_input.advance(1);
    } else {
        word();
    }
}

void JsonRepair::put(std::string_view bytes)
{
    if (bytes.empty())
        return;
    std::memcpy(m_out.data() + m_size, bytes.data(), bytes.size());
    m_size += bytes.size();
    m_last = bytes.back();
    if (m_inText)
        m_textSize += bytes.size();
}

void JsonRepair::beforeValue()
{
    // No comma belongs before the first value.
    if (m_comma && m_last != '{' && m_last != '[')
        put(",");
    m_comma = m_afterColon = false;
}

void JsonRepair::punctuation(char c)
{
    if (c == '{' || c == '[') {
        m_tooDeep = m_open.size() == kMaxDepth;
        if (m_tooDeep)
            return;
        beforeValue();
        m_open.push_back(c);
        m_keyIsNext = c == '{';
    } else if (m_afterColon && c != ':') {
        mend(JsonFlaw::Missing);
        put("null");
        m_afterColon = false;
    }
    if (c == ',') {
        if (std::exchange(m_comma, true))
            mend(JsonFlaw::Comma);
        m_keyIsNext = m_open.ends_with('{');
        return;
    }
    if (c == '}' || c == ']') {
        if (std::exchange(m_comma, false))
            mend(JsonFlaw::Comma);
        if (!m_open.empty())
            m_open.pop_back();
        m_keyIsNext = false;
        put({&c, 1});
        return;
    }
    if (c == ':')
        m_afterColon = true;
    put({&c, 1});
}

void JsonRepair::word()
{
    const std::uint8_t *at = m_input.cursor();
    const std::uint8_t *const stop = std::find_if(at, m_input.end(), endsWord);
    const std::string_view word = json::view(at, stop);
    if (stop == m_input.end() && m_endInSight) { // truncated: a number may lack its last digits
        m_input.advance(word.size());
        return;
    }
    beforeValue();
    if (stop != m_input.end() && word.size() <= kAhead && isJsonWord(word)) {
        put(word);
    } else {
        mend(JsonFlaw::Word);
        put("null");
    }
    m_input.advance(word.size());
}

void JsonRepair::text()
{
    plainBytes();
    // Closing quotes and escapes need the following bytes for a decision.
    if (m_size >= kChunk || !lookAhead())
        return;
    const std::uint8_t *at = m_input.cursor();
    if (*at == '"') {
        m_inText = !endsText(at + 1);
        if (m_inText)
            mend(JsonFlaw::Quote);
        put(m_inText ? "\\\"" : "\"");
        m_input.advance(1);
    } else if (*at == '\\') {
        escape();
    } else if (*at < 0x20) {
        constexpr char kHex[] = "0123456789abcdef";
        mend(JsonFlaw::Control);
        put("\\u00");
        const char digits[] = {kHex[*at >> 4], kHex[*at & 15]};
        put({digits, 2});
        m_input.advance(1);
    } else if (*at >= 0x80) {
        multibyte();
    }
}

void JsonRepair::plainBytes()
{
    const std::uint8_t *at = m_input.cursor();
    const std::size_t count = plainRun(at, ahead(at, m_input.end(), kChunk));
    put(json::view(at, at + count));
    m_input.advance(count);
}

void JsonRepair::escape()
{
    const std::uint8_t *at = m_input.cursor();
    const std::uint8_t *const end = m_input.end();
    if (end - at < 2) { // cut off
        m_input.advance(1);
        return;
    }
    if (at[1] == '"' && closesAfterBackslash()) {
        mend(JsonFlaw::Backslash);
        put("\\\\");
        m_input.advance(1);
        return;
    }
    if (at[1] == 'u') {
        const int unit = json::codeUnit(json::view(at, end));
        const int next = unit < 0 ? -1 : json::codeUnit(json::view(at + 6, end));
        const bool pair = unit >= 0xD800 && unit < 0xDC00 && next >= 0xDC00 && next < 0xE000;
        if (unit >= 0 && (pair || unit < 0xD800 || unit >= 0xE000)) {
            const std::size_t size = pair ? 12 : 6;
            put(json::view(at, at + size));
            m_input.advance(size);
            return;
        }
        mend(unit < 0 ? JsonFlaw::Backslash : JsonFlaw::Encoding);
        put(unit < 0 ? "\\\\" : "\\ufffd");
        m_input.advance(unit < 0 ? 1 : 6);
        return;
    }
    if (at[1] < 0x80 && "\"\\/bfnrt"sv.find(static_cast<char>(at[1])) != std::string_view::npos) {
        put(json::view(at, at + 2));
        m_input.advance(2);
        return;
    }
    mend(JsonFlaw::Backslash);
    put("\\\\");
    m_input.advance(1);
}

/// At a backslash before a quotation mark: true if that mark closes the text, as in "C:\dir\". Only
/// if the text could end here, and the next mark could not end it.
bool JsonRepair::closesAfterBackslash() const
{
    const std::uint8_t *const at = m_input.cursor() + 2;
    if (at == m_input.end() || !endsText(at))
        return false;
    const std::uint8_t *const limit = ahead(at, m_input.end(), kNear);
    const std::uint8_t *const quote = nextQuote(at, limit);
    return quote != limit && !endsText(quote + 1);
}

void JsonRepair::multibyte()
{
    const std::uint8_t *at = m_input.cursor();
    const std::size_t size = characterLength(json::view(at, m_input.end()));
    if (size > 0) {
        put(json::view(at, at + size));
        m_input.advance(size);
        return;
    }
    mend(JsonFlaw::Encoding);
    put("\xEF\xBF\xBD");
    m_input.advance(1);
}

/// True if JSON can go on after a text that ended before `at`; bytes out of sight count as valid.
bool JsonRepair::endsText(const std::uint8_t *at) const
{
    constexpr int kBrackets = 4;
    const std::uint8_t *const end = m_input.end();
    at = skipSpace(at, end);
    if (m_isKey)
        return at == end || *at == ':';
    std::size_t depth = m_open.size();
    for (int i = 0; i < kBrackets && at < end && depth > 0; ++i) {
        const char open = m_open[depth - 1];
        if (*at == ',')
            return open == '{' ? isKeyAhead(at + 1) : isValueAhead(at + 1, end);
        const std::uint8_t close = open == '{' ? '}' : ']';
        if (*at != close)
            return false;
        --depth;
        at = skipSpace(at + 1, end);
    }
    return depth > 0 || at == end;
}

bool JsonRepair::isKeyAhead(const std::uint8_t *at) const
{
    const std::uint8_t *const end = m_input.end();
    at = skipSpace(at, end);
    if (at == end || *at == '}')
        return true;
    if (*at != '"')
        return false;
    const std::uint8_t *const limit = ahead(at, end, kAhead);
    at = nextQuote(at + 1, limit);
    if (at == limit)
        return true;
    at = skipSpace(at + 1, end);
    return at == end || *at == ':';
}

} // namespace vramscope
