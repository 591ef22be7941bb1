// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/planner/formulas/serving.h"

namespace vramscope {

/// The weights of a rank as the plan's checkpoint stores them, by part of the model, towers among
/// them, and what the engine holds beside them while it loads. Returns the bytes of the weights.
/// `experts` replaces the stored bytes of quantised experts where the engine pads them; else -1.
Exact addCheckpointWeights(const Serving &serving, Ledger &ledger, Exact paddedExperts);

/// Bytes of tensors that the loader holds on the host at once: what it has mapped of the files and
/// not yet copied. 0 without a checkpoint.
[[nodiscard]] std::int64_t loadedThroughHost(const Settings &settings);

} // namespace vramscope
