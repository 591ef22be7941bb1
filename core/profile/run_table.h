// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/profile/profile_study.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// What a run should reach, as shares: compute of the span, and hidden communication of all
/// communication. What is below leaves time on the table; both are customs, not laws.
inline constexpr double kComputeTarget = 0.97;
inline constexpr double kOverlapTarget = 0.95;

/// One run beside others: where the time of a device went and what memory it took.
struct RunRow
{
    std::string name;        ///< of its file
    std::int64_t device = 0; ///< the one that ran most
    bool isOfSteps = false;  ///< of all complete steps; else of everything
    std::int64_t steps = 0;  ///< so many
    TimeBreakdown times;
    std::vector<Problem> problems;      ///< of the recording
    std::optional<Bytes> peakAllocated; ///< of a device, where memory was recorded

    /// Exposed communication and copies: what ran and was no compute.
    [[nodiscard]] std::int64_t nonCompute() const
    {
        return times.exposedCommunication + times.exposedCopy;
    }
    /// None where there is nothing to judge: no span, or no communication.
    [[nodiscard]] std::optional<bool> reachesCompute() const;
    [[nodiscard]] std::optional<bool> reachesOverlap() const;
};

/// None where no device event is in the recording.
[[nodiscard]] std::optional<RunRow> runRow(const std::string &name, const ProfileStudy &study);

} // namespace vramscope
