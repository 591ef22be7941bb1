// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/name_pattern.h"

#include "core/base/text.h"

#include <algorithm>

namespace vramscope {

namespace {

/// The texts that an alternative stands for: each optional character there and not there. Empty
/// where there would be too many, or where nothing stands before a "?".
std::vector<std::string> withOptionals(std::string_view text)
{
    std::vector<std::string> texts{""};
    for (std::size_t at = 0; at < text.size(); ++at) {
        if (text[at] == '?')
            return {};
        const bool isOptional = at + 1 < text.size() && text[at + 1] == '?';
        const std::size_t count = texts.size();
        if (isOptional && count * 2 > NamePattern::kMostAlternatives)
            return {};
        for (std::size_t each = 0; each < count; ++each) {
            if (isOptional)
                texts.push_back(texts[each]);
            texts[each] += text[at];
        }
        at += isOptional ? 1 : 0;
    }
    return texts;
}

std::vector<std::string> partsOf(std::string_view text)
{
    std::vector<std::string> parts;
    while (true) {
        const std::size_t star = text.find('*');
        parts.emplace_back(text.substr(0, star));
        if (star == text.npos)
            return parts;
        text.remove_prefix(star + 1);
    }
}

} // namespace

Result<NamePattern> NamePattern::compiled(std::string_view pattern)
{
    NamePattern result;
    const std::string small = lowered(pattern);
    std::string_view rest = small;
    while (true) {
        const std::size_t bar = rest.find('|');
        std::string_view one = rest.substr(0, bar);
        const bool isTied = one.starts_with('^');
        one.remove_prefix(isTied ? 1 : 0);
        if (one.empty() && !pattern.empty())
            return invalid("the pattern \"" + excerpt(pattern, 80) + "\" has an empty alternative");
        const std::vector<std::string> texts = withOptionals(one);
        if (texts.empty() || result.m_alternatives.size() + texts.size() > kMostAlternatives)
            return invalid("the pattern \"" + excerpt(pattern, 80) +
                           "\" has too many alternatives, or a ? without a character before it");
        for (const std::string &text : texts)
            result.m_alternatives.push_back({isTied, partsOf(text)});
        if (bar == rest.npos)
            return result;
        rest.remove_prefix(bar + 1);
    }
}

bool NamePattern::occurs(const Alternative &alternative, std::string_view name)
{
    std::size_t from = 0;
    for (std::size_t at = 0; at < alternative.parts.size(); ++at) {
        const std::string &part = alternative.parts[at];
        if (at == 0 && alternative.isTied) {
            if (!name.starts_with(part))
                return false;
            from = part.size();
            continue;
        }
        const std::size_t found = name.find(part, from); // the first leaves most to the others
        if (found == name.npos)
            return false;
        from = found + part.size();
    }
    return true;
}

bool NamePattern::matchesLowered(std::string_view name) const
{
    return std::ranges::any_of(m_alternatives,
                               [&](const Alternative &each) { return occurs(each, name); });
}

} // namespace vramscope
