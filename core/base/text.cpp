// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/text.h"

#include "core/base/format.h"

#include <algorithm>
#include <array>
#include <vector>

namespace vramscope {

namespace {

struct Range
{
    char32_t first;
    char32_t last;
};

// U+061C, U+200E and F, U+202A to E and U+2066 to 9 change the writing direction.
constexpr std::array kControls{
    Range{0x00, 0x1f},     Range{0x7f, 0x9f},     Range{0x61c, 0x61c},
    Range{0x200e, 0x200f}, Range{0x2028, 0x202e}, Range{0x2066, 0x2069},
};

// Accents and other marks, variation selectors, and joiners of two characters.
constexpr std::array kMarks{
    Range{0x300, 0x36f},   Range{0x483, 0x489},   Range{0x591, 0x5bd},   Range{0x610, 0x61a},
    Range{0x64b, 0x65f},   Range{0x93a, 0x94f},   Range{0xe31, 0xe3a},   Range{0xe47, 0xe4e},
    Range{0x1ab0, 0x1aff}, Range{0x1dc0, 0x1dff}, Range{0x200d, 0x200d}, Range{0x20d0, 0x20ff},
    Range{0x3099, 0x309a}, Range{0xfe00, 0xfe0f}, Range{0xfe20, 0xfe2f}, Range{0x1f3fb, 0x1f3ff},
};

bool isIn(char32_t code, const auto &ranges)
{
    return std::ranges::any_of(
        ranges, [&](const Range &range) { return range.first <= code && code <= range.last; });
}

bool continues(char byte)
{
    return (static_cast<unsigned char>(byte) & 0xc0U) == 0x80U;
}

/// Whether the character at `at` is an accent or the like, which belongs to the one before.
bool marksBefore(std::string_view text, std::size_t at)
{
    const std::size_t length = at < text.size() ? characterLength(text.substr(at)) : 0;
    return length > 1 && isIn(codePoint(text.substr(at, length)), kMarks);
}

constexpr int kMostMarks = 16; // of one letter

/// The beginning of the character at `at`, or of the letter to which it belongs.
std::size_t startOf(std::string_view text, std::size_t at)
{
    // In invalid UTF-8 at most three bytes are lost.
    const auto character = [&](std::size_t from) {
        std::size_t start = from;
        for (int tail = 0; tail < 3 && start > 0 && continues(text[start]); ++tail)
            --start;
        return continues(text[start]) ? from : start;
    };
    if (at >= text.size())
        return text.size();
    const std::size_t start = character(at);
    std::size_t letter = start;
    for (int mark = 0; letter > 0 && marksBefore(text, letter); ++mark) {
        if (mark == kMostMarks)
            return start;
        letter = character(letter - 1);
    }
    return letter;
}

std::vector<std::size_t> startsOf(std::string_view text)
{
    std::vector<std::size_t> starts;
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (!continues(text[at]))
            starts.push_back(at);
    }
    return starts;
}

} // namespace

std::size_t characterLength(std::string_view text)
{
    if (text.empty())
        return 0;
    const auto byte = [&](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const unsigned first = byte(0);
    if (first < 0x80)
        return 1;
    const std::size_t length = first >= 0xf0 ? 4 : first >= 0xe0 ? 3 : 2;
    if (first < 0xc2 || first > 0xf4 || text.size() < length)
        return 0;
    for (std::size_t at = 1; at < length; ++at) {
        if (!continues(text[at]))
            return 0;
    }
    const unsigned second = byte(1);
    const bool overlong = (first == 0xe0 && second < 0xa0) || (first == 0xf0 && second < 0x90);
    const bool beyond = (first == 0xed && second > 0x9f) || (first == 0xf4 && second > 0x8f);
    return overlong || beyond ? 0 : length;
}

char32_t codePoint(std::string_view character)
{
    const auto first = static_cast<unsigned char>(character.front());
    char32_t code = character.size() == 1   ? first
                    : character.size() == 2 ? first & 0x1fU
                    : character.size() == 3 ? first & 0x0fU
                                            : first & 0x07U;
    for (const char next : character.substr(1))
        code = code << 6 | (static_cast<unsigned char>(next) & 0x3fU);
    return code;
}

bool isControl(std::string_view character)
{
    return isIn(codePoint(character), kControls);
}

std::string printable(std::string_view text)
{
    std::string shown;
    shown.reserve(text.size());
    while (!text.empty()) {
        const std::size_t length = characterLength(text);
        if (length == 0)
            shown += "\xef\xbf\xbd"; // U+FFFD
        else if (isControl(text.substr(0, length)))
            shown += '?';
        else
            shown += text.substr(0, length);
        text.remove_prefix(std::max<std::size_t>(length, 1));
    }
    return shown;
}

std::size_t characters(std::string_view text)
{
    return text.size() - static_cast<std::size_t>(std::ranges::count_if(text, continues));
}

std::string_view firstBytes(std::string_view text, std::size_t most)
{
    return text.substr(0, text.size() <= most ? text.size() : startOf(text, most));
}

std::string_view lastBytes(std::string_view text, std::size_t most)
{
    if (text.size() <= most)
        return text;
    std::size_t at = text.size() - most;
    for (int tail = 0; tail < 3 && at < text.size() && continues(text[at]); ++tail)
        ++at;
    const std::size_t start = at;
    for (int mark = 0; mark < kMostMarks && marksBefore(text, at); ++mark)
        at += characterLength(text.substr(at));
    return text.substr(marksBefore(text, at) ? start : at);
}

std::string excerpt(std::string_view text, std::size_t most)
{
    return printable(firstBytes(text, most));
}

std::string elided(std::string_view text, std::size_t width)
{
    const std::vector<std::size_t> starts = startsOf(text);
    if (starts.size() <= width || width < 3)
        return std::string(text);
    // The end is more informative (file and line) than the beginning.
    const std::size_t head = (width - 1) / 3;
    const std::size_t tail = width - 1 - head;
    return std::string(firstBytes(text, starts[head])) + "…" +
           std::string(lastBytes(text, text.size() - starts[starts.size() - tail]));
}

std::string shortened(std::string_view text, std::size_t width)
{
    const std::vector<std::size_t> starts = startsOf(text);
    if (starts.size() <= width || width < 1)
        return std::string(text);
    return std::string(firstBytes(text, starts[width - 1])) + "…";
}

std::string lowered(std::string_view text)
{
    std::string lower(text);
    for (char &c : lower) {
        if (c >= 'A' && c <= 'Z')
            c = static_cast<char>(c - 'A' + 'a');
    }
    return lower;
}

std::string_view trimmed(std::string_view text)
{
    constexpr std::string_view kBlanks = " \t\r\n";
    const std::size_t first = text.find_first_not_of(kBlanks);
    if (first == text.npos)
        return {};
    return text.substr(first, text.find_last_not_of(kBlanks) - first + 1);
}

} // namespace vramscope
