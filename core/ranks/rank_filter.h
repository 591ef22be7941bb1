// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/query_words.h"
#include "core/ranks/run_study.h"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vramscope {

/// Which ranks are looked at. A rank is kept when every condition holds for it; a filter without
/// conditions keeps all.
struct RankFilter
{
    /// What a size or a number is asked of.
    enum class Quantity {
        Peak,
        Reserved,
        Unused,
        Growth,
        Distance,
        Rank,
        Device,
        Group,
        Step,
        Compute, ///< in billionths of the time that its profiler trace spans
        Exposed,
        Idle,
        Wait, ///< in ns
        StepTime
    };
    /// What a rank is or is not.
    enum class Trait { OutOfMemory, Outlier, Problems, Late };

    std::vector<std::pair<Quantity, QueriedRange>> ranges;
    std::vector<Trait> traits;
    std::vector<std::string> nodes; ///< stand in the node's name; letters of ASCII alike
    std::vector<std::string> words; ///< stand in the file's path or the node's name

    bool operator==(const RankFilter &) const = default;
};

/// A filter from what a user types, as parseAllocationFilter() has it: words that stand in the path
/// or the node, "quoted words", and conditions: peak>70GiB, reserved<=80GB, unused>1GiB,
/// growth>16MiB, distance>1GiB (from the group's median, either way), rank:64, rank>=64, device:5,
/// group:3 (as they are numbered from 1), step:12 (of the peak), node:0216, oom, outlier, problems;
/// of profiler traces compute<50%, exposed>10%, idle>20% (of the time that they span), wait>5ms,
/// steptime>1.2s (the median step), late (the one that the others wait for).
/// Fails with a sentence that says what is wrong with which word.
[[nodiscard]] Result<RankFilter> parseRankFilter(std::string_view query);

/// Whether a rank is kept. What is not known of it is in no range.
[[nodiscard]] bool keeps(const RankFilter &filter, const RunStudy &study, std::size_t rank);

} // namespace vramscope
