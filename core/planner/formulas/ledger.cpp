// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/formulas/ledger.h"

#include <algorithm>
#include <charconv>

namespace vramscope {

void appendCount(std::string &text, std::int64_t count)
{
    std::array<char, 24> digits;
    const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), count).ptr;
    const char *at = digits.data();
    if (count < 0)
        text += *at++;
    for (; at != end; ++at) {
        text += *at;
        const auto left = end - at - 1;
        if (left > 0 && left % 3 == 0)
            text += ',';
    }
}

std::string fill(const FormulaText &formula)
{
    std::string text;
    text.reserve(formula.pattern.size() + formula.numbers.size() * 12);
    std::string_view rest = formula.pattern;
    for (const std::int64_t number : formula.numbers) {
        const std::size_t hole = rest.find("{}");
        text += rest.substr(0, hole);
        appendCount(text, number);
        rest.remove_prefix(hole + 2);
    }
    text += rest;
    return text;
}

void Ledger::count(const Entry &entry)
{
    for (std::size_t i = 0; i < kMomentCount; ++i) {
        const At at = static_cast<At>(i);
        if (entry.when.contains(at))
            m_totals[i] += entry.bytes;
        if (entry.firstStep.contains(at))
            m_firstTotals[i] += entry.bytes;
    }
}

void Ledger::add(const Entry &entry, std::string formula)
{
    if (entry.bytes == 0)
        return;
    count(entry);
    if (!m_texts)
        return;
    m_lines.push_back({{entry.category, std::string(entry.name), entry.bytes.value(),
                        std::move(formula), std::string(entry.origin.source), entry.origin.evidence,
                        entry.origin.spread, entry.sharded},
                       entry.when});
}

void Ledger::add(const Entry &entry, FormulaText formula)
{
    add(entry, m_texts && entry.bytes != 0 ? fill(formula) : std::string());
}

void Ledger::add(Category category, std::string_view name, Exact bytes, MomentSet when,
                 Origin origin, FormulaText formula, std::int64_t sharded)
{
    add(Entry{category, name, bytes, when, when, origin, sharded}, formula);
}

Moment Ledger::moment(At at) const
{
    Moment moment;
    moment.name = kMomentNames[static_cast<std::size_t>(at)];
    moment.allocated = total(at).value();
    moment.components.reserve(m_lines.size());
    for (const Line &line : m_lines)
        if (line.when.contains(at))
            moment.components.push_back(line.component);
    std::ranges::stable_sort(moment.components, {}, &Component::category);
    return moment;
}

} // namespace vramscope
