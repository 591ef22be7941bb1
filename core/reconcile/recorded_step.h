// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/replayed/allocations.h"
#include "core/analysis/study/study.h"
#include "core/solver/fit_summary.h"

#include <array>
#include <functional>
#include <string>
#include <vector>

namespace vramscope {

/// The moments of a training step that a recording lets one tell apart.
enum class StepMoment { Forward, Loss, Backward, EndOfBackward, Optimizer, Rest };
inline constexpr std::size_t kStepMomentCount = 6;
/// "forward", "loss", "backward", "end of backward", "optimizer step", "at rest".
[[nodiscard]] std::string_view stepMomentName(StepMoment moment);

/// Where in the recording a moment's memory was highest.
struct FoundMoment
{
    EventIndex event = -2; ///< the memory after it; -1: before the first; -2: not found
    bool cutOff = false;   ///< the recording ends, or an allocation failed, inside it
    std::string how;       ///< where it was found, or why it was not

    [[nodiscard]] bool found() const { return event >= -1; }
};

/// The step of a recording with which a plan is compared.
struct RecordedStep
{
    EventIndex first = 0;
    EventIndex last = -1;    ///< inclusive; a failed allocation ends it
    EventIndex failure = -1; ///< index into DeviceTrace::outOfMemory; -1: none
    bool whole = false;      ///< begins and ends inside the recording
    std::string text;        ///< "step 3 of 5", "the whole recording: no steps were found in it"
    std::string why;         ///< why this one
    std::array<FoundMoment, kStepMomentCount> moments;
    EventIndex peak = -1; ///< where most is active in it

    [[nodiscard]] const FoundMoment &at(StepMoment moment) const
    {
        return moments[static_cast<std::size_t>(moment)];
    }
};

/// Chooses the last step where an allocation failed in it, else the one with the highest peak, of
/// those within a hundredth of it a whole and a later one before others, and finds its moments:
/// each event belongs to the phase of the allocation made last, or that failed, the loss beginning
/// with what `isLoss` says is of it; where a moment comes more than once (micro-batches) the
/// highest is meant. Linear in the events.
[[nodiscard]] RecordedStep findRecordedStep(const Study &recorded,
                                            const std::function<bool(AllocationIndex)> &isLoss);

/// What a recording tells of the batch that its step ran with.
struct RecordedBatch
{
    bool known = false;                 ///< whether it tells anything
    std::vector<FieldSetting> settings; ///< where it is another than the plan's
};

/// Told by the logits: the largest allocation of the loss, or the one that failed, is as many
/// tokens × entries of the vocabulary × 2 or 4 bytes. Another batch is one of another micro-batch
/// where the plan's sequences divide the tokens, else of another sequence length. Nothing is told
/// where the plan's loss never has all logits at once on a rank (in chunks, over ranks, fused).
[[nodiscard]] RecordedBatch recordedBatch(const Plan &plan, const Study &recorded,
                                          const RecordedStep &step);

} // namespace vramscope
