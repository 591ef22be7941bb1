// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"
#include "core/estimate/estimate.h"
#include "core/estimate/stream.h"
#include "core/settings/schedules/course.h"

#include <algorithm>
#include <array>
#include <cassert>
#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The numbers of a formula by value, so that a formula may be kept and passed on.
class FormulaNumbers
{
public:
    template<std::convertible_to<std::int64_t>... Numbers>
    constexpr FormulaNumbers(Numbers... numbers)
        : m_values{numbers...}
        , m_count(sizeof...(numbers))
    {
        static_assert(sizeof...(numbers) <= kMost);
    }

    [[nodiscard]] std::span<const std::int64_t> all() const
    {
        return std::span(m_values).first(m_count);
    }

private:
    static constexpr std::size_t kMost = 16;
    std::array<std::int64_t, kMost> m_values;
    std::size_t m_count;
};

/// A formula's text: symbols, " = ", and the symbols again with `{}` for each number.
struct FormulaText
{
    std::string_view pattern; ///< a literal
    FormulaNumbers numbers;
};

/// A factor of a product: a number, or one that is divided and rounded up, "⌈4,096 / 8⌉".
struct Factor
{
    constexpr Factor(std::int64_t whole = 1)
        : number(whole)
    {
    }
    constexpr Factor(Exact whole)
        : number(whole)
    {
    }

    [[nodiscard]] constexpr Exact value() const
    {
        return divisor > 0 ? dividedUp(number, divisor) : number;
    }

    Exact number;
    std::int64_t divisor = 0;
};
[[nodiscard]] constexpr Factor over(Exact number, std::int64_t divisor)
{
    Factor factor = number;
    factor.divisor = divisor;
    return factor;
}

/// A formula that computes its bytes and prints itself: {"{} V h", {2, vocab, hidden}} is the
/// product of the factors, "2 V h = 2 × 128,256 × 4,096". Each `{}` of the symbols is one
/// of the first factors.
class Product
{
public:
    Product(std::string_view symbols, std::initializer_list<Factor> factors)
        : m_symbols(symbols)
        , m_count(factors.size())
    {
        assert(m_count <= m_factors.size());
        std::ranges::copy(factors, m_factors.begin());
    }

    [[nodiscard]] Exact bytes() const;
    [[nodiscard]] std::string text() const;

private:
    [[nodiscard]] std::span<const Factor> factors() const
    {
        return std::span(m_factors).first(m_count);
    }

    std::string_view m_symbols; ///< a literal
    std::array<Factor, 5> m_factors;
    std::size_t m_count;
};

/// Where a figure is from and how sure it is.
struct Origin
{
    std::string_view source;
    Evidence evidence = Evidence::Derived;
    double spread = 0;
};

/// The source of a constant: the recording that it was taken from (Settings::calibrated), else
/// `origin`.
[[nodiscard]] inline Origin calibratedOr(std::string_view recording, const Origin &origin)
{
    return recording.empty() ? origin : Origin{recording, Evidence::Sourced};
}

/// One line of the ledger: `bytes` at most, in the phases of a steady step in `when`, in the first
/// step in those in `firstStep`; `course` says how it changes from block to block.
struct Entry
{
    Category category;
    std::string_view name;
    Exact bytes;
    PhaseSet when;
    PhaseSet firstStep;
    Origin origin;
    std::int64_t sharded = 1;
    Course course{};
    Stream stream = Stream::Compute;

    /// The bytes at a position of a steady step or of the first one.
    [[nodiscard]] Exact at(const Position &position, bool first) const;
};

/// Collects the parts of one rank's memory and adds them up at the positions it was made for.
/// Without texts it only adds (pipeline stages and plans that are compared, not shown).
class Ledger
{
public:
    Ledger(std::vector<Position> positions, bool texts);

    /// A part that exists in the same phases of every step.
    void add(Category category, std::string_view name, Exact bytes, PhaseSet when, Origin origin,
             FormulaText formula, std::int64_t sharded = 1, Course course = {});
    void add(Category category, std::string_view name, const Product &bytes, PhaseSet when,
             Origin origin, std::int64_t sharded = 1, Course course = {});
    /// A part whose formula is assembled elsewhere.
    void add(const Entry &entry, std::string formula);
    void add(const Entry &entry, FormulaText formula);

    /// Where parts are added from now on, unless they say otherwise. See OnStream.
    void setStream(Stream stream) { m_stream = stream; }
    [[nodiscard]] Stream stream() const { return m_stream; }
    /// A side stream has so much at some time between the positions.
    void hold(Stream side, Exact bytes);

    /// From now on loading is a moment of its own, even where another uses more.
    void nameLoading() { m_namesLoading = true; }

    [[nodiscard]] bool namesLoading() const { return m_namesLoading; }
    [[nodiscard]] bool texts() const { return m_texts; }
    [[nodiscard]] std::span<const Position> positions() const { return m_positions; }
    /// Allocated bytes at each position of a steady step, and of the first one.
    [[nodiscard]] std::span<const Exact> totals() const { return m_totals; }
    [[nodiscard]] std::span<const Exact> firstStepTotals() const { return m_firstTotals; }
    /// The part of a total that is on side streams.
    [[nodiscard]] Exact aside(std::size_t position, bool first) const;
    /// The most that a side stream has at any time.
    [[nodiscard]] Exact most(Stream side) const;
    /// What the side streams keep: the most that each of them has.
    [[nodiscard]] Exact kept() const;
    /// Holds what the side streams of another ledger keep.
    void holdOf(const Ledger &other);
    /// The total at the first position of a phase; 0 where it is not among them.
    [[nodiscard]] Exact total(StepPhase phase) const;

    /// Every part that exists at some time, by category in the order of adding.
    struct Line
    {
        Component component; ///< with the line's largest bytes
        Entry entry;
    };
    [[nodiscard]] std::span<const Line> lines() const { return m_lines; }
    /// The parts at a position of a steady step, by category.
    [[nodiscard]] std::vector<Component> componentsAt(const Position &position) const;

private:
    /// Adjacent positions of one phase.
    struct PhaseRun
    {
        StepPhase phase;
        std::size_t begin;
        std::size_t end;
    };
    /// Totals of a stream other than the one that computes; without positions until it has a part.
    struct Side
    {
        std::vector<Exact> totals, firstTotals;
        Exact held;
        [[nodiscard]] Exact most() const;
    };
    void count(const Entry &entry);
    [[nodiscard]] Side &side(Stream stream);

    bool m_texts;
    bool m_namesLoading = false;
    Stream m_stream = Stream::Compute;
    std::array<Side, kStreams - 1> m_sides; ///< of all but the first stream
    std::vector<Position> m_positions;
    std::vector<PhaseRun> m_runs;
    std::vector<Exact> m_totals;
    std::vector<Exact> m_firstTotals;
    std::vector<Line> m_lines;
};

/// While it lives, parts are added on a stream.
class OnStream
{
public:
    OnStream(Ledger &ledger, Stream stream)
        : m_ledger(ledger)
        , m_before(ledger.stream())
    {
        ledger.setStream(stream);
    }
    ~OnStream() { m_ledger.setStream(m_before); }
    OnStream(const OnStream &) = delete;
    OnStream &operator=(const OnStream &) = delete;

private:
    Ledger &m_ledger;
    Stream m_before;
};

struct Settings;
/// The pages of the weights' files that a plan counts together with the weights while they load:
/// not the allocator's, but in the memory shared with the host.
void addPageCache(const Settings &settings, Ledger &ledger);

/// A whole number with commas between thousands, appended to `text`.
void appendCount(std::string &text, std::int64_t count);

/// The pattern with its numbers put in.
[[nodiscard]] std::string fill(const FormulaText &formula);

} // namespace vramscope
