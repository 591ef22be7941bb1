// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_study.h"
#include "core/profile/run_table.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <string>
#include <vector>

namespace vramscope {

struct RankProfiles;
struct RunStudy;

/// How a report of a profile is printed.
struct ProfilePrinting
{
    std::string file;     ///< its name
    std::size_t most = 0; ///< rows of a table; 0: all
    bool asHta = false;   ///< in text: with HTA's own figures beside ours
    OperatorGrouping grouping = OperatorGrouping::Name; ///< in text: of operators
};

/// One line of JSON. All times are integer nanoseconds; rates and shares have six digits.
/// {"file","problems":[{"kind","count","first"}],"events","rank","world_size","gpus":[{"id","name","memory"}],"device_events",
/// "devices":{"0":{"classes":{…},"span","compute","communication","memory","busy","idle",
/// "overlapped_communication","exposed_communication","exposed_copy","overlap"}},
/// "streams":{"0/7":{"count",…}},"hta":{…},"steps":[{"name","host_start","host","events",
/// "device_start","device":{…}}],"launch":{…},"idle":{"0/7":{…}},"kernels":[…],"operators":[…],
/// "nccl":[…],"memory":{"1:0":{…}}}; where counters of Nsight Compute are joined, each kernel has
/// "counters":{"launches","achieved_occupancy","sm_throughput","dram_throughput"} in per cent, and
/// the whole "counters":{"launches","kernels","joined","other_name","other_shape","too_many",
/// "assumed_first"}.
[[nodiscard]] std::string profileJson(const ProfileStudy &study, const ProfilePrinting &as);
/// For people: where the time went, as parts that add up; what to gain; then tables.
[[nodiscard]] std::string profileText(const ProfileStudy &study, const ProfilePrinting &as);

/// The ranks of a folder: {"folder","problems":[sentences],"ranks":[as
/// profileJson()],"collectives":[{"group",
/// "collective","index","ranks","bytes","transfer","last_rank","waits","end_spread",
/// "algorithm_bandwidth","bus_bandwidth"}]}.
[[nodiscard]] std::string profileFolderJson(const RankProfiles &ranks, const std::string &folder,
                                            std::size_t most);
/// For people: who is late, where the time of each rank went, then the collectives.
[[nodiscard]] std::string profileFolderText(const RunStudy &study, const std::string &folder,
                                            std::size_t most);

/// A table of runs, a row each, with the targets below.
[[nodiscard]] std::string runTableText(const std::vector<RunRow> &rows);
/// One line: {"runs":[{"file","problems","device","steps","span","compute","non_compute","idle",
/// "communication","exposed_communication","compute_share","overlap","peak_allocated"}],
/// "targets":{"compute_share","overlap"}}; null where a thing is not known, "steps" 0 of what is of
/// everything recorded. Times are nanoseconds.
[[nodiscard]] std::string runTableJson(const std::vector<RunRow> &rows);

/// Adds {"span","compute","communication","memory","busy","idle","overlapped_communication",
/// "exposed_communication","exposed_copy","overlap"}.
void addTimes(nlohmann::ordered_json &json, const TimeBreakdown &times);

} // namespace vramscope
