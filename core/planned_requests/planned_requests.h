// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/lifecycle.h"
#include "core/simulator/simulation.h"

namespace vramscope {

/// What a plan's first and second training step ask of the caching allocator, point by point of its
/// `lifecycle`: at each, what has become less is freed, the latest tensors first, then what has
/// become more is allocated, cut by TensorSizes. A request's `event` is its point, those of the
/// first step before those of the steady one; after all requests of a point exactly its bytes are
/// allocated, and on the way never more than at one of the two points. Gradients count as one part,
/// so that what backward leaves block by block stays in its place. FSDP's gathered weights and
/// reduced gradients have streams of their own. Empty for plans that serve, have no figures, or are
/// of a diffusion pipeline.
[[nodiscard]] RequestStream plannedRequests(const Estimate &figures, const Lifecycle &lifecycle);

} // namespace vramscope
