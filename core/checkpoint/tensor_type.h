// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace vramscope {

/// A type of values in a safetensors or a GGUF file.
struct TensorType
{
    std::string_view name;     ///< the name in safetensors or llama.cpp: "BF16", "Q4_K"
    std::int64_t bits = 0;     ///< of one block
    bool isFloat = false;      ///< F64 to BF16: a type for a model's arithmetic, unquantised
    std::int64_t block = 1;    ///< elements of a row that are stored together
    std::int64_t rowBytes = 0; ///< bytes of each row in addition to its blocks

    bool operator==(const TensorType &) const = default;
};

/// Every type of safetensors (enum Dtype in huggingface/safetensors, safetensors/src/tensor.rs).
[[nodiscard]] std::span<const TensorType> tensorTypes();
/// The type of that name, of either format, or nullptr.
[[nodiscard]] const TensorType *findTensorType(std::string_view name);

/// A type of GGUF files by its number: those of llama.cpp (enum ggml_type in ggml/include/ggml.h,
/// sizes of ggml/src/ggml-common.h) and those of ik_llama.cpp alone (its ggml/include/ggml.h and
/// ggml/src/ggml.c).
struct GgmlType
{
    std::int32_t number = 0;
    TensorType type;
    bool isFork = false; ///< only in ik_llama.cpp
};
[[nodiscard]] std::span<const GgmlType> ggmlTypes();
/// Nothing for an unused number, or a removed one (4, 5, 31 to 33, 36 to 38).
[[nodiscard]] const GgmlType *findGgmlType(std::int32_t number);

/// More bytes of tensors than any checkpoint has, so that sums of several files can be counted.
inline constexpr std::int64_t kMostTensorBytes = std::int64_t(1) << 60;

/// Product of the dimensions; 1 for a scalar.
[[nodiscard]] Exact elementsOf(std::span<const std::int64_t> shape);
/// Bytes of a tensor; the last dimension is the row. Nothing if elements of less than a byte do not
/// fill the last one, or a row is not a multiple of the block.
[[nodiscard]] std::optional<Exact> bytesOf(const TensorType &type,
                                           std::span<const std::int64_t> shape);

} // namespace vramscope
