// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/step_work.h"
#include "core/model/parameters.h"
#include "core/settings/schedules/position.h"

#include <cstdint>
#include <optional>

namespace vramscope {

/// The figures of a plan without its parts and texts, for a comparison of thousands of plans. Each
/// equals that of estimate(); a level beyond 64 bits is at their largest value.
struct PeakSummary
{
    Bytes allocated = 0;
    Bytes reserved = 0;
    Bytes device = 0;
    Bytes capacity = 0; ///< of the GPUs that the stage runs on
    Position peak;      ///< when, on the stage's `blocks` blocks
    Bytes firstStepAllocated = 0;
    Position firstStepPeak;
    Bytes atRest = 0;
    std::int64_t stage = 0; ///< the pipeline stage that the figures describe
    std::int64_t blocks = 0;
    Bytes hostBytes = 0;
    Bytes communicationBytes = 0; ///< per GPU and step
    double recomputeShare = 0;    ///< of the step's arithmetic
    double bubbleShare = 0;       ///< of the step's time
    std::optional<InferenceFigures> inference;
    StepWork work;

    /// Name of the peak moment, as Estimate::peakAt.
    [[nodiscard]] std::string peakAt() const { return positionName(peak, blocks); }
    [[nodiscard]] std::string firstStepAt() const { return positionName(firstStepPeak, blocks); }
    /// More than 64 bits can count: no figures, and more than any GPU holds.
    [[nodiscard]] bool overflowed() const;
};

/// The peakSummary of settings in which checkPlan() finds nothing that bars figures; about a
/// microsecond a distinct pipeline stage. Nothing where parameters_override leaves fewer parameters
/// than the blocks hold.
[[nodiscard]] std::optional<PeakSummary> peakSummary(const Settings &settings,
                                                     const ParameterCounts &counts);

/// Whether 64-bit counts hold the parameters of an architecture in all their states: checked before
/// they are counted.
[[nodiscard]] bool countable(const Architecture &architecture);

} // namespace vramscope
