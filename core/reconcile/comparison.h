// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/lifecycle.h"
#include "core/reconcile/reconcile.h"
#include "core/reconcile/recorded_step.h"

#include <array>
#include <optional>
#include <string>

namespace vramscope {

/// The highest point of a moment in a plan's step.
struct PredictedMoment
{
    std::string name; ///< the plan's own: "forward of block 12"; empty where the plan has none
    SideBytes bytes;
};

/// The moments of a plan's step, steady or first. Of serving: at rest, and as forward what is
/// highest.
using PredictedStep = std::array<PredictedMoment, kStepMomentCount>;

/// All moments empty where estimate() gives no figures; some hundred microseconds.
[[nodiscard]] PredictedStep predictedStep(const Lifecycle &lifecycle, bool first);

/// The recorded side of a comparison, with which many predictions are compared.
struct RecordedMoments
{
    std::array<std::optional<SideBytes>, kStepMomentCount> bytes; ///< none where it was not found
    std::optional<StepMoment> cutOff;          ///< the moment in which the recording ends
    StepMoment compared = StepMoment::Forward; ///< the highest on either side
};

/// How far a prediction is from what was recorded: the differences of the parts at each moment,
/// without sign. What forward holds for backward and what is there for a while are one part, since
/// a recording does not always tell them apart; of backward only the heights are compared. Where
/// the recording ends, what a moment would still have asked for is not counted as missing.
[[nodiscard]] Bytes distance(const RecordedMoments &recorded, const PredictedStep &predicted);
/// The same of one moment.
[[nodiscard]] Bytes distanceAt(StepMoment moment, const RecordedMoments &recorded,
                               const PredictedStep &predicted);
/// What two predictions differ by, at the moments that were recorded.
[[nodiscard]] Bytes distance(const RecordedMoments &recorded, const PredictedStep &a,
                             const PredictedStep &b);
/// The parts that a comparison tells apart.
enum class ComparedPart {
    Parameters,
    Gradients,
    OptimizerStates,
    Working, ///< activations, caches and temporaries
    Loss,
    Communication,
    Framework
};
inline constexpr std::size_t kComparedPartCount = 7;
using ComparedParts = std::array<Bytes, kComparedPartCount>;

/// Recorded - predicted of each part at the moment compared, without what was not reached.
[[nodiscard]] ComparedParts differencesLeft(const RecordedMoments &recorded,
                                            const PredictedStep &predicted);
/// What the plan has at a moment beyond what was asked for when the recording ended inside it.
[[nodiscard]] Bytes notReached(const RecordedMoments &recorded, const PredictedStep &predicted);

} // namespace vramscope
