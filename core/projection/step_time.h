// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/planner/settings.h"
#include "core/planner/step_work.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A likely value, and the range that it lies in as far as the rates behind it were ever measured
/// or are assumed.
struct Projected
{
    double likely = 0;
    double low = 0;
    double high = 0;
};

/// A part of a step's time, one after the other with the rest.
struct TimeTerm
{
    std::string_view name; ///< "Arithmetic"
    double seconds = 0;
    std::string rate;        ///< "9.3 PFLOP at 42 % of 989 TFLOP/s"
    std::string_view source; ///< of the rate's share, or what is assumed
};

/// A rough projection of a training step, or of a decoding step of all sequences that are served at
/// once: what StepWork counts, over the catalogue's rates and the shares of them that runs reached.
struct StepTime
{
    Projected seconds;
    double tokens = 0; ///< of a step, of the whole job
    std::int64_t gpus = 1;
    double communication = 0; ///< of the likely seconds those that computing waits for others' data
    double idle = 0;          ///< and those that it waits for the slowest, or in the pipeline
    std::vector<TimeTerm> terms; ///< add up to the likely seconds; those of nothing are left out

    [[nodiscard]] Projected tokensPerSecond() const;
    /// GPU hours that so many tokens take.
    [[nodiscard]] Projected gpuHours(double tokens) const;
};

/// Why a step of these settings cannot be projected: the device's rate is not known, or what the
/// step does is not counted; empty where it can.
[[nodiscard]] std::string whyNotProjected(const Settings &settings, const StepWork &work);

/// What a recorded step says of a plan's: the share of the dense bf16 rate that its arithmetic
/// reaches, everything else as the catalogue has it.
struct RecordedSpeed
{
    double arithmeticShare = 0;
    std::string source; ///< the recording
};

/// The share with which the step of these settings takes the recorded seconds. An error says why
/// there is none.
[[nodiscard]] Result<RecordedSpeed> calibrate(const Settings &settings, const StepWork &work,
                                            double seconds, std::string source);

/// With a calibration, or with the catalogue's rates alone. An error says why nothing is projected.
[[nodiscard]] Result<StepTime> projectStep(const Settings &settings, const StepWork &work,
                                           const RecordedSpeed *calibration = nullptr);

/// The likely seconds alone, for comparing thousands of plans; nothing where projectStep() has an
/// error.
[[nodiscard]] std::optional<double> likelySeconds(const Settings &settings, const StepWork &work);

} // namespace vramscope
