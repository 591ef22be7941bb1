// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"
#include "core/catalog/formats.h"
#include "core/estimate/formulas/inventory.h"

namespace vramscope {

/// How weights are stored: the format of linear layers and the modules that stay unchanged.
struct StorageChoice
{
    const WeightStorage *storage;
    std::int64_t groupSize; ///< elements of a column that share a scale; -1: all of them
    const TextList &notConverted;
};

/// Elements of one rank that are stored quantised, their bytes, and the rest.
struct StoredWeights
{
    Exact elements;
    Exact bytes;
    Exact rest;               ///< parameters kept in 16 or 32 bit
    std::int64_t largest = 0; ///< elements of the largest quantised matrix
    Exact expertBytes;        ///< the part of `bytes` and of `rest` in routed experts
    Exact expertRest;
    Exact ofKernels; ///< bytes that kernels of experts keep in addition to `bytes`
};

/// Only linear layers are quantised (and an embedding that is not kept); norms and biases never
/// are. Bytes per element: core/catalog/formats.h.
[[nodiscard]] StoredWeights storedWeights(const Settings &settings, const RankInventory &rank,
                                          const StorageChoice &choice);

} // namespace vramscope
