// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/support/allocator_model.h"
#include "tests/support/training_stacks.h"

#include <string>
#include <vector>

namespace vramscope::test {

/// One end of a range that the training program marked.
struct StoryMark
{
    std::string name;
    bool start = true;
    std::int64_t time = 0;
};

/// A recorded run: what a snapshot file of it holds, and what is known of it.
struct Story
{
    std::vector<ModelEvent> events;
    std::vector<ModelSegment> segments;
    std::vector<StoryMark> marks;
    ModelTruth truth;
    bool expandable = false;
    std::int64_t sideStream = 0;
};

/// A language model of 0.5 billion parameters is trained with AdamW under bf16 autocast on a GPU of
/// 24 GB: three steps, of which the first makes the optimizer states, then a batch of longer
/// sequences that no longer fits. The allocator returns what it has cached and tries again in vain.
[[nodiscard]] Story trainingOutOfMemory();

/// A larger model, sharded over many GPUs, is trained with expandable segments: its layers are
/// gathered on a stream of their own, so that frees complete late; a private pool of a CUDA graph
/// stays from the start; emptyCache() unmaps pages before an evaluation.
[[nodiscard]] Story trainingExpandableSegments();

} // namespace vramscope::test
