// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/gpus.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A machine that is rented or bought whole: a row of resources/gpus/instances.csv, whose README
/// describes the columns.
struct CloudInstance
{
    std::string name;     ///< "p5.48xlarge", "Standard_ND96isr_H100_v5", "DGX H100"
    std::string provider; ///< "AWS"
    const GpuPreset *gpu = nullptr;
    std::vector<const GpuPreset *> others{}; ///< other GPUs that the name may mean: a DGX A100
    std::int64_t gpus = 0;
    std::int64_t gpusPerNode = 0;     ///< GPUs that reach each other by their own link: all
    Bytes hostMemoryBytes = 0;        ///< of the node; 0: unknown
    std::int64_t networkGigabits = 0; ///< a second, one way, for one GPU; 0: unknown
    std::string source;
};

/// Words of the longest name, "Standard ND96amsr A100 v4": a search for names in a sentence tries
/// as many.
inline constexpr std::size_t kMostInstanceWords = 6;

/// The machine of that name, whatever its case, blanks, dashes, dots and underscores:
/// "p5.48xlarge", "ND H100 v5", "a2 ultragpu 8g", "colab T4", "v5litepod-8", whose number counts
/// chips. Nothing where no row has the name, or the number is not sold ("v5p-7", where two make a
/// chip).
[[nodiscard]] std::optional<CloudInstance> findInstance(std::string_view words);

/// All rows in their order; "v5litepod-#" covers any number, and has no count of GPUs.
[[nodiscard]] std::span<const CloudInstance> cloudInstances();

} // namespace vramscope
