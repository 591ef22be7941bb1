// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/analysis/replayed/annotation_ranges.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/steps/step_thresholds.h"
#include "core/base/progress.h"

#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// How the steps of a recording were found, the most reliable first.
enum class StepSource {
    ProfilerStep,  ///< ranges ProfilerStep#N
    OptimizerStep, ///< ranges Optimizer.step#…: a step ends after its optimizer
    Annotation,    ///< other ranges that occur once per step
    Period,        ///< the sequence of allocations repeats
    Optimizer,     ///< the optimizer runs, as stacks show
    Calls,         ///< the same calls recur, with other sizes
    None,
};

/// One training step (or one pass of inference).
struct Step
{
    std::int64_t number = 0; ///< of ProfilerStep#N, from 0; else from 1
    EventIndex first = 0;
    EventIndex last = 0;    ///< inclusive
    bool complete = true;   ///< begins and ends inside the recording
    bool startKnown = true; ///< else it may begin later than `first`
    EventIndex peakActiveEvent = -1;
    EventIndex peakReservedEvent = -1;
    Bytes peakActive = 0;
    Bytes peakReserved = 0;
    Bytes activeBegin = 0; ///< before its first event
    Bytes activeEnd = 0;   ///< after its last event
    Bytes growth = 0;      ///< activeEnd - activeBegin
    /// Born in this step and alive after the last event of the next one; nothing for the last step.
    std::optional<Tally> survivors;
    /// Share of its allocations (stack and size) that the neighbouring step makes too, 0 … 1.
    double match = 0;
};

struct Steps
{
    std::vector<Step> steps; ///< by time; they do not overlap
    StepSource source = StepSource::None;
    std::string how;       ///< in words: how they were found, or why there are no steps
    double confidence = 0; ///< 0 … 1
    bool isReservedKnown = true;
    /// Without steps: where the program calls its model, as modelCalls() gives it.
    std::vector<EventIndex> calls;
};

/// Finds the steps of one device. Annotations win; else the allocations are searched for regular
/// recurrences, and boundaries are put where the least memory is active between two recurrences;
/// else for runs of the optimizer, and for calls that recur with other sizes. A repetition inside
/// one call of a module, of backward or of the optimizer is that of layers and gives no steps.
/// Takes time n log n in the events; no steps are found once `progress` asks to stop.
[[nodiscard]] Steps findSteps(const Trace &trace, const DeviceTrace &device,
                              const Allocations &allocations, const UsageCurve &curve,
                              const Progress &progress = {}, const StepThresholds &thresholds = {});

/// The index into `steps` of the step that contains `event`; nothing between steps.
[[nodiscard]] std::optional<std::size_t> stepAt(const std::vector<Step> &steps, EventIndex event);

} // namespace vramscope
