// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace vramscope {

/// How a format stores the weights of a linear layer, as exact ratios: a matrix of n elements takes
/// n · blockBytes / blockElements, plus groupBits for every group of elements that share a scale
/// and a zero point, plus rowBytes for every output row, plus tensorBytes once.
struct WeightStorage
{
    std::string name; ///< in plans: "nf4-double"
    std::int64_t blockBytes = 1;
    std::int64_t blockElements = 1;
    std::int64_t groupBits = 0; ///< above 0: the group size is the plan's choice (128 by default)
    std::int64_t rowBytes = 0;
    std::int64_t tensorBytes = 0;
    std::string source;
    /// A mix of llama.cpp's: blocks of the type that most matrices have. core/llama_cpp/llama_mix.h
    /// lists the tensors that have others.
    bool gguf = false;

    /// Bytes an element without row and tensor scales, for a group size.
    [[nodiscard]] double bytesPerElement(std::int64_t groupSize = 128) const
    {
        return static_cast<double>(blockBytes) / static_cast<double>(blockElements) +
               static_cast<double>(groupBits) / 8 / static_cast<double>(groupSize);
    }
};

/// Every name of `inference.weight_format`, including those of `adapters.base_quantization`: the
/// rows of resources/models/weight_formats.csv.
[[nodiscard]] std::span<const WeightStorage> weightStorages();

/// fp8 as DeepSeek publishes it: block scales instead of one a tensor.
[[nodiscard]] const WeightStorage &fp8InBlocks();

/// The storage of that name, or nullptr.
[[nodiscard]] const WeightStorage *findWeightStorage(std::string_view name);

} // namespace vramscope
