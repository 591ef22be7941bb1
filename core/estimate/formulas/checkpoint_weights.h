// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/serving.h"

namespace vramscope {

/// The weights of a rank as the plan's checkpoint stores them, by part of the model, towers among
/// them, and what the engine holds beside them while it loads. Returns the bytes of the weights.
/// `paddedExperts` take the place of the stored bytes of quantised experts where the engine pads
/// them; else 0.
Exact addCheckpointWeights(const Serving &serving, Ledger &ledger, Exact paddedExperts);

} // namespace vramscope
