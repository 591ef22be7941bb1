// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/solver/changes.h"
#include "core/solver/fit_summary.h"

#include <functional>

namespace vramscope {

class PlanEvaluator;

/// After a change that lowers a number: sets that number to the largest value below the one in
/// force in `before` with which the plan fits and `reaches` holds of its summary. False, and
/// nothing changes, where no value does.
bool raiseNumber(const Change &change, const Settings &before, PlanEvaluator &trial,
                 const std::function<bool(const FitSummary &)> &reaches);

} // namespace vramscope
