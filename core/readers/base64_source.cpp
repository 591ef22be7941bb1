// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/readers/sources.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace vramscope {

namespace {

constexpr std::uint8_t kInvalid = 0xFF;
constexpr std::uint8_t kSkipped = 0xFE; // line ends, and the backslash of an escaped slash
constexpr std::uint8_t kPadding = 0xFD;
constexpr std::uint8_t kQuote = 0xFC;
constexpr std::uint8_t kMostValue = 63;

constexpr auto kMeanings = [] {
    std::array<std::uint8_t, 256> meanings{};
    meanings.fill(kInvalid);
    constexpr std::string_view kDigits =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    for (std::size_t at = 0; at < kDigits.size(); ++at)
        meanings[static_cast<unsigned char>(kDigits[at])] = static_cast<std::uint8_t>(at);
    for (const char c : {' ', '\r', '\n', '\t', '\\'})
        meanings[static_cast<unsigned char>(c)] = kSkipped;
    meanings['='] = kPadding;
    meanings['"'] = kQuote;
    return meanings;
}();

class Base64Source final : public ByteSource
{
public:
    explicit Base64Source(ByteWindow &input)
        : m_in(input)
    {
    }

    std::optional<std::int64_t> size() const override { return {}; }
    double fraction() const override { return m_in.fraction(); }
    std::vector<std::string> anomalies() const override { return m_in.anomalies(m_anomalies); }
    Result<std::size_t> read(std::span<std::byte> into) override;

private:
    std::size_t decodeQuads(std::span<std::byte> into);
    bool decodeOne(std::span<std::byte> into, std::size_t &done);
    void lookBehind();
    bool skipTo(char wanted);

    ByteWindow &m_in;
    std::uint32_t m_bits = 0; // digits that are not yet whole bytes
    int m_bitCount = 0;
    bool m_atEnd = false;
    std::optional<Error> m_error;
    std::vector<std::string> m_anomalies;
};

Result<std::size_t> Base64Source::read(std::span<std::byte> into)
{
    std::size_t done = 0;
    while (done < into.size() && !m_atEnd && !m_error) {
        if (m_bitCount == 0)
            done += decodeQuads(into.subspan(done));
        if (done < into.size() && !decodeOne(into, done))
            break;
    }
    if (m_error)
        return *m_error;
    return done;
}

/// The usual case: four digits for three bytes.
std::size_t Base64Source::decodeQuads(std::span<std::byte> into)
{
    const std::size_t most = std::min(m_in.available() / 4, into.size() / 3);
    const std::uint8_t *at = m_in.cursor();
    std::byte *out = into.data();
    std::size_t quad = 0;
    for (; quad < most; ++quad, at += 4, out += 3) {
        const std::uint8_t a = kMeanings[at[0]];
        const std::uint8_t b = kMeanings[at[1]];
        const std::uint8_t c = kMeanings[at[2]];
        const std::uint8_t d = kMeanings[at[3]];
        if ((a | b | c | d) > kMostValue)
            break;
        out[0] = static_cast<std::byte>(a << 2 | b >> 4);
        out[1] = static_cast<std::byte>((b << 4 | c >> 2) & 0xFF);
        out[2] = static_cast<std::byte>((c << 6 | d) & 0xFF);
    }
    m_in.advance(4 * quad);
    return 3 * quad;
}

/// Takes whatever is next. False at the end.
bool Base64Source::decodeOne(std::span<std::byte> into, std::size_t &done)
{
    if (!m_in.ensure(1)) {
        m_error = m_in.status().ok()
                      ? Error{ErrorCode::Truncated,
                              "The page ends before its embedded snapshot does: it was not saved "
                              "to the end; save it again.",
                              m_in.offset()}
                      : m_in.status().error();
        return false;
    }
    const std::uint8_t meaning = kMeanings[*m_in.cursor()];
    if (meaning == kInvalid) {
        m_error = Error{ErrorCode::Malformed,
                        "The embedded snapshot of the page is damaged; save the page again.",
                        m_in.offset()};
        return false;
    }
    m_in.advance(1);
    if (meaning == kQuote) {
        m_atEnd = true;
        lookBehind();
        return false;
    }
    if (meaning > kMostValue)
        return true;
    m_bits = m_bits << 6 | meaning;
    m_bitCount += 6;
    if (m_bitCount >= 8) {
        m_bitCount -= 8;
        into[done++] = static_cast<std::byte>((m_bits >> m_bitCount) & 0xFF);
    }
    return true;
}

/// Whether the page goes on with another file.
void Base64Source::lookBehind()
{
    if (skipTo('}') && skipTo(','))
        m_anomalies.emplace_back("The page holds several snapshots; the first is shown.");
}

/// Skips past `wanted` if it comes next.
bool Base64Source::skipTo(char wanted)
{
    while (m_in.ensure(1) && kMeanings[*m_in.cursor()] == kSkipped)
        m_in.advance(1);
    if (!m_in.ensure(1) || *m_in.cursor() != static_cast<std::uint8_t>(wanted))
        return false;
    m_in.advance(1);
    return true;
}

} // namespace

std::unique_ptr<ByteSource> base64Source(ByteWindow &input)
{
    return std::make_unique<Base64Source>(input);
}

} // namespace vramscope
