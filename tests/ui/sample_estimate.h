// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"

#include <array>
#include <string>

namespace vramscope::test {

/// A made-up estimate whose parts add up: two moments, the second the peak, a capacity.
inline Estimate sampleEstimate()
{
    Estimate estimate;
    estimate.computed = true;
    estimate.parametersTotal = 8'030'261'248;
    const auto part = [](Category category, std::string name, Bytes bytes, std::int64_t sharded) {
        return Component{category,   std::move(name),   bytes, "4 N / D = 4 × 8 / 8",
                         "a source", Evidence::Sourced, 0,     sharded};
    };
    const Moment forward{"forward",
                         11 * kGiB,
                         {part(Category::Parameters, "Weight shards", 4 * kGiB, 8),
                          part(Category::Activations, "Block inputs", 7 * kGiB, 1)}};
    const Moment loss{"loss",
                      28 * kGiB + 1,
                      {part(Category::Parameters, "Weight shards", 4 * kGiB, 8),
                       part(Category::Parameters, "Gathered root unit", 2 * kGiB + 1, 1),
                       part(Category::Activations, "Block inputs", 8 * kGiB, 1),
                       part(Category::LossAndLogits, "Logits and their copies", 14 * kGiB, 1)}};
    estimate.moments = {forward, loss};
    estimate.peakMoment = 1;
    estimate.peakAt = "loss";
    estimate.outside = {part(Category::Framework, "CUDA context", 2 * kGiB, 1)};
    estimate.peakAllocated = loss.allocated;
    estimate.peakReserved = loss.allocated + kGiB;
    estimate.peakDevice = loss.allocated + 2 * kGiB;
    estimate.capacity = 79 * kGiB;
    estimate.headroom = *estimate.capacity - estimate.peakDevice;
    estimate.fits = true;
    return estimate;
}

} // namespace vramscope::test
