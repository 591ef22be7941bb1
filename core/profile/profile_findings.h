// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/profile/profile_study.h"

#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

// What a finding of a profile is about, Finding::kind.
inline constexpr std::string_view kExposedCommunication = "exposed_communication";
inline constexpr std::string_view kSameStream = "same_stream"; ///< that computes: it hides nothing
inline constexpr std::string_view kHostBound = "host_bound";   ///< nothing is queued
inline constexpr std::string_view kBlockingCalls = "blocking_calls"; ///< they hold up the host
inline constexpr std::string_view kExposedCopies = "exposed_copies";
inline constexpr std::string_view kSmallLaunches = "small_launches"; ///< longer than their kernels
inline constexpr std::string_view kSlowLaunches = "slow_launches";   ///< they load a module

/// What costs time in one profile, the most first; cost is the time that could be gained at most.
/// The same idle time may be in several findings: they do not add up. Findings below half a per
/// cent of the span of their device are left out: there is nothing to gain.
[[nodiscard]] std::vector<Finding> profileFindings(const ProfileStudy &study);

/// What limits every figure of a recording, in the order in which a reader needs it: the anomalies
/// of its file, that no device event is in it, steps without any, and work of unknown origin. Each
/// text and page states them before its figures.
[[nodiscard]] std::vector<Problem> profileProblems(const ProfileStudy &study);

/// In a few words, where tables have nothing to show: "The recording has no device event."
[[nodiscard]] std::string noDeviceText(const Profile &profile);

} // namespace vramscope
