// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/reconcile/reconciliation.h"

#include <vector>

namespace vramscope {

/// What an allocation of `bytes` may be in a plan, from the shapes that its settings give: tensors
/// of the logits and of a block, attention scores, weights with their gradients and states, what
/// FSDP gathers and reduces, buckets of DDP and ZeRO, the key-value cache of a layer. The
/// likeliest first, at most four; none where nothing in the plan has this size, or the plan has no
/// figures, or is of a diffusion pipeline. A name is of exactly `bytes`, or of what the allocator
/// rounds up to them.
[[nodiscard]] std::vector<SizeName> namesOfSize(const Plan &plan, Bytes bytes);

} // namespace vramscope
