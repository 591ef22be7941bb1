// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_activity.h"

#include <nlohmann/json_fwd.hpp>

#include <string>
#include <vector>

namespace vramscope {

/// How the ranks of a run spent their time, in paragraphs of one line each; none without profiler
/// traces. The first one says who is late, that none is, or that it is not known.
[[nodiscard]] std::vector<std::string> activityStory(const RankedRun &run,
                                                     const RunActivity &activity);

/// What is not known of it, or only in part, a sentence each.
[[nodiscard]] std::vector<std::string> activityRemarks(const RankedRun &run,
                                                       const RunActivity &activity);

/// All of it for people, with a table of the ranks: of all, or where these are more than a person
/// reads, of those that the story names. Empty without profiler traces.
[[nodiscard]] std::string activityText(const RankedRun &run, const RunActivity &activity);

/// The same for programs, in nanoseconds:
/// {"ranks","common_steps","late","waited_calls","collectives","calls_cut",
/// "slowest_step":{"rank","step","time","median"},"most_idle":{"rank","time","span"},
/// "most_exposed","outliers":[{"rank","part","difference"}],"problems"}; null without.
[[nodiscard]] nlohmann::ordered_json activityJson(const RankedRun &run,
                                                  const RunActivity &activity);
/// What the profiler trace of a rank says:
/// {"file","device","part","span","compute","communication",
/// "exposed_communication","exposed_copy","idle","wait","last_calls","cut","steps","median_step"};
/// null where it has none.
[[nodiscard]] nlohmann::ordered_json
rankActivityJson(const RankedRun &run, const RunActivity &activity, std::size_t rank);

/// The row of a step, in words: "step 12"
[[nodiscard]] std::string stepName(const ProfileSummary &profile, std::size_t row);

} // namespace vramscope
