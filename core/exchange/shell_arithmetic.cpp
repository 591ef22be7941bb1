// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/shell_arithmetic.h"

#include <charconv>
#include <limits>

namespace vramscope {

namespace {

using Number = std::optional<std::int64_t>;

constexpr int kDeepestNesting = 32;

bool isWordCharacter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

Number applied(char sign, std::int64_t left, std::int64_t right)
{
    std::int64_t result = 0;
    bool fails = false;
    switch (sign) {
    case '+':
        fails = __builtin_add_overflow(left, right, &result);
        break;
    case '-':
        fails = __builtin_sub_overflow(left, right, &result);
        break;
    case '*':
        fails = __builtin_mul_overflow(left, right, &result);
        break;
    default:
        fails = right == 0 || (right == -1 && left == std::numeric_limits<std::int64_t>::min());
        if (!fails)
            result = sign == '/' ? left / right : left % right;
    }
    return fails ? Number() : result;
}

/// A recursive descent over the expression; nothing once a step has failed.
class Expression
{
public:
    Expression(std::string_view text, const std::function<std::string(std::string_view)> &valueOf)
        : m_text(text)
        , m_valueOf(valueOf)
    {
    }

    Number value()
    {
        const Number sum = chain("+-", 0);
        skip();
        return m_text.empty() ? sum : Number();
    }

private:
    void skip()
    {
        m_text.remove_prefix(std::min(m_text.find_first_not_of(" \t\n"), m_text.size()));
    }

    /// Operands joined by one of `signs`: a sum of products of primaries.
    Number chain(std::string_view signs, int depth)
    {
        const bool sum = signs == "+-";
        const auto operand = [&] { return sum ? chain("*/%", depth) : primary(depth); };
        Number left = operand();
        for (skip(); left && !m_text.empty() && signs.find(m_text[0]) != signs.npos; skip()) {
            const char sign = m_text[0];
            m_text.remove_prefix(1);
            const Number right = operand();
            left = right ? applied(sign, *left, *right) : Number();
        }
        return left;
    }

    Number primary(int depth)
    {
        skip();
        if (m_text.starts_with('(') && depth < kDeepestNesting) {
            m_text.remove_prefix(1);
            const Number inside = chain("+-", depth + 1);
            skip();
            if (!m_text.starts_with(')'))
                return {};
            m_text.remove_prefix(1);
            return inside;
        }
        const bool braces = m_text.starts_with("${");
        m_text.remove_prefix(braces ? 2 : m_text.starts_with('$') ? 1 : 0);
        std::size_t length = 0;
        while (length < m_text.size() && isWordCharacter(m_text[length]))
            ++length;
        std::string word(m_text.substr(0, length));
        m_text.remove_prefix(length);
        if (braces && !m_text.starts_with('}'))
            return {};
        m_text.remove_prefix(braces ? 1 : 0);
        const bool isName = !word.empty() && (word[0] < '0' || word[0] > '9');
        if (isName)
            word = m_valueOf(word);
        std::int64_t number = 0;
        const auto [end, status] = std::from_chars(word.data(), word.data() + word.size(), number);
        return status == std::errc() && end == word.data() + word.size() ? Number(number)
                                                                         : Number();
    }

    std::string_view m_text;
    const std::function<std::string(std::string_view)> &m_valueOf;
};

} // namespace

std::optional<std::int64_t> evaluated(std::string_view expression,
                                      const std::function<std::string(std::string_view)> &valueOf)
{
    return Expression(expression, valueOf).value();
}

} // namespace vramscope
