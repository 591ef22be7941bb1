// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/serving.h"

namespace vramscope {

/// The weights of a rank as the plan's checkpoint stores them, by part of the model, with towers,
/// and the engine's extra memory while it loads. Returns the bytes of the weights. `paddedExperts`
/// replace the stored bytes of quantised experts where the engine pads them; else 0.
Exact addCheckpointWeights(const Serving &serving, Ledger &ledger, Exact paddedExperts);

} // namespace vramscope
