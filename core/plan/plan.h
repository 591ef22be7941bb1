// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/plan/choice_words.h"
#include "core/plan/serving_fields.h"
#include "core/plan/training_fields.h"

namespace vramscope {

// The plan document of plan-format.md as written: a field that the document does not state is
// empty, so that reading and writing lose nothing. What an empty field means is decided in one
// place, settings.h.

using PlanModel = ModelFields<IfStated>;
using PlanHardware = HardwareFields<IfStated>;
using PlanBucket = BucketFields<IfStated>;
using PlanParallel = ParallelFields<IfStated>;
using PlanBatch = BatchFields<IfStated>;
using PlanActivations = ActivationFields<IfStated>;
using PlanAdapters = AdapterFields<IfStated>;
using PlanOverheads = OverheadFields<IfStated>;
using PlanMultimodal = MultimodalFields<IfStated>;
using PlanSpeculation = SpeculationFields<IfStated>;
using PlanInference = InferenceFields<IfStated>;
using PlanRl = RlFields<IfStated>;

/// One plan: what the window edits, saves and hands to estimate(). A plain value.
struct Plan : JobFields<IfStated>, LossFields<IfStated>
{
    PlanModel model;
    PlanHardware hardware;
    PlanParallel parallel;
    PrecisionFields<IfStated> precision;
    OptimizerFields<IfStated> optimizer;
    PlanBatch batch;
    PlanActivations activations;
    PlanAdapters adapters;
    PlanOverheads overheads;
    PlanInference inference;
    DiffusionFields<IfStated> diffusion;
    PlanRl rl;
    RunFields<IfStated> run;
    bool operator==(const Plan &) const = default;
};

} // namespace vramscope
