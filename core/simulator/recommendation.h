// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/simulator/simulation.h"

namespace vramscope {

/// Indices of `results`, the best first: those that do not run out of memory before the others,
/// among those the lowest peak of reserved bytes, then the fewest calls of the driver, then in
/// their order; among the others those that get farther.
[[nodiscard]] std::vector<std::size_t> ranked(std::span<const SimulationResult> results);

/// The one of `results` to use instead of `now`: the first that is about as good as the best, if it
/// completes and `now` does not, or reserves noticeably less. About and noticeably: by `worthwhile`
/// of the reserved peak; smaller differences mean nothing.
[[nodiscard]] std::optional<std::size_t> recommended(const SimulationResult &now,
                                                     std::span<const SimulationResult> results,
                                                     double worthwhile = 0.01);

/// The configurations that people try, as PYTORCH_CUDA_ALLOC_CONF strings, the simple ones first;
/// the first is PyTorch's default. Only options that PyTorch 2.`version` reads, if known, and
/// garbage collection only if the capacity is known, on which it depends; last, if it is another,
/// the user's `own`.
[[nodiscard]] std::vector<std::string> usualConfigurations(bool capacityKnown,
                                                           std::optional<int> version = {},
                                                           const std::string &own = {});

} // namespace vramscope
