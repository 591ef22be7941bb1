// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/ranks/run_study.h"

#include <cstddef>
#include <string>

namespace vramscope {

/// A run for people: coverage, who failed first, what stands out and why, the groups, and how the
/// ranks spent their time.
[[nodiscard]] std::string runText(const RunStudy &study, std::size_t most,
                                  ByteUnit unit = ByteUnit::Binary);

/// The same as one line of JSON: {"ranks","expected","missing":[[first,last]],"unusable":[{"file",
/// "rank","error"}],"not_recordings","earlier","numbered_by","peak_active":{"least","median",
/// "most","skew"},"peak_reserved","groups":[{"ranks":[[first,last]],
/// "alike","typical","peak_active":{"least","median","most"}}],"explained":[{"by","values","share"}],
/// "first_failure":{"rank","node","device","file","time_us","requested","device_free","cause",
/// "remedy","frames","beside","failed","failed_untimed"},"outliers":[{"rank","figure","value","median","group"}],
/// "differences":[{"rank","typical","comparison"}],"activity":{"ranks",
/// "common_steps","late","waited_calls","collectives","calls_cut","calls_missing",
/// "slowest_step":{"rank","step","time","median"},"most_idle":{"rank","time","span"},
/// "most_exposed","outliers":[{"rank","part","difference"}],"problems"},"per_rank":[{"rank","file",
/// "device","node","group","peak_active","peak_active_event","peak_reserved","reserved_end",
/// "failures","profile":{"file","device","part","span","compute","communication",
/// "exposed_communication","exposed_copy","idle","wait","last_calls","cut","steps",
/// "median_step"}}],"problems"}; "activity" and "profile" are null without profiler traces. `most`
/// sites of a comparison, 0: all.
[[nodiscard]] std::string runJson(const RunStudy &study, std::size_t most);

} // namespace vramscope
