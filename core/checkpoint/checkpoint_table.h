// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/safetensors.h"

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vramscope {

/// Layers from the first to the second, both included.
using LayerRange = std::pair<std::int64_t, std::int64_t>;

/// Tensors whose names differ only in numbers: "model.layers.*.mlp.experts.*.up_proj.weight".
struct TensorGroup
{
    std::string name;
    TensorType type;
    std::vector<std::int64_t> shape;
    /// The values of the first number of the name, ascending; empty without a number.
    std::vector<LayerRange> layers;
    std::int64_t each = 1; ///< tensors in each of the layers

    [[nodiscard]] std::int64_t layerCount() const;
    /// Layers from `first` on, fewer than `count` after it.
    [[nodiscard]] std::int64_t layersWithin(std::int64_t first, std::int64_t count) const;
    [[nodiscard]] std::int64_t tensors() const
    {
        return each * (layers.empty() ? 1 : layerCount());
    }
    [[nodiscard]] Bytes bytesOfOne() const;
    [[nodiscard]] Bytes bytes() const { return bytesOfOne() * tensors(); }

    bool operator==(const TensorGroup &) const = default;
};

/// The data of a checkpoint that a plan keeps, so that the document is complete without the files.
struct CheckpointTable
{
    std::int64_t files = 0;
    Bytes fileBytes = 0; ///< with their headers
    Bytes largestFileBytes = 0;
    std::vector<TensorGroup> groups;

    [[nodiscard]] std::int64_t tensors() const;
    [[nodiscard]] Bytes bytes() const; ///< of all tensors
    bool operator==(const CheckpointTable &) const = default;
};

/// Bytes of all tensors of a type.
struct TypeBytes
{
    TensorType type;
    Bytes bytes = 0;
    std::int64_t tensors = 0;
};
/// The bytes of every type in a table, the largest first.
[[nodiscard]] std::vector<TypeBytes> bytesByType(const CheckpointTable &table);

/// More kinds of tensors than any model has; a plan does not accept a checkpoint with more.
inline constexpr std::size_t kMostGroups = 2000;

/// Collects the tensors of files into their groups, in the order in which they first appear.
[[nodiscard]] Result<std::vector<TensorGroup>> groupTensors(std::span<const StoredTensor> tensors);

/// The table in the form of a plan's `model.checkpoint`, an object on one line. parseCheckpoint()
/// gives back the same table.
[[nodiscard]] std::string checkpointJson(const CheckpointTable &table);
/// Checks untrusted input: types, sizes, that sums can be counted. The error names the place.
[[nodiscard]] Result<CheckpointTable> parseCheckpoint(std::string_view json);

} // namespace vramscope
