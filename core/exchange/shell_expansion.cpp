// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/shell_arithmetic.h"
#include "core/exchange/shell_reader.h"

#include <algorithm>

namespace vramscope {

ShellWordList ShellReader::valueOf(const std::string &name, const std::string &spelled) const
{
    const auto found = m_variables.find(name);
    return found != m_variables.end() ? found->second : ShellWordList{{'$' + spelled, m_line}};
}

/// The expansion after a '$': a name, a name in braces, arithmetic; a command stays unread.
ShellWordList ShellReader::expansion()
{
    next(); // the sign
    if (peek() == '{')
        return bracedExpansion();
    if (peek() == '(') {
        const std::string inside = skipParentheses();
        if (inside.starts_with("((") && inside.ends_with("))")) {
            const auto number =
                evaluated(std::string_view(inside).substr(2, inside.size() - 4),
                          [this](std::string_view name) -> std::string {
                              const auto found = m_variables.find(name);
                              return found != m_variables.end() && found->second.size() == 1
                                         ? found->second[0].text
                                         : std::string();
                          });
            if (number)
                return {{std::to_string(*number), m_line}};
        }
        return {{"$(…)", m_line}};
    }
    if (peek() == '@' || peek() == '*') {
        next();
        return {};
    }
    std::string name;
    while (!done() && isNameCharacter(peek()))
        name += next();
    return valueOf(name, name);
}

ShellWordList ShellReader::bracedExpansion()
{
    next(); // the brace
    const int line = m_line;
    std::string inside;
    for (int depth = 1; !done(); inside += next()) {
        depth += peek() == '{' ? 1 : peek() == '}' ? -1 : 0;
        if (depth == 0)
            break;
    }
    if (done()) {
        fail("\"${\" is not closed.");
        return {};
    }
    next();
    const std::size_t end = static_cast<std::size_t>(
        std::ranges::find_if_not(inside, isNameCharacter) - inside.begin());
    const std::string name = inside.substr(0, end);
    if (m_variables.contains(name))
        return valueOf(name, name);
    const std::size_t otherwise = inside.find('-', end);
    if (otherwise == std::string::npos || otherwise > end + 1)
        return {{"${" + inside + '}', line}};
    const std::string fallback = inside.substr(otherwise + 1);
    if (fallback.starts_with('$')) {
        std::string other = fallback.substr(1);
        std::erase_if(other, [](char c) { return c == '{' || c == '}'; });
        return valueOf(other, other);
    }
    return splitWords(fallback, line);
}

/// From an opening parenthesis to the one that closes it, both included.
std::string ShellReader::skipParentheses()
{
    std::string inside;
    int depth = 0;
    while (!done()) {
        depth += peek() == '(' ? 1 : peek() == ')' ? -1 : 0;
        inside += next();
        if (depth == 0)
            return inside;
    }
    fail("\"$(\" is not closed.");
    return {};
}

} // namespace vramscope
