// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/exact.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace vramscope {

/// A type of values in a safetensors file.
struct TensorType
{
    std::string_view name; ///< as the header writes it, "BF16"
    std::int64_t bits = 0; ///< of one element
    bool isFloat = false;  ///< F64 to BF16: what a model computes in, unquantised

    bool operator==(const TensorType &) const = default;
};

/// Every type of the format: enum Dtype in huggingface/safetensors,
/// safetensors/src/tensor.rs.
[[nodiscard]] std::span<const TensorType> tensorTypes();
/// The type of that name, or nullptr.
[[nodiscard]] const TensorType *findTensorType(std::string_view name);

/// Product of the dimensions; 1 of a scalar.
[[nodiscard]] Exact elementsOf(std::span<const std::int64_t> shape);
/// Bytes of a tensor; nothing where elements of less than a byte do not fill the last one.
[[nodiscard]] std::optional<Exact> bytesOf(const TensorType &type,
                                           std::span<const std::int64_t> shape);

} // namespace vramscope
