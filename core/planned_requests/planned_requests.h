// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/lifecycle.h"
#include "core/simulator/simulation.h"

namespace vramscope {

/// The requests to the caching allocator in a plan's first and second training step, point by point
/// of its `lifecycle`: at each point, parts that shrank are freed, the latest tensors first, then
/// parts that grew are allocated, cut by TensorSizes. A request's `event` is its point, those of
/// the first step before those of the steady one; after all requests of a point exactly its bytes
/// are allocated, and on the way never more than at one of the two points. Gradients count as one
/// part, so that those that backward leaves block by block stay in place. FSDP's gathered weights
/// and reduced gradients have streams of their own. Empty for plans that serve, have no figures, or
/// are for a diffusion pipeline.
[[nodiscard]] RequestStream plannedRequests(const Estimate &figures, const Lifecycle &lifecycle);

} // namespace vramscope
