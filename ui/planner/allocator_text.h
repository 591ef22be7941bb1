// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/validation/reserve_errors.h"
#include "ui/models/reserve_model.h"

#include <QString>

namespace vramscope {

/// What is reserved by the factor, on which the plan's figures rest, its range, and why no setting
/// may bring less.
[[nodiscard]] QString factorText(const Plan &plan, const Estimate &figures, ByteUnit unit);
/// Why the factor gives the figures and the simulation compares settings, in measured errors.
[[nodiscard]] QString whyFactorText(const ReserveErrors &errors);
/// Which setting is worth a change, or that none is, or that the plan fits under none.
[[nodiscard]] QString reserveAdvice(const PlanReserves &found, ByteUnit unit);
/// What the simulated figures are of.
[[nodiscard]] QString reserveBasis(const PlanReserves &found, ByteUnit unit);

} // namespace vramscope
