// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"

#include <cstddef>
#include <cstdint>

namespace vramscope {

/// The limits by which categories are found. tests/bench/bench_labelled prints the curve of each.
struct CategoryThresholds
{
    float leastConfidence = 0.6F;  ///< probability below which a category is only a guess
    float leastOfKin = 0.7F;       ///< probability, for an allocation to tell what its equals are
    std::int32_t fewEvents = 24;   ///< events: shorter lives are always temporary
    std::int64_t leastLayers = 2;  ///< equal blocks, for a cache of keys and values
    double leastMasters = 0.5;     ///< share of gradients with a kept copy of twice their size
    double largestKeptShare = 0.3; ///< share that inference keeps of what its passes allocate
    double flatPadding = 0.01;     ///< share by which flat buffers are larger than what they hold
    double leastMoved = 0.9;       ///< share of parameters that are freed once they are flat

    // Logits, found from what the loss makes of them.
    Bytes smallestLogits = 1 << 20; ///< bytes
    Bytes smallShare = 16;          ///< divisor of their size: smaller allocations are passed over
    double sizeSlack = 0.04;        ///< share of the size by which a shifted sequence differs
    std::size_t mostSteps = 64;     ///< allocations to walk back
    std::size_t mostCopies = 3;     ///< copies of the logits in one size
};

} // namespace vramscope
