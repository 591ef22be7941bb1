// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/catalog/gpus.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A GPU that people name in words. Without `gpu` and with `others`, the words are a name, and the
/// GPU depends on a size that is missing or that none of the others is sold with: "a Mac", "an RTX
/// 4090 with 40 GB". Without both, no GPU has that name.
struct NamedGpu
{
    const GpuPreset *gpu = nullptr;
    bool ofFamily = false; ///< the words name several GPUs; `gpu` is the commonest
    std::vector<const GpuPreset *> others{}; ///< GPUs of other sizes or forms that they may mean
};

/// Words of the longest name, "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition": a search
/// for names in a sentence tries as many.
inline constexpr std::size_t kMostGpuWords = 9;

/// The GPU that some words mean, whatever their case, order, blanks and dashes: its name in plans,
/// its title, its names in drivers, shops and clouds (resources/gpus/names.csv), any of these
/// without maker, brand, form or size, and in the plural: "l40s", "4090s", "laptop RTX 4070 8GB",
/// "NVIDIA A100-SXM4-80GB", "MacBook Pro M4 Max 36 GB".
[[nodiscard]] NamedGpu findNamedGpu(std::string_view words);

/// The same with a separate size in GB, as sold: of all GPUs that the name may mean the one of that
/// size, laptop and rebuilt cards included. A size matches within 7 %, as people round it. 0: no
/// size.
[[nodiscard]] NamedGpu findNamedGpu(std::string_view words, std::int64_t gigabytes);

/// " (did you mean 'h100-sxm-80gb', 'h100-pcie-80gb' or 'h100-nvl-94gb'?)": GPUs by their names in
/// plans, for an unknown name; or nothing.
[[nodiscard]] std::string didYouMeanGpu(std::string_view name);

/// Without blanks and dashes, in small letters: the key by which names of models and GPUs match.
[[nodiscard]] std::string nameKey(std::string_view words);

} // namespace vramscope
