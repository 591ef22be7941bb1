// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/own_document.h"

#include "core/base/report_mark.h"

#include <algorithm>

namespace vramscope {

namespace {

std::string_view behindBlanks(std::string_view text)
{
    return text.substr(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
}

/// The text after the string whose first letter begins `text`. The string ends at the latest with
/// its line: an unclosed one hides no more.
std::string_view behindString(std::string_view text)
{
    std::size_t at = 0;
    while (at < text.size() && text[at] != '"' && text[at] != '\n')
        at += text[at] == '\\' ? std::size_t(2) : 1;
    return text.substr(std::min(at + 1, text.size()));
}

/// The text after `"key":` among the members of the outermost object; empty if it has no such
/// member.
std::string_view valueOf(std::string_view json, std::string_view key)
{
    int depth = 0;
    while (!json.empty()) {
        const char c = json.front();
        json.remove_prefix(1);
        depth += c == '{' || c == '[' ? 1 : c == '}' || c == ']' ? -1 : 0;
        if (c != '"')
            continue;
        const std::string_view rest = behindString(json);
        const std::string_view behind = behindBlanks(rest);
        if (depth == 1 && json.starts_with(key) && json.substr(key.size()).starts_with('"') &&
            behind.starts_with(':'))
            return behindBlanks(behind.substr(1));
        json = rest;
    }
    return {};
}

} // namespace

OwnDocument ownDocument(std::string_view start)
{
    constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
    if (start.starts_with(kByteOrderMark))
        start.remove_prefix(kByteOrderMark.size());
    start = behindBlanks(start);
    if (looksLikeReport(start))
        return OwnDocument::Report;
    if (!start.starts_with('{'))
        return OwnDocument::None;
    const std::string_view value = valueOf(start, "vramscope");
    if (value.empty())
        return OwnDocument::None;
    return value.starts_with("\"session\"") ? OwnDocument::Session : OwnDocument::Plan;
}

} // namespace vramscope
