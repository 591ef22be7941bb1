// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/training.h"
#include "core/reconcile/size_matcher.h"

namespace vramscope {

// The tensors of a plan that namesOfSize() tells apart, by subject.

/// What a training step makes of its tokens: logits, what passes through a block, attention scores.
void addActivationSizes(const Training &training, SizeMatcher &matcher);
/// The same of an engine's batch, and the cache of a layer. `kvBlocks`: vLLM's, else 0.
void addServingSizes(const Training &training, std::int64_t kvBlocks, SizeMatcher &matcher);
/// Weights, gradients and states: of single tensors, of FSDP's units, and in flat buffers.
void addWeightSizes(const Training &training, SizeMatcher &matcher);
/// The buckets in which DDP and DeepSpeed's ZeRO reduce and gather.
void addBucketSizes(const Training &training, SizeMatcher &matcher);

} // namespace vramscope
