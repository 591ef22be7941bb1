// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"

#include <array>
#include <cstdint>
#include <functional>
#include <iterator>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// What JsonRepair mends.
enum class JsonFlaw : std::uint8_t {
    Quote,     ///< a quotation mark within a text, not escaped
    Backslash, ///< a backslash that begins no escape
    Control,   ///< a control character within a text
    Encoding,  ///< bytes that are no UTF-8, or half of a surrogate pair
    Word,      ///< NaN, Infinity or another word where a value belongs; taken as null
    Comma,     ///< a comma before a closing bracket
    Missing,   ///< no value after a colon; taken as null
};
inline constexpr std::size_t kJsonFlawCount = 7;

/// A sentence for people.
[[nodiscard]] std::string_view jsonFlawText(JsonFlaw flaw);

/// A key that the text is at.
struct JsonKey
{
    std::string_view open; ///< the brackets around it, the outermost first
    std::string_view name;
    std::string_view value; ///< how its value begins, as far as it is in sight
    bool first = false;     ///< of its object
};

/// Passes JSON text on for a strict parser and mends what writers without an escaping of their own
/// get wrong. JSON that is right passes unchanged in meaning, its white space left out: a mend
/// needs a place where no right reading goes on. Memory: a window of each side and a byte for each
/// open bracket, of which there may be kMaxDepth. What ends too early is not closed: the parser
/// sees the end.
class JsonRepair
{
public:
    static constexpr std::size_t kMaxDepth = 1000;
    static constexpr std::size_t kLongestText = std::size_t(16) << 20; ///< no recording has one

    /// Called every few ten thousand bytes; false ends the text.
    using Tick = std::function<bool()>;
    /// Says whether a key is wanted, with its value. Called once for each key that is not within an
    /// unwanted value, in order.
    using KeyFilter = std::function<bool(const JsonKey &)>;

    explicit JsonRepair(ByteWindow &input, Tick tick = {});

    /// From now on leaves out keys that are not wanted, with their values: most of a large file
    /// need not pass the parser then. A long key, or one with escapes, is always passed on.
    void setKeyFilter(KeyFilter wanted) { m_wanted = std::move(wanted); }

    /// The repaired text, for parsers that read from an iterator.
    class Iterator
    {
    public:
        using iterator_category = std::input_iterator_tag;
        using value_type = char;
        using difference_type = std::ptrdiff_t;
        using pointer = const char *;
        using reference = char;

        explicit Iterator(JsonRepair *text = nullptr)
            : m_text(text)
        {
        }
        char operator*() const { return *m_text->m_at; }
        Iterator &operator++()
        {
            ++m_text->m_at;
            return *this;
        }
        Iterator operator++(int)
        {
            ++m_text->m_at;
            return *this;
        }
        bool operator==(const Iterator &) const
        {
            return m_text->m_at == m_text->m_end && !m_text->refill();
        }

    private:
        JsonRepair *m_text;
    };
    Iterator begin() { return Iterator(this); }
    Iterator end() { return Iterator(); }

    struct Flaws
    {
        std::int64_t count = 0;
        std::int64_t firstOffset = -1; ///< in the file
    };
    [[nodiscard]] const Flaws &flaws(JsonFlaw flaw) const
    {
        return m_flaws[static_cast<std::size_t>(flaw)];
    }
    /// Position in the file up to which the text was taken; that of the parser is a little before.
    [[nodiscard]] std::int64_t offset() const { return m_input.offset(); }
    /// True when the parser asked for more than there is: its error then means that the file ends
    /// too early.
    [[nodiscard]] bool ended() const { return m_ended; }
    /// True when tick() said so.
    [[nodiscard]] bool stopped() const { return m_stopped; }
    [[nodiscard]] bool tooDeep() const { return m_tooDeep; }
    /// True when a text is longer than kLongestText; what is left out may be.
    [[nodiscard]] bool tooLong() const { return m_textSize > kLongestText; }

private:
    [[nodiscard]] bool gaveUp() const { return m_stopped || m_tooDeep || tooLong(); }
    bool refill();
    bool lookAhead();
    void outside();
    void punctuation(char c);
    void beforeValue();
    void word();
    void text();
    void plainBytes();
    void escape();
    bool closesAfterBackslash() const;
    void multibyte();
    bool endsText(const std::uint8_t *at) const;
    bool isKeyAhead(const std::uint8_t *at) const;
    bool skipKey();
    void afterValue();
    void put(std::string_view bytes);
    void mend(JsonFlaw flaw);

    ByteWindow &m_input;
    Tick m_tick;
    KeyFilter m_wanted;
    std::vector<char> m_out; // its first m_size bytes are repaired text
    std::size_t m_size = 0;
    const char *m_at = nullptr;
    const char *m_end = nullptr;
    std::string m_open; // the brackets
    std::array<Flaws, kJsonFlawCount> m_flaws{};
    std::size_t m_textSize = 0; // of the text that is passed on, so far
    std::size_t m_muted = 0;    // open brackets around an unwanted value; 0: none is read
    char m_last = 0;            // passed on
    bool m_inText = false;
    bool m_isKey = false;      // the text
    bool m_keyIsNext = false;  // in an object, a key or its end
    bool m_afterColon = false; // and no value yet
    bool m_comma = false;      // seen, and not yet passed on
    bool m_endInSight = false;
    bool m_ended = false;
    bool m_stopped = false;
    bool m_tooDeep = false;
};

} // namespace vramscope
