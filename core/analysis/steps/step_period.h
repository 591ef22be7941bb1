// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/stack_rules.h"
#include "core/analysis/replayed/allocations.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/step_thresholds.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// What makes two tokens equal. Sizes differ between requests of changing length; then allocations
/// in a row from one stack differ by their place in the row.
enum class TokensOf { StacksAndSizes, Stacks };

/// The allocations made in a recording as a sequence of tokens: equal ones have the same stack and,
/// unless only stacks count, size.
struct TokenSequence
{
    std::vector<std::uint32_t> tokens;   ///< dense, by order of allocation
    std::span<const EventIndex> events;  ///< of each: their births
    std::vector<StackId> stackOf;        ///< by token
    AllocationIndex firstAllocation = 0; ///< that of tokens[0]; the others follow
    TokensOf what = TokensOf::StacksAndSizes;

    /// The first place at or after `event`.
    [[nodiscard]] std::size_t placeAt(EventIndex event) const;
};

/// Refers to the allocations.
[[nodiscard]] TokenSequence tokenSequence(const Allocations &allocations, TokensOf what);

/// Share of the tokens that two ranges [first, last) have in common, in any order: 1 if one is a
/// permutation of the other. Compares ranges in time linear in their lengths.
class RunMatcher
{
public:
    explicit RunMatcher(const TokenSequence &sequence);
    [[nodiscard]] double similarity(std::size_t firstA, std::size_t lastA, std::size_t firstB,
                                    std::size_t lastB);
    /// Share of the tokens of A that B has too.
    [[nodiscard]] double contained(std::size_t firstA, std::size_t lastA, std::size_t firstB,
                                   std::size_t lastB);

private:
    [[nodiscard]] std::size_t common(std::size_t firstA, std::size_t lastA, std::size_t firstB,
                                     std::size_t lastB);
    const TokenSequence &m_sequence;
    std::vector<std::int32_t> m_counts;
};

/// Finds where steps begin between two events.
class BoundaryFinder
{
public:
    BoundaryFinder(const Trace &trace, const DeviceTrace &device, const UsageCurve &curve);

    /// The event at which the first quiet moment of [first, last] ends: active bytes have come down
    /// to the lowest there (to within a hundredth of their range) and the next allocation follows,
    /// other than one of backward or of the optimizer unless all are.
    [[nodiscard]] EventIndex find(EventIndex first, EventIndex last);

private:
    const DeviceTrace &m_device;
    const UsageCurve &m_curve;
    StackRules m_rules;
};

/// Where a periodic sequence starts again.
struct Period
{
    std::vector<EventIndex> starts; ///< first events of the steps, ascending
    EventIndex end = 0;             ///< one past the last event of the last step
    bool firstComplete = true;
    bool lastComplete = true;
    bool drifts = false; ///< each leaves memory behind
    bool layers = false; ///< there are no starts: what recurs runs inside one call
    double match = 0;    ///< median similarity of neighbouring steps
    std::string whyNot;  ///< why starts is empty
};

[[nodiscard]] Period findPeriod(const Trace &trace, const DeviceTrace &device,
                                const TokenSequence &sequence, const Allocations &allocations,
                                const UsageCurve &curve, BoundaryFinder &boundaries,
                                const StepThresholds &thresholds);

} // namespace vramscope
