// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"

namespace vramscope {

/// Uncertainty of the reserved and the device level: fills in both bands from the spreads of the
/// peak's parts, of the memory outside and of the reserved factor. Needs the levels. Each band
/// contains its figure, has a width, and reaches at most 15 % of its figure to either side.
void fillBands(const Plan &plan, const Settings &settings, Estimate &result);

} // namespace vramscope
