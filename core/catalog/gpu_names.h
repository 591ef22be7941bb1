// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/gpus.h"

#include <string>
#include <string_view>

namespace vramscope {

/// A GPU that people name in words.
struct NamedGpu
{
    const GpuPreset *gpu = nullptr; ///< null: no GPU has that name
    bool ofFamily = false;          ///< the words name a family, of which it is the commonest
};

/// The GPU that some words mean, whatever their case, blanks and dashes: its name in plans, its
/// title, either without size or brand where that is one GPU ("l40s", "4090"), or a family:
/// "h100", "a100 40 GB".
[[nodiscard]] NamedGpu findNamedGpu(std::string_view words);

/// " (did you mean 'h100-sxm-80gb', 'h100-pcie-80gb' or 'h100-nvl-94gb'?)": GPUs by the names that
/// plans use, of a name that none has; or nothing.
[[nodiscard]] std::string didYouMeanGpu(std::string_view name);

/// Without blanks and dashes, in small letters: by what names of models and GPUs are alike.
[[nodiscard]] std::string nameKey(std::string_view words);

} // namespace vramscope
