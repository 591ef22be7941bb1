// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/serving_logs/log_patterns.h"

#include "core/base/text.h"

#include <algorithm>
#include <cassert>
#include <charconv>

namespace vramscope {

namespace {

bool isBlankByte(char c)
{
    return c == ' ' || c == '\t';
}

bool isBar(char c)
{
    return isBlankByte(c) || c == '|' || c == ':';
}

bool isAsciiLetter(char c)
{
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
}

bool isDeviceNameCharacter(char c)
{
    return isAsciiLetter(c) || isDigit(c) || c == '_';
}

/// A hyphen does within a name, HTP0-REPACK.
bool goesOnInDeviceName(char c)
{
    return isDeviceNameCharacter(c) || c == '-';
}

std::size_t digitsAt(std::string_view line, std::size_t at)
{
    const std::size_t begin = at;
    while (at < line.size() && isDigit(line[at]))
        ++at;
    return at - begin;
}

/// Reads a number and gives what lies behind it; nothing where none begins here. A comma belongs
/// to it only where three digits and no more follow.
std::optional<ShapeNumber> numberAt(std::string_view line, std::size_t begin)
{
    constexpr std::size_t kLongest =
        40; // no log prints more: what is longer is none of its numbers
    std::string digits;
    std::size_t at = begin;
    if (at < line.size() && line[at] == '-')
        digits += line[at++];
    const std::size_t first = digitsAt(line, at);
    if (first == 0 || first > kLongest)
        return {};
    digits += line.substr(at, first);
    at += first;
    while (first <= 3 && at < line.size() && line[at] == ',' && digitsAt(line, at + 1) == 3 &&
           digits.size() < kLongest) {
        digits += line.substr(at + 1, 3);
        at += 4;
    }
    ShapeNumber number;
    const std::size_t decimals = at < line.size() && line[at] == '.' ? digitsAt(line, at + 1) : 0;
    if (decimals > 0 && decimals <= kLongest) {
        digits += line.substr(at, decimals + 1);
        at += decimals + 1;
        number.decimals = static_cast<int>(decimals);
    }
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), number.value);
    if (read.ec != std::errc() || read.ptr != digits.data() + digits.size())
        return {};
    number.text = line.substr(begin, at - begin);
    number.at = begin;
    return number;
}

} // namespace

LogShape::LogShape(std::string_view shape)
{
    m_runs.emplace_back();
    while (!shape.empty()) {
        const char c = shape.front();
        if (c == ' ') {
            m_runs.back().push_back({Kind::Blanks, {}, false});
            shape.remove_prefix(1);
            continue;
        }
        if (c != '{' && c != '<') {
            const std::string_view text =
                shape.substr(0, std::min(shape.find_first_of(" {<"), shape.size()));
            if (text.size() > m_anchor.size())
                m_anchor = text;
            m_runs.back().push_back({Kind::Text, text, false});
            shape.remove_prefix(text.size());
            continue;
        }
        const std::size_t end = shape.find(c == '{' ? '}' : '>');
        assert(end != shape.npos);
        std::string_view inner = shape.substr(1, end - 1);
        shape.remove_prefix(end + 1);
        if (c == '{') {
            const bool hasUnit = inner.ends_with('?');
            inner.remove_suffix(hasUnit ? 1 : 0);
            m_runs.back().push_back({Kind::Number, inner, hasUnit});
        } else if (inner.starts_with('!')) {
            m_anchor = inner.substr(1);
        } else if (inner == "*") {
            m_runs.emplace_back();
        } else if (inner == "^") {
            m_atBegin = true;
        } else if (inner == "@") {
            m_runs.back().push_back({Kind::Device, {}, false});
        } else if (inner == "|") {
            m_runs.back().push_back({Kind::Bars, {}, false});
        } else {
            assert(inner.starts_with('='));
            m_runs.back().push_back({Kind::Words, inner.substr(1), false});
        }
    }
    assert(!m_anchor.empty());
}

bool LogShape::take(const Part &part, const Part *next, std::string_view line, std::size_t &at,
                    ShapeMatch &match)
{
    const std::size_t begin = at;
    switch (part.kind) {
    case Kind::Text:
        if (line.substr(at, part.text.size()) != part.text)
            return false;
        at += part.text.size();
        return true;
    case Kind::Blanks:
        while (at < line.size() && isBlankByte(line[at]))
            ++at;
        return at > begin;
    case Kind::Bars:
        while (at < line.size() && isBar(line[at]))
            ++at;
        return true;
    case Kind::Device:
        while (at < line.size() && (isDeviceNameCharacter(line[at]) ||
                                    (line[at] == '-' && at > begin && at + 1 < line.size() &&
                                     isDeviceNameCharacter(line[at + 1]))))
            ++at;
        match.device = line.substr(begin, at - begin);
        return at > begin;
    case Kind::Words: {
        const bool hasEnd = next && next->kind == Kind::Text;
        const std::size_t end = hasEnd ? line.find(next->text, at)
                                       : std::min(line.find_first_of(" \t,", at), line.size());
        if (end == line.npos || end == at)
            return false;
        match.words.push_back({part.text, line.substr(at, end - at)});
        at = end;
        return true;
    }
    case Kind::Number:
        break;
    }
    auto number = numberAt(line, at);
    if (!number)
        return false;
    at += number->text.size();
    number->key = part.text;
    if (part.hasUnit) {
        std::size_t unit = at;
        while (unit < line.size() && isBlankByte(line[unit]))
            ++unit;
        at = unit;
        while (at < line.size() && isAsciiLetter(line[at]))
            ++at;
        number->unit = line.substr(unit, at - unit);
        if (number->unit.empty())
            return false;
    }
    match.numbers.push_back(*number);
    return true;
}

bool LogShape::fits(const Run &run, std::string_view line, std::size_t at, ShapeMatch &match)
{
    const std::size_t numbers = match.numbers.size();
    const std::size_t words = match.words.size();
    const std::string_view device = match.device;
    for (std::size_t part = 0; part < run.size(); ++part) {
        const Part *next = part + 1 < run.size() ? &run[part + 1] : nullptr;
        if (!take(run[part], next, line, at, match)) {
            match.numbers.resize(numbers);
            match.words.resize(words);
            match.device = device;
            return false;
        }
    }
    match.end = at;
    return true;
}

bool LogShape::findRun(const Run &run, std::string_view line, std::size_t from, bool anchored,
                       ShapeMatch &match) const
{
    const auto fitsAt = [&](std::size_t at) {
        if (!fits(run, line, at, match))
            return false;
        match.begin = at;
        return true;
    };
    if (anchored || run.empty())
        return fitsAt(from);
    const Part &first = run.front();
    if (first.kind == Kind::Text) {
        for (std::size_t at = line.find(first.text, from); at != line.npos;
             at = line.find(first.text, at + 1))
            if (fitsAt(at))
                return true;
        return false;
    }
    // A run begins only where another one of its kind does not go on: each is tried once.
    const auto goesOn = first.kind == Kind::Blanks ? isBlankByte
                        : first.kind == Kind::Bars ? isBar
                                                   : goesOnInDeviceName;
    for (std::size_t at = from; at < line.size(); ++at)
        if ((at == from || !goesOn(line[at - 1])) && fitsAt(at))
            return true;
    return false;
}

std::optional<ShapeMatch> LogShape::find(std::string_view line, std::size_t from) const
{
    if (m_atBegin && from > 0)
        return {};
    ShapeMatch match;
    std::size_t begin = from;
    bool isFirst = true;
    for (const Run &run : m_runs) {
        if (!findRun(run, line, isFirst ? from : match.end, isFirst && m_atBegin, match))
            return {};
        begin = isFirst ? match.begin : begin;
        isFirst = false;
    }
    match.begin = begin;
    return match;
}

} // namespace vramscope
