// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"
#include "core/catalog/empirical.h"
#include "core/settings/engines/vllm_releases.h"

namespace vramscope {

/// The CUDA graphs that vLLM captures on one rank, and what they take.
struct VllmGraphs
{
    std::int64_t pieces = 0;            ///< sizes captured in the pieces between attention
    std::int64_t whole = 0;             ///< sizes captured as one graph
    Exact kernels;                      ///< of one size: what the driver keeps of its launches
    const Empirical *ofLayer = nullptr; ///< what it keeps of a layer
    Exact tensors;                      ///< of the largest size, which smaller ones reuse
    Exact attention;                    ///< partial results and workspace of its kernels

    [[nodiscard]] Bytes bytes() const
    {
        return (kernels * (pieces + whole) + tensors + attention).value();
    }
};

[[nodiscard]] VllmGraphs vllmGraphs(const Settings &settings);

} // namespace vramscope
