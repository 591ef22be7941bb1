// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_study.h"

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// What became of something from A to B.
enum class ChangeState : std::uint8_t { New, Removed, More, Fewer, Slower, Faster, Equal };
inline constexpr std::size_t kChangeStateCount = 7;

/// "new", "removed", "more", …
[[nodiscard]] std::string_view textOf(ChangeState state);

/// A figure of A and of B.
using BeforeAfter = std::array<std::int64_t, 2>;

/// Operators of both sides that were matched: by call path and shapes (level 1), else path (2),
/// else name and shapes (3), else name (4); of one side alone 0. Only self figures, so that rows
/// add up.
struct OperatorChange
{
    std::string key; ///< "outer > inner | [[8, 1024]]"
    int level = 0;
    BeforeAfter count{};
    BeforeAfter hostSelf{};
    BeforeAfter device{};   ///< work launched from them, and none of their children
    std::int64_t delta = 0; ///< of the device times, B − A
    ChangeState state = ChangeState::Equal;
};

/// Work of one class and full name (level 1), else of one plainName() (2); of one side alone 0.
struct KernelChange
{
    WorkClass workClass = WorkClass::Compute; ///< Copy: of copies and fills
    std::string name;
    int level = 0;
    BeforeAfter count{};
    BeforeAfter total{}; ///< sums of durations
    std::int64_t delta = 0;
    ChangeState state = ChangeState::Equal;
};

/// A device of A and the one of B at the same place.
struct BreakdownChange
{
    std::array<DeviceBreakdown, 2> sides;
};

/// Two profiles, or one step of each, side by side; Δ is B − A, in nanoseconds.
struct ProfileDifference
{
    /// The steps that were compared; none: all that was recorded.
    std::array<std::optional<std::string>, 2> steps;
    std::array<std::vector<Problem>, 2> problems; ///< of the recordings
    BeforeAfter deviceTime{}; ///< sums of durations; Σ delta of either table is their difference
    /// The parts of a device's span: their Δ add up to the Δ of the span.
    std::vector<BreakdownChange> devices;
    std::vector<OperatorChange> operators; ///< the largest |delta| first
    std::vector<KernelChange> kernels;     ///< the same
};

/// What to compare.
struct DifferenceScope
{
    enum class Kind : std::uint8_t {
        Median, ///< the step whose device span is the lower median, where both have two or more
        All,
        Named,
    };
    Kind kind = Kind::Median;
    std::string step; ///< of Named
};

/// Why ProfileDifference::devices is empty, where it is.
[[nodiscard]] std::string noDevicesComparedText(const ProfileDifference &difference);

/// A row with other counts is more or fewer; else it is equal where |Δ| is within 5 % of A. There
/// are no rows where only one side has device events: work that was not recorded is not removed.
[[nodiscard]] ProfileDifference compareProfiles(const ProfileStudy &a, const ProfileStudy &b,
                                                const DifferenceScope &scope = {});

} // namespace vramscope
