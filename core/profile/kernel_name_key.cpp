// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/kernel_name_key.h"

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

} // namespace vramscope
