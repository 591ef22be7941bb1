// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/plan/plan.h"
#include "core/solver/fit.h"

#include <QString>

#include <optional>

namespace vramscope {

/// A plan that an answer leads to, with the name of the step there.
struct FoundPlan
{
    QString title;
    Plan plan;
};

/// What was found, in sentences: the answer with its figures, and the step that does not fit any
/// more.
[[nodiscard]] QString fitSentence(const Fit &fit, ByteUnit unit);

/// What to do where no capacity is known.
[[nodiscard]] QString unknownCapacityText(const Settings &settings);

/// The plan that an answer of one value or one number of GPUs leads to; nothing where none fits.
[[nodiscard]] std::optional<FoundPlan> foundPlan(const Plan &plan, const Fit &fit);

} // namespace vramscope
