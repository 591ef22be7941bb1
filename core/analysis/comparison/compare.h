// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/analysis/replayed/rehearsal.h"
#include "core/analysis/replayed/summary.h"
#include "core/base/progress.h"
#include "core/trace/trace.h"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

class Study;

/// How far two stacks of the same place in the code agree.
enum class SiteMatch {
    Exact,    ///< in every frame: function, file and line
    Function, ///< in functions and names of files: lines and folders differ
    UserCode, ///< in the frames of the user's own code: the framework differs
    None,     ///< the place is in one recording only
};

/// A place in the code, with its memory in A and in B. Several stacks of a recording at the same
/// place are added up, and the one with the most bytes represents them.
struct ComparedSite
{
    SiteMatch match = SiteMatch::None;
    StackId stackA = StackId::None;
    StackId stackB = StackId::None;
    Bytes bytesA = 0; ///< of blocks
    Bytes bytesB = 0;
    std::int64_t countA = 0; ///< allocations; 0 if absent
    std::int64_t countB = 0;

    [[nodiscard]] Bytes delta() const { return wrappingDifference(bytesB, bytesA); }
};

/// Finds the same places in two recordings by the content of their stacks, the closest agreement
/// first. Each group is part of exactly one site, so the sites add up to the groups of either side.
/// The largest difference comes first. Takes time linear in the frames of the groups, but for
/// sorting.
[[nodiscard]] std::vector<ComparedSite> compareSites(const Trace &a,
                                                     std::span<const LiveGroup> groupsA,
                                                     const Trace &b,
                                                     std::span<const LiveGroup> groupsB);

/// A device of a recording after one event.
struct RecordedMoment
{
    const Study &study;
    EventIndex event = -1;
};
/// The moment with the most active bytes.
[[nodiscard]] RecordedMoment peakMoment(const Study &study);

/// The sites of the memory alive at either moment; empty once `progress` asks to stop.
[[nodiscard]] std::vector<ComparedSite>
compareSites(const RecordedMoment &a, const RecordedMoment &b, const Progress &progress = {});

/// A setting of the allocator that differs between two recordings; a value is JSON text, missing if
/// the recording does not have it.
struct SettingDifference
{
    std::string name;
    std::optional<std::string> a;
    std::optional<std::string> b;
};
[[nodiscard]] std::vector<SettingDifference> compareSettings(const Trace &a, const Trace &b);

/// One side of a comparison.
struct ComparedSide
{
    EventIndex event = -1;
    Bytes active = 0; ///< after the event
    Bytes reserved = 0;
    std::int64_t allocations = 0;
    DeviceSummary summary; ///< of the whole recording
};

/// Two recordings compared at one moment each. The differences of the sites add up
/// to the difference of `active`.
struct Comparison
{
    ComparedSide a;
    ComparedSide b;
    std::vector<ComparedSite> sites;
    std::vector<SettingDifference> settings;
};
[[nodiscard]] Comparison compareTraces(const RecordedMoment &a, const RecordedMoment &b);

/// Extrapolates two rehearsals of one program, at two sizes of one of its arguments, to all sizes.
/// Memory in use grows linearly, mostly to the byte; what the allocator reserves beyond it does
/// not, so that it only narrows the answer.
struct LargestSize
{
    std::string name; ///< of the argument: "batch"
    std::string gpu;
    std::int64_t small = 0; ///< the sizes that were rehearsed
    std::int64_t large = 0;
    Bytes each = 0;            ///< that each further one adds to the memory in use at the peak
    Bytes room = 0;            ///< of the GPU, for the allocator
    std::int64_t most = 0;     ///< the largest size by memory in use. 0: nothing fits
    std::int64_t expected = 0; ///< fits if reserved memory keeps growing as it did; at most `most`
};

/// Nothing if either is not a rehearsal with a size, or did not run to its end; if argument, GPU,
/// rank or number of ranks differ; or if memory in use does not grow with the size.
[[nodiscard]] std::optional<LargestSize> largestSize(const Trace &a, const DeviceSummary &ofA,
                                                     const Trace &b, const DeviceSummary &ofB);

} // namespace vramscope
