// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"
#include "core/planner/estimate.h"

#include <array>
#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// The named moments in order of time; also bits of a MomentSet. Load to Rest are those of a
/// training step, Load, Profile, Serve and Rest those of serving.
enum class At {
    Load,
    Forward,
    Loss,
    FirstBackward,
    LastBackward,
    EndOfBackward,
    Step,
    Profile,
    Serve,
    Rest
};
inline constexpr std::size_t kMomentCount = 10;
inline constexpr std::array<std::string_view, kMomentCount> kMomentNames = {"load",
                                                                            "forward",
                                                                            "loss",
                                                                            "first backward block",
                                                                            "last backward block",
                                                                            "end of backward",
                                                                            "optimizer step",
                                                                            "profile run",
                                                                            "serving",
                                                                            "at rest"};

/// Any of the moments.
class MomentSet
{
public:
    constexpr MomentSet() = default;
    constexpr MomentSet(std::initializer_list<At> moments)
    {
        for (const At at : moments)
            m_bits |= bit(at);
    }
    [[nodiscard]] constexpr bool contains(At at) const { return m_bits & bit(at); }
    [[nodiscard]] constexpr MomentSet operator|(MomentSet other) const
    {
        other.m_bits |= m_bits;
        return other;
    }

private:
    static constexpr unsigned bit(At at) { return 1U << static_cast<unsigned>(at); }
    unsigned m_bits = 0;
};

inline constexpr MomentSet kForwardToBackward = {At::Forward, At::Loss, At::FirstBackward,
                                                 At::LastBackward, At::EndOfBackward};
inline constexpr MomentSet kWholeStep = kForwardToBackward | MomentSet{At::Step, At::Rest};

/// A formula's text: symbols, " = ", and the symbols again with `{}` where a number stands.
struct FormulaText
{
    std::string_view pattern;
    std::initializer_list<std::int64_t> numbers;
};

/// Where a figure is from and how sure it is.
struct Origin
{
    std::string_view source;
    Evidence evidence = Evidence::Derived;
    double spread = 0;
};

/// One line of the ledger. `firstStep`: the moments of the first step at which it is there already.
struct Entry
{
    Category category;
    std::string_view name;
    Exact bytes;
    MomentSet when;
    MomentSet firstStep;
    Origin origin;
    std::int64_t sharded = 1;
};

/// Collects the parts of one rank's memory and adds them up per moment. Without texts it only adds
/// (pipeline stages that are not shown).
class Ledger
{
public:
    explicit Ledger(bool texts)
        : m_texts(texts)
    {
    }

    /// A part that is there at the same moments in every step.
    void add(Category category, std::string_view name, Exact bytes, MomentSet when, Origin origin,
             FormulaText formula, std::int64_t sharded = 1);
    /// A part whose formula is put together elsewhere.
    void add(const Entry &entry, std::string formula);
    void add(const Entry &entry, FormulaText formula);

    [[nodiscard]] bool texts() const { return m_texts; }
    [[nodiscard]] Exact total(At at) const { return m_totals[static_cast<std::size_t>(at)]; }
    [[nodiscard]] Exact firstStepTotal(At at) const
    {
        return m_firstTotals[static_cast<std::size_t>(at)];
    }
    /// The moment with its components, by category; those of the same name are an error of the
    /// formulas.
    [[nodiscard]] Moment moment(At at) const;

private:
    struct Line
    {
        Component component;
        MomentSet when;
    };
    void count(const Entry &entry);

    bool m_texts;
    std::vector<Line> m_lines;
    std::array<Exact, kMomentCount> m_totals{};
    std::array<Exact, kMomentCount> m_firstTotals{};
};

/// A whole number with commas between thousands, appended to `text`.
void appendCount(std::string &text, std::int64_t count);

/// The pattern with its numbers put in.
[[nodiscard]] std::string fill(const FormulaText &formula);

} // namespace vramscope
