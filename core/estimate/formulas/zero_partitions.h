// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/formulas/training.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace vramscope {

/// The tensors that a rank trains, in the order of the model; only the matrices of mixers that keep
/// a state.
[[nodiscard]] std::vector<std::int64_t> tensorsInOrder(const Training &training);

/// A rank's partition under ZeRO-1 and ZeRO-2, in parameters.
struct Partition
{
    std::int64_t averaged = 0; ///< all tensors that overlap it, counted whole
    std::int64_t largest = 0;  ///< the largest piece within it
    std::size_t first = 0;     ///< of these tensors, in the order of the model
    std::size_t last = 0;
};

/// The partition whose gradients, and at their norm the largest of them in fp64, take most.
[[nodiscard]] Partition largestPartition(const Training &training, bool atNorm);

/// Bytes at the end of a backward pass in addition to the gradients that are not reduced yet, on
/// the rank that has most.
struct EndOfReduction
{
    Exact averaged; ///< gradients in the buffer of the rank's own
    Exact sent;     ///< the copy of a bucket
    Exact tied;     ///< gradients of a tied embedding before their sum
    [[nodiscard]] Exact total() const { return averaged + sent + tied; }
};

/// `tied`: bytes of the gradients of a tied embedding before their sum.
[[nodiscard]] EndOfReduction endOfReduction(const Training &training, Exact tied);

} // namespace vramscope
