// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/readers/byte_source.h"
#include "core/readers/json_input.h"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// What JsonRepair fixes.
enum class JsonFlaw : std::uint8_t {
    Quote,     ///< a quotation mark within a text, not escaped
    Backslash, ///< a backslash that begins no escape
    Control,   ///< a control character within a text
    Encoding,  ///< bytes that are not UTF-8, or half of a surrogate pair
    Word,      ///< NaN, Infinity or another word where a value belongs; taken as null
    Comma,     ///< a comma before a closing bracket
    Missing,   ///< no value after a colon; taken as null
};
inline constexpr std::size_t kJsonFlawCount = 7;

/// A sentence for people.
[[nodiscard]] std::string_view jsonFlawText(JsonFlaw flaw);

/// Passes JSON text on to a strict parser and fixes the errors of writers that do not escape. Valid
/// JSON keeps its meaning and loses its white space: a fix is made only where no valid reading
/// continues. Memory: a window on each side and a byte for each open bracket, at most kMaxDepth of
/// them. A text that ends too early is not closed: the parser sees the end.
class JsonRepair final : public ByteSource
{
public:
    static constexpr std::size_t kMaxDepth = 1000;
    static constexpr std::size_t kLongestText = std::size_t(16) << 20; ///< no recording has one

    /// Called every few tens of thousands of bytes; false ends the text.
    using Tick = std::function<bool()>;
    /// `open`: the brackets around the cursor of `input`, the outermost first, if it is not at the
    /// beginning; then a value is next, or in an object a key.
    explicit JsonRepair(ByteWindow &input, Tick tick = {}, std::string_view open = {});

    [[nodiscard]] std::optional<std::int64_t> size() const override { return {}; }
    /// The repaired text, piece by piece.
    [[nodiscard]] Result<std::size_t> read(std::span<std::byte> into) override;
    [[nodiscard]] double fraction() const override { return m_input.fraction(); }

    /// The repaired text for parsers that read from an iterator.
    using Iterator = TextIterator<JsonRepair>;
    Iterator begin() { return Iterator(*this); }
    Iterator end() { return {}; }

    struct Flaws
    {
        std::int64_t count = 0;
        std::int64_t firstOffset = -1; ///< in the file
    };
    [[nodiscard]] const Flaws &flaws(JsonFlaw flaw) const
    {
        return m_flaws[static_cast<std::size_t>(flaw)];
    }
    /// Position in the file up to which the text was taken; the parser is a little behind it.
    [[nodiscard]] std::int64_t offset() const { return m_input.offset(); }
    /// True if the parser asked for more than there is: its error then means that the file ends too
    /// early.
    [[nodiscard]] bool ended() const { return m_ended; }
    /// True once tick() has returned false.
    [[nodiscard]] bool stopped() const { return m_stopped; }
    /// True when a text is longer than kLongestText.
    [[nodiscard]] bool tooLong() const { return m_textSize > kLongestText; }

private:
    friend Iterator;
    bool hasMore() { return m_at != m_end || refill(); }
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
    void put(std::string_view bytes);
    void mend(JsonFlaw flaw);

    ByteWindow &m_input;
    Tick m_tick;
    std::vector<char> m_out; // its first m_size bytes are repaired text
    std::size_t m_size = 0;
    const char *m_at = nullptr;
    const char *m_end = nullptr;
    std::string m_open; // the brackets
    std::array<Flaws, kJsonFlawCount> m_flaws{};
    std::size_t m_textSize = 0; // of the current text, passed on so far
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
