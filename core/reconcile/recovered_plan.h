// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/plan/plan.h"
#include "core/reconcile/reconcile.h"

#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

class Study;

/// How far a recording settles what a field of its plan is.
enum class Certainty {
    Determined,    ///< it would not be what it is with another value
    Likely,        ///< the value that fits best; others would leave the same
    NotDetermined, ///< left at its default
};
/// "determined", "likely", "not determined".
[[nodiscard]] std::string_view certaintyName(Certainty certainty);

/// One thing that a plan says, and what of the recording says so.
struct RecoveredField
{
    std::string subject; ///< "Model"
    std::string value;   ///< "Llama 3 8B"; empty where it is left at its default
    Certainty certainty = Certainty::NotDetermined;
    std::string how; ///< one sentence with the numbers, or why it is not determined
    std::vector<FieldSetting> settings; ///< what it puts into the plan
};

/// The plan of the run that a recording is of, as far as it can be told.
struct RecoveredPlan
{
    Plan plan;
    std::vector<RecoveredField> fields;
    /// The plan beside the recording, all that is likely included. Without moments where the model
    /// is not determined: such a plan gives no figures.
    Reconciliation reconciliation;

    [[nodiscard]] bool hasModel() const { return !reconciliation.moments.empty(); }
};

/// Makes a plan of what one device of a recording shows: the model by its parameter tensors, the
/// sharding by what a rank keeps of them, the batch by the logits, the rest by stacks and sizes.
/// What that leaves open is chosen by reconcile(), and is likely at most. Takes about as long as
/// reconcile(); whatever it gives is of no use where `progress` asked to stop.
[[nodiscard]] RecoveredPlan planFromRecording(const Study &recorded, const Progress &progress = {});

} // namespace vramscope
