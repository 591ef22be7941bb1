// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_study.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vramscope {

/// Something that costs time, in a sentence with its figures.
struct ProfileFinding
{
    enum class Kind : std::uint8_t {
        ExposedCommunication, ///< collectives that nothing hides
        SameStream,           ///< communication on the stream that computes: it can hide nothing
        HostBound,            ///< the device runs dry while nothing is queued
        BlockingCalls,        ///< calls that hold up the host
        ExposedCopies,
        SmallLaunches, ///< launches that take longer than their kernels
        SlowLaunches,  ///< launches that take far longer than the median: they load a module
        LateRank,
    };
    Kind kind = Kind::ExposedCommunication;
    /// ns that could be gained at most. The same idle time may be in several findings: they do not
    /// add up.
    std::int64_t time = 0;
    std::string text;         ///< one sentence, ended; names from the file are printable
    std::int64_t device = -1; ///< -1: of none in particular
};

/// What one profile shows, the most time first. Findings below half a per cent of the span of
/// their device are left out: there is nothing to gain.
[[nodiscard]] std::vector<ProfileFinding> profileFindings(const ProfileStudy &study);

} // namespace vramscope
