// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/reconcile/reconciliation.h"
#include "core/reconcile/recorded_step.h"

namespace vramscope {

/// Compares a plan with one device of a recording: finds the step and its moments in it, puts what
/// was alive at each beside what the plan has there, and looks for what explains the difference.
/// The plan must give figures (estimate().computed) and the recording must have events; else the
/// result has no moments and a remark says why. Pure; linear in the recording's events, and some
/// hundred plans are weighed, which takes some hundred milliseconds. Whatever it gives is of no use
/// where `progress` asked to stop.
[[nodiscard]] Reconciliation reconcile(const Plan &plan, const Study &recorded,
                                       const Progress &progress = {});

} // namespace vramscope
