// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/estimate.h"
#include "core/validation/reserve_errors.h"
#include "ui/models/reserve_model.h"

#include <QString>

namespace vramscope {

/// What is reserved by the factor, on which the plan's figures rest, and its range.
[[nodiscard]] QString factorText(const Plan &plan, const Estimate &figures, ByteUnit unit);
/// Why the figures rest on the factor and not on the simulation, in measured errors.
[[nodiscard]] QString whyFactorText(const ReserveErrors &errors);
/// Which setting is worth a change, or that none is, or that the step fits under none.
[[nodiscard]] QString reserveAdvice(const PlanReserves &found, ByteUnit unit);
/// What the simulated figures are of.
[[nodiscard]] QString reserveBasis(const PlanReserves &found, ByteUnit unit);

} // namespace vramscope
