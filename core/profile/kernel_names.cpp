// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/kernel_names.h"

#include "core/base/text.h"

#include <algorithm>

namespace vramscope {

namespace {

bool isWordCharacter(char c)
{
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/// Whether an argument of a template may begin behind this.
bool beginsArgument(char before)
{
    return before == '<' || before == ',';
}

/// Where the bracket that closes at `close` opened; npos: nowhere.
std::size_t openingOf(std::string_view text, std::size_t close, char open, char shut)
{
    int depth = 0;
    for (std::size_t at = close + 1; at-- > 0;) {
        // The arrow of operator-> and of a type behind a function closes nothing.
        if (text[at] == shut && !(shut == '>' && at > 0 && text[at - 1] == '-'))
            ++depth;
        else if (text[at] == open && --depth == 0)
            return at;
    }
    return std::string_view::npos;
}

/// Without blanks, and with one name for what is in no namespace.
std::string squeezed(std::string_view name)
{
    constexpr std::string_view kUnnamed = "<unnamed>";
    std::string text;
    for (std::size_t at = 0; at < name.size(); ++at) {
        if (name.substr(at).starts_with(kUnnamed)) {
            text += "(anonymousnamespace)";
            at += kUnnamed.size() - 1;
        } else if (name[at] != ' ' && name[at] != '\t') {
            text += name[at];
        }
    }
    return text;
}

/// Length of a cast before a number, "(unsignedlong)"; 0 where none begins here.
std::size_t castLength(std::string_view text)
{
    const std::size_t close = text.find_first_of("(),<>", 1);
    if (!text.starts_with('(') || close == std::string_view::npos || close < 2 ||
        text[close] != ')' || close + 1 >= text.size())
        return 0;
    const char next = text[close + 1];
    return isWordCharacter(next) || next == '-' ? close + 1 : 0;
}

/// One word for one value among the arguments of templates.
std::string plainValue(std::string_view word)
{
    if (word == "true" || word == "false")
        return word == "true" ? "1" : "0";
    const std::size_t digits = std::min(word.find_first_not_of("0123456789"), word.size());
    const bool isSuffixed =
        digits > 0 && word.find_first_not_of("uUlL", digits) == std::string_view::npos;
    return std::string(isSuffixed ? word.substr(0, digits) : word);
}

std::string withPlainValues(std::string_view text)
{
    std::string plain;
    for (std::size_t at = 0; at < text.size();) {
        const char before = plain.empty() ? '\0' : plain.back();
        if (beginsArgument(before))
            at += castLength(text.substr(at));
        if (!isWordCharacter(text[at])) {
            plain += text[at++];
            continue;
        }
        const auto *end = std::find_if_not(text.begin() + static_cast<std::ptrdiff_t>(at),
                                           text.end(), isWordCharacter);
        const auto stop = static_cast<std::size_t>(end - text.begin());
        const std::string_view word = text.substr(at, stop - at);
        plain += beginsArgument(before) || before == '-' ? plainValue(word) : std::string(word);
        at = stop;
    }
    return plain;
}

} // namespace

KernelNameKey kernelNameKey(std::string_view name)
{
    constexpr std::string_view kVoid = "void ";
    name = trimmed(name);
    if (name.starts_with(kVoid))
        name.remove_prefix(kVoid.size());
    KernelNameKey key;
    key.whole = squeezed(name);
    if (key.whole.ends_with(')')) {
        const std::size_t open = openingOf(key.whole, key.whole.size() - 1, '(', ')');
        if (open != std::string::npos && open > 0)
            key.whole.erase(open);
    }
    key.whole = withPlainValues(key.whole);
    std::string_view base = key.whole;
    if (base.ends_with('>')) {
        const std::size_t open = openingOf(base, base.size() - 1, '<', '>');
        if (open != std::string_view::npos && open > 0)
            base = base.substr(0, open);
    }
    if (const std::size_t scope = base.rfind("::"); scope != std::string_view::npos)
        base = base.substr(scope + 2);
    key.base = base;
    return key;
}

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
