// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/breakdown.h"
#include "core/profile/profile.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// What may divide a profile into steps.
struct StepMarker
{
    enum class Kind : std::uint8_t {
        ProfilerStep, ///< "ProfilerStep#n": profiler.step() was called
        Optimizer,    ///< "Optimizer.step#…": each begins a step
        DataLoader,   ///< "enumerate(DataLoader)#….__next__": each begins a step
        Range,        ///< a range of the program that repeats
        Kernel,       ///< a kernel that runs once in each period of what the device runs
    };
    Kind kind = Kind::ProfilerStep;
    StringId name = StringId::Empty; ///< Empty for ProfilerStep, whose names differ
    std::int64_t count = 0;
};

/// All that there are in a profile, the best first; a kernel only where there is nothing else.
[[nodiscard]] std::vector<StepMarker> stepMarkers(const Profile &profile);

/// A step: from where the host began it, and the work that the host called within it, whenever
/// that ran. As launches do not wait, both windows differ by what was queued.
struct ProfileStep
{
    StringId name = StringId::Empty;
    std::int64_t start = 0; ///< on the host
    std::int64_t end = 0;
    std::int64_t time = 0; ///< to the start of the next; of the last, its own duration
    std::int64_t work = 0; ///< pieces of it
    std::optional<TimeBreakdown> device; ///< of all devices; none without work
    bool isOutlier = false;              ///< its time differs from the median as others do not
};

struct ProfileSteps
{
    std::vector<ProfileStep> steps; ///< by start
    std::int64_t medianTime = 0;    ///< the lower one of an even number; 0 of none
    std::size_t median = 0;         ///< the step whose device span is the lower median
    bool hasMedian = false;         ///< two steps with work, or more
};

[[nodiscard]] ProfileSteps profileSteps(const Profile &profile, const WorkClasses &classes,
                                        const StepMarker &marker = {});

/// A kernel with which each period of what a device runs begins.
struct PeriodicKernel
{
    StringId name = StringId::Empty;
    std::int64_t count = 0; ///< of it, so of periods
};

/// The text that occurs once in each period of a sequence: one of those that recur evenly with much
/// the same texts between them, with the fewest places; among equals the one after the longest
/// pause, by the median of `pauses`. Nothing if no text repeats.
[[nodiscard]] std::optional<PeriodicKernel> periodicText(const std::vector<StringId> &texts,
                                                         const std::vector<std::int64_t> &pauses);

/// The same of the kernels of the device that ran most of them and whose calls were recorded.
[[nodiscard]] std::optional<PeriodicKernel> periodicKernel(const Profile &profile);

} // namespace vramscope
