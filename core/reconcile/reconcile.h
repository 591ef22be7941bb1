// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/estimate/estimate.h"
#include "core/plan/field_path.h"
#include "core/reconcile/recorded_step.h"
#include "core/solver/fit_summary.h"
#include "core/trace/trace.h"

#include <array>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// Bytes of every part that a plan knows, in the order of Category, and of what a recording holds
/// that no rule names.
struct SideBytes
{
    std::array<Bytes, kCategoryCount> byCategory{};
    Bytes unknown = 0; ///< 0 on the side of a plan

    [[nodiscard]] Bytes total() const;
    bool operator==(const SideBytes &) const = default;
};

/// A moment of the plan's step and the place in the recording where it was found.
struct MatchedMoment
{
    std::string name;        ///< "forward", "loss", "backward", "optimizer step", "at rest", …
    std::string predictedAt; ///< the plan's own name of it: "forward of block 31", "loss"
    bool found = false;      ///< whether the recording has it
    EventIndex event = -1;   ///< of the recording, the memory after it; -1: before the first
    std::string how;         ///< "highest while the loss was computed", or why it was not found
    SideBytes predicted;
    SideBytes recorded;  ///< zeros where it was not found
    bool cutOff = false; ///< the recording ends inside it, so that more may have followed
};

/// Something that makes the recording differ from the plan.
struct Reason
{
    enum class Kind {
        Fact,       ///< read off the recording itself
        Setting,    ///< other values of some fields would predict what was recorded
        NotReached, ///< what the plan, with all settings before it, has beyond the recording's end
        Part,       ///< a part that is larger or smaller than any setting explains
    };
    Kind kind = Kind::Fact;
    std::string text;   ///< "Checkpointing every-k instead of full, every 2 instead of 1"
    Bytes bytes = 0;    ///< what it adds to the prediction at the moment compared; negative: takes
    Bytes explains = 0; ///< Setting: by how much it brings the differences of all moments down
    /// Setting: what to put where; of reasons, with those of the settings before it.
    std::vector<FieldSetting> settings;
};

/// A constant that the recording determines better than the catalogue.
struct Calibration
{
    FieldPath field;    ///< "overheads.reserved_factor"
    std::string label;  ///< "Reserved of allocated"
    double planned = 0; ///< bytes, or a ratio
    double recorded = 0;
    bool isBytes = true;
    std::string how; ///< "peak reserved 38.1 GiB of peak allocated 33.7 GiB"
};

/// What an amount of memory is in the words of the plan: "logits in fp32: 8,192 tokens × 128,256
/// entries of the vocabulary × 4 bytes".
struct SizeName
{
    std::string text;
    std::string formula; ///< "4 T V = 4 × 8,192 × 128,256"
    Category category = Category::Activations;
    Bytes bytes = 0; ///< exactly, before the allocator rounds it up
};

/// The allocation that failed, if the recording ends in one or holds one.
struct FailedRequest
{
    EventIndex event = -1;
    Bytes bytes = 0;             ///< as recorded
    std::string place;           ///< "cross_entropy at torch/nn/functional.py:3504"
    std::vector<SizeName> names; ///< what the plan has of this size, the likeliest first
};

/// One level of memory on both sides; recorded is absent where the file does not tell.
struct LevelPair
{
    std::string name; ///< "peak allocated"
    Bytes predicted = 0;
    std::optional<Bytes> recorded;
    std::string how; ///< where the recorded figure is from, or why it does not exist
};

/// A plan compared with one device of a recording. Differences are recorded - predicted.
struct Reconciliation
{
    std::string step;        ///< "step 3 of 5, found from ProfilerStep#N", "no step found: …"
    bool firstStep = false;  ///< the plan's first step was compared: no optimizer states yet
    std::string whyThisStep; ///< in words
    std::vector<MatchedMoment> moments; ///< in order of time, as far as the plan has them
    std::size_t compared = 0;           ///< index into moments: the one that `reasons` is about
    std::vector<LevelPair> levels;
    std::optional<FailedRequest> failed;

    /// What the waterfall shows between predicted and recorded: facts; the batch, where the
    /// recording tells another; settings that in this order bring the parts closest, each worth
    /// more than a hundredth of the recorded; and what the plan so changed has beyond the end.
    std::vector<Reason> reasons;
    /// Recorded - predicted - all bytes of `reasons`.
    Bytes unexplained = 0;
    /// What may explain the rest: the parts that differ after all reasons, the largest first; then
    /// single settings of the plan, with the batch that the recording tells, that are no reason
    /// but would bring its moments closer to the recording too. They exclude each other.
    std::vector<Reason> candidates;
    std::vector<Calibration> calibrations;
    std::vector<std::string> remarks; ///< what limits the comparison, a sentence each

    [[nodiscard]] const MatchedMoment &comparedMoment() const { return moments[compared]; }
};

/// Compares a plan with one device of a recording: finds the step and its moments in it, puts what
/// was alive at each beside what the plan has there, and looks for what explains the difference.
/// The plan must give figures (estimate().computed) and the recording must have events; else the
/// result has no moments and a remark says why. Pure; linear in the recording's events, and some
/// hundred plans are weighed, which takes some hundred milliseconds. Whatever it gives is of no use
/// where `progress` asked to stop.
[[nodiscard]] Reconciliation reconcile(const Plan &plan, const Study &recorded,
                                       const Progress &progress = {});

} // namespace vramscope
