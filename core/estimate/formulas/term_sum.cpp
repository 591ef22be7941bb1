// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/block_activations.h"

#include <algorithm>
#include <cstdlib>

namespace vramscope {

void TermSum::add(std::int64_t coefficient, std::string_view symbol, std::int64_t value,
                  std::int64_t divisor, bool rows)
{
    if (coefficient == 0 || value == 0)
        return;
    for (Term &term : m_terms) {
        if (term.symbol == symbol && term.divisor == divisor && term.rows == rows) {
            term.coefficient += coefficient;
            return;
        }
    }
    m_terms.push_back({coefficient, symbol, value, divisor, rows});
}

TermSum &TermSum::operator+=(const TermSum &other)
{
    for (const Term &term : other.m_terms)
        add(term.coefficient, term.symbol, term.value, term.divisor, term.rows);
    return *this;
}

TermSum TermSum::minus(const TermSum &other) const
{
    TermSum difference = *this;
    difference += other.times(-1);
    std::erase_if(difference.m_terms, [](const Term &term) { return term.coefficient == 0; });
    return difference;
}

TermSum TermSum::times(std::int64_t factor) const
{
    TermSum product = *this;
    for (Term &term : product.m_terms)
        term.coefficient *= factor;
    return product;
}

TermSum TermSum::without(const TermSum &other) const
{
    TermSum rest = *this;
    for (const Term &gone : other.m_terms)
        for (Term &term : rest.m_terms)
            if (term.symbol == gone.symbol && term.divisor == gone.divisor &&
                term.rows == gone.rows)
                term.coefficient = std::max<std::int64_t>(term.coefficient - gone.coefficient, 0);
    std::erase_if(rest.m_terms, [](const Term &term) { return term.coefficient == 0; });
    return rest;
}

Exact TermSum::sum(bool rows) const
{
    Exact total;
    for (const Term &term : m_terms) {
        if (term.rows != rows)
            continue;
        const std::int64_t sign = term.coefficient < 0 ? -1 : 1;
        total += Exact(sign) * dividedUp(Exact(sign) * term.coefficient * term.value, term.divisor);
    }
    return total;
}

void TermSum::append(std::string &text, const Term &term, bool numbers)
{
    const bool divided = term.divisor > 1;
    if (numbers && divided)
        text += "⌈";
    appendCount(text, std::abs(term.coefficient));
    text += numbers ? " × " : " ";
    if (numbers)
        appendCount(text, term.value);
    else
        text += term.symbol;
    if (!divided)
        return;
    text += " / ";
    if (numbers)
        appendCount(text, term.divisor);
    else
        text += 't';
    if (numbers)
        text += "⌉";
}

bool TermSum::allGone(bool rows) const
{
    return std::ranges::all_of(
        m_terms, [rows](const Term &term) { return term.rows != rows || term.coefficient < 0; });
}

/// Negative terms follow positive ones. If all are negative, the sign precedes the parentheses.
void TermSum::append(std::string &text, bool rows, bool numbers) const
{
    const bool turned = allGone(rows);
    bool first = true;
    for (const bool gone : {false, true}) {
        for (const Term &term : m_terms) {
            if (term.rows != rows || (term.coefficient < 0) != gone)
                continue;
            if (!first)
                text += gone && !turned ? " - " : " + ";
            first = false;
            append(text, term, numbers);
        }
    }
}

std::string TermSum::formula(std::string_view factor, std::int64_t count, Exact tokens,
                             Exact rows) const
{
    std::string text;
    text.reserve(160);
    const bool perTokens = perToken() != 0;
    const bool perRows = perRow() != 0;
    for (const bool numbers : {false, true}) {
        if (numbers) {
            text += " = ";
            if (!factor.empty()) {
                appendCount(text, count);
                text += " × ";
            }
        } else if (!factor.empty()) {
            text += factor;
            text += ' ';
        }
        if (!factor.empty() && perTokens && perRows)
            text += '(';
        if (perTokens) {
            text += '(';
            append(text, false, numbers);
            text += numbers ? ") × " : ") T";
            if (numbers)
                appendCount(text, tokens.value());
        }
        if (perTokens && perRows)
            text += allGone(true) ? " - " : " + ";
        if (perRows) {
            text += '(';
            append(text, true, numbers);
            text += numbers ? ") × " : ") R";
            if (numbers)
                appendCount(text, rows.value());
        }
        if (!factor.empty() && perTokens && perRows)
            text += ')';
    }
    return text;
}

} // namespace vramscope
