// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/ledger.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

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
    const std::span<const std::int64_t> numbers = formula.numbers.all();
    text.reserve(formula.pattern.size() + numbers.size() * 12);
    std::string_view rest = formula.pattern;
    for (const std::int64_t number : numbers) {
        const std::size_t hole = rest.find("{}");
        text += rest.substr(0, hole);
        appendCount(text, number);
        rest.remove_prefix(hole + 2);
    }
    text += rest;
    return text;
}

Exact Product::bytes() const
{
    Exact product = 1;
    for (const Factor &factor : factors())
        product *= factor.value();
    return product;
}

std::string Product::text() const
{
    std::string text;
    std::string_view rest = m_symbols;
    for (const Factor &factor : factors()) {
        const std::size_t hole = rest.find("{}");
        if (hole == rest.npos)
            break;
        text += rest.substr(0, hole);
        appendCount(text, factor.number.value());
        rest.remove_prefix(hole + 2);
    }
    text += rest;
    std::string_view joint = " = ";
    for (const Factor &factor : factors()) {
        text += joint;
        joint = " × ";
        text += factor.divisor > 0 ? "⌈" : "";
        appendCount(text, factor.number.value());
        if (factor.divisor == 0)
            continue;
        text += " / ";
        appendCount(text, factor.divisor);
        text += "⌉";
    }
    return text;
}

namespace {

/// Subtracts the blocks that have not run yet or are freed again: " - 31 × 1,024".
void appendMissing(std::string &formula, const Course &course, const Position &position)
{
    formula += " - ";
    appendCount(formula, course.missing(position));
    formula += " × ";
    appendCount(formula, course.each.value());
}

} // namespace

Exact Entry::at(const Position &position, bool first) const
{
    if (!(first ? firstStep : when).contains(position.phase))
        return 0;
    return runsBlocks(position.phase) ? course.at(position, bytes) : bytes;
}

Ledger::Ledger(std::vector<Position> positions, bool texts)
    : m_texts(texts)
    , m_positions(std::move(positions))
    , m_totals(m_positions.size())
    , m_firstTotals(m_positions.size())
{
    for (std::size_t i = 0; i < m_positions.size(); ++i) {
        if (m_runs.empty() || m_runs.back().phase != m_positions[i].phase)
            m_runs.push_back({m_positions[i].phase, i, i});
        m_runs.back().end = i + 1;
    }
}

Exact Ledger::total(StepPhase phase) const
{
    const auto found = std::ranges::find(m_positions, phase, &Position::phase);
    return found == m_positions.end()
               ? Exact(0)
               : m_totals[static_cast<std::size_t>(found - m_positions.begin())];
}

Exact Ledger::Side::most() const
{
    Exact most = held;
    for (const std::vector<Exact> *step : {&totals, &firstTotals})
        if (!step->empty())
            most = std::max(most, std::ranges::max(*step));
    return most;
}

Ledger::Side &Ledger::side(Stream stream)
{
    assert(stream != Stream::Compute);
    return m_sides[static_cast<std::size_t>(stream) - 1];
}

void Ledger::hold(Stream stream, Exact bytes)
{
    side(stream).held = std::max(side(stream).held, bytes);
}

void Ledger::holdOf(const Ledger &other)
{
    for (std::size_t i = 0; i < m_sides.size(); ++i)
        m_sides[i].held = std::max(m_sides[i].held, other.m_sides[i].most());
}

Exact Ledger::most(Stream stream) const
{
    return m_sides[static_cast<std::size_t>(stream) - 1].most();
}

Exact Ledger::kept() const
{
    Exact sum;
    for (const Side &side : m_sides)
        sum += side.most();
    return sum;
}

Exact Ledger::aside(std::size_t position, bool first) const
{
    Exact sum;
    for (const Side &side : m_sides) {
        const std::vector<Exact> &totals = first ? side.firstTotals : side.totals;
        if (!totals.empty())
            sum += totals[position];
    }
    return sum;
}

void Ledger::count(const Entry &entry)
{
    Side *aside = entry.stream == Stream::Compute ? nullptr : &side(entry.stream);
    if (aside != nullptr && aside->totals.empty()) {
        aside->totals.resize(m_positions.size());
        aside->firstTotals.resize(m_positions.size());
    }
    for (const PhaseRun &run : m_runs) {
        const bool steady = entry.when.contains(run.phase);
        const bool first = entry.firstStep.contains(run.phase);
        if (!steady && !first)
            continue;
        const bool changes = runsBlocks(run.phase) && entry.course.kind != Course::Kind::Steady;
        for (std::size_t i = run.begin; i < run.end; ++i) {
            const Exact bytes =
                changes ? entry.course.at(m_positions[i], entry.bytes) : entry.bytes;
            if (steady)
                m_totals[i] += bytes;
            if (first)
                m_firstTotals[i] += bytes;
            if (steady && aside != nullptr)
                aside->totals[i] += bytes;
            if (first && aside != nullptr)
                aside->firstTotals[i] += bytes;
        }
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
                       entry});
}

void Ledger::add(const Entry &entry, FormulaText formula)
{
    add(entry, m_texts && entry.bytes != 0 ? fill(formula) : std::string());
}

void Ledger::add(Category category, std::string_view name, Exact bytes, PhaseSet when,
                 Origin origin, FormulaText formula, std::int64_t sharded, Course course)
{
    add(Entry{category, name, bytes, when, when, origin, sharded, std::move(course), m_stream},
        formula);
}

void Ledger::add(Category category, std::string_view name, const Product &product, PhaseSet when,
                 Origin origin, std::int64_t sharded, Course course)
{
    const Exact bytes = product.bytes();
    add(Entry{category, name, bytes, when, when, origin, sharded, std::move(course), m_stream},
        m_texts && bytes != 0 ? product.text() : std::string());
}

std::vector<Component> Ledger::componentsAt(const Position &position) const
{
    struct Present
    {
        const Line *line;
        Bytes bytes;
    };
    std::vector<Present> present; // sorted before any text is copied
    present.reserve(m_lines.size());
    for (const Line &line : m_lines) {
        const Exact bytes = line.entry.at(position, false);
        if (bytes != 0)
            present.push_back({&line, bytes.value()});
    }
    std::ranges::stable_sort(present, {},
                             [](const Present &each) { return each.line->component.category; });
    std::vector<Component> components;
    components.reserve(present.size());
    for (const auto &[line, bytes] : present) {
        components.push_back(line->component);
        components.back().bytes = bytes;
        if (line->entry.bytes != bytes)
            appendMissing(components.back().formula, line->entry.course, position);
    }
    return components;
}

} // namespace vramscope
