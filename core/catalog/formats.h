// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace vramscope {

/// How a format stores the weights of a linear layer, as exact ratios: a matrix of n elements takes
/// n · blockBytes / blockElements, plus groupBits for every group of elements that share a scale
/// and a zero point, plus rowBytes for every output row, plus tensorBytes once.
struct WeightStorage
{
    std::string_view name; ///< in plans: "nf4-double"
    std::int64_t blockBytes = 1;
    std::int64_t blockElements = 1;
    std::int64_t groupBits = 0; ///< above 0: the group size is the plan's choice (128 by default)
    std::int64_t rowBytes = 0;
    std::int64_t tensorBytes = 0;
    std::string_view source{};
    /// A mix of llama.cpp's: blocks of the type that most matrices have. core/llama_cpp/llama_mix.h
    /// lists the tensors that have others.
    bool gguf = false;

    /// Bytes an element without row and tensor scales, for a group size.
    [[nodiscard]] constexpr double bytesPerElement(std::int64_t groupSize = 128) const
    {
        return static_cast<double>(blockBytes) / static_cast<double>(blockElements) +
               static_cast<double>(groupBits) / 8 / static_cast<double>(groupSize);
    }
};

/// A mix that llama-quantize makes, by the blocks of ggml/src/ggml-common.h.
constexpr WeightStorage ggufMix(std::string_view name, std::int64_t bytes, std::int64_t elements)
{
    return {.name = name,
            .blockBytes = bytes,
            .blockElements = elements,
            .source = "Blocks of ggml-common.h; types by llama.cpp src/llama-quant.cpp",
            .gguf = true};
}

/// Every name of `inference.weight_format`, including those of `adapters.base_quantization`. "q4_k"
/// and "q5_k" are common names of the mixes q4_k_m and q5_k_m.
[[nodiscard]] constexpr WeightStorage mlxFormat(std::string_view name, std::int64_t bits)
{
    constexpr std::int64_t kGroup = 64;
    return {.name = name,
            .blockBytes = bits * kGroup / 8 + 4,
            .blockElements = kGroup,
            .source = "MLX: elements of that width, a scale and a bias of 16 bits a group of 64; "
                      "mlx_lm/utils.py, defaults_for_mode()"};
}

inline constexpr std::array<WeightStorage, 46> kWeightStorages = {{
    {.name = "bf16", .blockBytes = 2, .source = "two bytes an element"},
    {.name = "fp16", .blockBytes = 2, .source = "two bytes an element"},
    {.name = "fp32", .blockBytes = 4, .source = "four bytes an element"},
    {.name = "fp8", .tensorBytes = 4, .source = "one byte an element, one fp32 scale a tensor"},
    {.name = "int8",
     .rowBytes = 4,
     .source = "LLM.int8(): one byte an element, one fp32 scale a row"},
    {.name = "gptq-int4-g128",
     .blockElements = 2,
     .groupBits = 20,
     .source = "GPTQ: 4 bits an element; 16-bit scale and 4-bit zero point a group"},
    {.name = "awq-int4-g128",
     .blockElements = 2,
     .groupBits = 20,
     .source = "AWQ: 4 bits an element; 16-bit scale and 4-bit zero point a group"},
    {.name = "nf4",
     .blockBytes = 36,
     .blockElements = 64,
     .source = "bitsandbytes: 4 bits an element, one fp32 scale a block of 64"},
    {.name = "nf4-double",
     .blockBytes = 8452,
     .blockElements = 16384,
     .source = "bitsandbytes: 4 bits an element, one byte a block of 64, one fp32 a 256 blocks"},
    {.name = "mxfp4",
     .blockBytes = 17,
     .blockElements = 32,
     .source = "OCP MX: 4 bits an element, one byte a block of 32"},
    {.name = "nvfp4",
     .blockBytes = 9,
     .blockElements = 16,
     .source = "NVFP4: 4 bits an element, one fp8 scale a block of 16"},
    ggufMix("iq1_s", 50, 256),
    ggufMix("iq1_m", 56, 256),
    ggufMix("iq2_xxs", 66, 256),
    ggufMix("iq2_xs", 74, 256),
    ggufMix("iq2_s", 74, 256),
    ggufMix("iq2_m", 82, 256),
    ggufMix("q2_k_s", 84, 256),
    ggufMix("q2_k", 84, 256),
    ggufMix("iq3_xxs", 98, 256),
    ggufMix("iq3_xs", 110, 256),
    ggufMix("iq3_s", 110, 256),
    ggufMix("iq3_m", 110, 256),
    ggufMix("q3_k_s", 110, 256),
    ggufMix("q3_k_m", 110, 256),
    ggufMix("q3_k_l", 110, 256),
    ggufMix("iq4_xs", 136, 256),
    ggufMix("iq4_nl", 18, 32),
    ggufMix("q4_0", 18, 32),
    ggufMix("q4_1", 20, 32),
    ggufMix("q4_k_s", 144, 256),
    ggufMix("q4_k_m", 144, 256),
    ggufMix("q4_k", 144, 256),
    ggufMix("q5_0", 22, 32),
    ggufMix("q5_1", 24, 32),
    ggufMix("q5_k_s", 176, 256),
    ggufMix("q5_k_m", 176, 256),
    ggufMix("q5_k", 176, 256),
    ggufMix("q6_k", 210, 256),
    ggufMix("q8_0", 34, 32),
    ggufMix("mxfp4_moe", 17, 32),
    mlxFormat("mlx-3bit", 3),
    mlxFormat("mlx-4bit", 4),
    mlxFormat("mlx-5bit", 5),
    mlxFormat("mlx-6bit", 6),
    mlxFormat("mlx-8bit", 8),
}};

/// fp8 as DeepSeek publishes it: block scales instead of one a tensor.
inline constexpr WeightStorage kFp8InBlocks = {
    .name = "fp8",
    .blockBytes = 4097,
    .blockElements = 4096,
    .source = "one byte an element, one fp32 scale a block of 128 × 128"};

/// The storage of that name, or nullptr.
[[nodiscard]] constexpr const WeightStorage *findWeightStorage(std::string_view name)
{
    for (const WeightStorage &storage : kWeightStorages) {
        if (storage.name == name)
            return &storage;
    }
    return nullptr;
}

} // namespace vramscope
