// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/estimate/step_work.h"
#include "core/settings/settings.h"

#include <array>
#include <cstdint>
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
    std::string rate;      ///< "9.3 PFLOP at 42 % of 989 TFLOP/s"
    std::string source;    ///< of the rate's share, or what is assumed
    bool recorded = false; ///< by the recording that calibrates the projection
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
    /// The class of published speeds that make the range of the seconds; empty: the ranges of the
    /// rates do.
    std::string speedClass;
    std::vector<TimeTerm> terms; ///< add up to the likely seconds; those of nothing are left out

    [[nodiscard]] Projected tokensPerSecond() const;
    /// GPU hours that so many tokens take.
    [[nodiscard]] Projected gpuHours(double tokens) const;
};

/// The tokens of the run that the plan states, or a billion.
[[nodiscard]] double tokensOfRun(const Settings &settings);

/// What was recorded of a training step, on one GPU.
struct TracedStep
{
    double seconds = 0;
    std::optional<double> computing{};      ///< of them those in which anything computed
    std::optional<double> bytesPerSecond{}; ///< that its largest collective sent over its links
    std::int64_t ring = 0;                  ///< the GPUs of that collective
    std::string source;                     ///< "rank0.json", "published"
};

/// How a recording bends the projection: for each end of the rates' ranges so that the recorded
/// step takes what it took. The range is nothing at the recording and grows away from it.
struct SpeedCalibration
{
    struct Fit
    {
        double arithmeticShare = 0; ///< of the dense bf16 rate
        double idleShare = 0;       ///< of the arithmetic: what nothing else of the step explains
        double outsideScale = 1;    ///< of all that computing waits for
    };
    std::array<Fit, 3> fits;              ///< likely, fast, slow
    std::optional<double> bytesPerSecond; ///< of a ring within the recorded reach
    std::int64_t reach = 0;               ///< GPUs of that ring
    std::int64_t gpus = 1;                ///< of the recorded run
    double seconds = 0;                   ///< of its step
    std::string source;
};

/// Whether a token is the same work in both, so that their times can be compared: as long a
/// sequence and the same adapters in training; as many sequences at once, as long, where they are
/// served.
[[nodiscard]] bool sameWork(const Settings &a, const Settings &b);

/// Why a step of these settings cannot be projected: the device's rate is not known, or what the
/// step does is not counted; empty where it can. A calibration brings the rate of fp32.
[[nodiscard]] std::string whyNotProjected(const Settings &settings, const StepWork &work,
                                          const SpeedCalibration *calibration = nullptr);

/// Settings and work are those of the recorded run. With the time of computing known, its share is
/// as recorded, and what the step takes beside it, beyond the projected communication, is idle that
/// stays with the computing; else the whole difference is laid to the arithmetic. An error says why
/// the recording cannot be one of these settings.
[[nodiscard]] Result<SpeedCalibration> calibrate(const Settings &settings, const StepWork &work,
                                                 const TracedStep &recorded);

/// With a calibration, or with the catalogue's rates alone. An error says why nothing is projected.
[[nodiscard]] Result<StepTime> projectStep(const Settings &settings, const StepWork &work,
                                           const SpeedCalibration *calibration = nullptr);

/// Seconds of one pass of a ring over GPUs next to each other in which each sends so many bytes:
/// the start at every hop, and the bytes over the slowest link. An all-gather or a reduce-scatter
/// is a pass that sends (n−1)/n of the message, an all-reduce two.
[[nodiscard]] Projected ringSeconds(const Settings &settings, std::int64_t gpus, double passes,
                                    double bytesSent);

/// The likely seconds alone, for comparing thousands of plans; nothing where projectStep() has an
/// error.
[[nodiscard]] std::optional<double> likelySeconds(const Settings &settings, const StepWork &work,
                                                  const SpeedCalibration *calibration = nullptr);

} // namespace vramscope
