// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/plain_name.h"

#include "core/base/text.h"

namespace vramscope {

namespace {

/// Names nest less deeply; a hostile one is left as it is from there on.
constexpr int kMostPasses = 1000;

void removeAll(std::string &text, std::string_view part)
{
    for (std::size_t at = text.find(part); at != text.npos; at = text.find(part, at))
        text.erase(at, part.size());
}

/// Without the innermost brackets: "<…>" that hold no angle bracket, "(…)" that hold no round one.
std::string withoutInnermost(std::string_view text)
{
    std::string rest;
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool isAngle = text[at] == '<';
        if (isAngle || text[at] == '(') {
            const std::size_t next = text.find_first_of(isAngle ? "<>" : "()", at + 1);
            if (next != text.npos && text[next] == (isAngle ? '>' : ')')) {
                at = next;
                continue;
            }
        }
        rest += text[at];
    }
    return rest;
}

bool isBlank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

std::string_view withoutBlanks(std::string_view text)
{
    while (!text.empty() && isBlank(text.front()))
        text.remove_prefix(1);
    while (!text.empty() && isBlank(text.back()))
        text.remove_suffix(1);
    return text;
}

std::string_view withoutQualifier(std::string_view text)
{
    for (const std::string_view word : {"void", "static", "__global__"}) {
        if (!text.starts_with(word) || text.size() == word.size() || !isBlank(text[word.size()]))
            continue;
        text.remove_prefix(word.size());
        while (!text.empty() && isBlank(text.front()))
            text.remove_prefix(1);
        return text;
    }
    return text;
}

std::size_t digitsEnd(std::string_view text, std::size_t at)
{
    while (at < text.size() && isDigit(text[at]))
        ++at;
    return at;
}

/// A run of numbers that begins at a place: "_12", "128x64", "_64_3x3".
struct NumberRun
{
    std::size_t end = 0; ///< where it ends as long as it goes
    std::size_t cut = 0; ///< its last end before "_" or the end of the text; 0: none
};

NumberRun numbersAt(std::string_view text, std::size_t at)
{
    NumberRun run{at, 0};
    const auto endsAt = [&](std::size_t end) {
        run.end = end;
        if (end == text.size() || text[end] == '_')
            run.cut = end;
    };
    while (true) {
        const std::size_t first = run.end + (run.end < text.size() && text[run.end] == '_' ? 1 : 0);
        const std::size_t digits = digitsEnd(text, first);
        if (digits == first)
            return run;
        endsAt(digits);
        while (run.end < text.size() && text[run.end] == 'x') {
            const std::size_t next = digitsEnd(text, run.end + 1);
            if (next == run.end + 1)
                break;
            endsAt(next);
        }
    }
}

std::string withoutNumbers(std::string_view text)
{
    std::string rest;
    for (std::size_t at = 0; at < text.size();) {
        const NumberRun run = numbersAt(text, at);
        if (run.cut > at) {
            at = run.cut;
            continue;
        }
        const std::size_t kept = std::max(run.end, at + 1);
        rest += text.substr(at, kept - at);
        at = kept;
    }
    return rest;
}

} // namespace

std::string plainName(std::string_view name)
{
    std::string text(name);
    removeAll(text, "(anonymous namespace)");
    for (int depth = 0; depth < kMostPasses; ++depth) {
        std::string rest = withoutInnermost(text);
        if (rest.size() == text.size())
            break;
        text = std::move(rest);
    }
    std::string plain = withoutNumbers(withoutQualifier(withoutBlanks(text)));
    return plain.empty() ? std::string(name) : plain;
}

} // namespace vramscope
