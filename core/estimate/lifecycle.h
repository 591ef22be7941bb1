// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"
#include "core/estimate/stream.h"
#include "core/settings/schedules/position.h"

#include <cstdint>
#include <string>
#include <vector>

namespace vramscope {

/// One point of a step: while a block runs, after it has run, or a moment between.
struct LifecyclePoint
{
    StepPhase phase = StepPhase::Rest;
    std::string moment;      ///< a name of Estimate::moments, or "after forward of block 3"
    std::int64_t block = -1; ///< of the stage, from 0; -1 where no block runs
    bool after = false;      ///< the block has run: its temporary memory is gone
    Bytes allocated = 0;
    std::vector<Bytes> bytes; ///< of each part, in the order of Lifecycle::parts
};

/// The memory of one GPU through a step, block by block, fine enough to draw: what is saved,
/// gathered, recomputed, released. Under accumulation or a pipeline it is that of the micro-batch
/// with the peak, together with the others in flight.
struct Lifecycle
{
    struct Part
    {
        Category category = Category::Parameters;
        std::string name;
        Stream stream = Stream::Compute;
    };
    std::vector<Part> parts;                ///< by category
    std::vector<LifecyclePoint> firstStep;  ///< loading first; states come with the step's own end
    std::vector<LifecyclePoint> steadyStep; ///< the highest of all is Estimate::peakAllocated
};

/// The step of a plan: 4 points a block and step. Empty where estimate() gives no figures. Takes
/// some hundred microseconds for a hundred blocks.
[[nodiscard]] Lifecycle lifecycle(const Estimate &figures);

} // namespace vramscope
