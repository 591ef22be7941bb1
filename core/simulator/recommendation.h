// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/simulation.h"

namespace vramscope {

/// Indices of `results`, the best first: those that end without running out of memory before the
/// others, of those the least reserved at the peak, then the fewest calls of the driver, then in
/// their order; of the others those that get farther.
[[nodiscard]] std::vector<std::size_t> ranked(std::span<const SimulationResult> results);

/// The one of `results` to use instead of `now`: the first that comes to about the best, where it
/// runs through and `now` does not, or reserves noticeably less. About and noticeably: by
/// `worthwhile` of what is reserved at the peak, less than which means nothing.
[[nodiscard]] std::optional<std::size_t> recommended(const SimulationResult &now,
                                                     std::span<const SimulationResult> results,
                                                     double worthwhile = 0.01);

/// The configurations that people try, as PYTORCH_CUDA_ALLOC_CONF strings, the simple ones first;
/// the first is PyTorch's default. Only what PyTorch 2.`version` reads, where that is known, and
/// garbage collection only where the capacity is, on which it depends.
[[nodiscard]] std::vector<std::string> usualConfigurations(bool capacityKnown,
                                                           std::optional<int> version = {});

} // namespace vramscope
