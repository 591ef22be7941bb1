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

/// Tensors that differ by numbers in their name alone:
/// "model.layers.*.mlp.experts.*.up_proj.weight".
struct TensorGroup
{
    std::string name;
    TensorType type;
    std::vector<std::int64_t> shape;
    /// What the first number of the name goes through, ascending; empty where it has none.
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

/// What a plan keeps of a checkpoint, so that the document stands without the files.
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
/// Of every type that a table has, the largest first.
[[nodiscard]] std::vector<TypeBytes> bytesByType(const CheckpointTable &table);

/// More kinds of tensors than any model has are no checkpoint that a plan could hold.
inline constexpr std::size_t kMostGroups = 2000;

/// Collects the tensors of files into their groups, in the order in which they first appear.
[[nodiscard]] Result<std::vector<TensorGroup>> groupTensors(std::span<const StoredTensor> tensors);

/// The table as `model.checkpoint` of a plan holds it, an object on one line. parseCheckpoint()
/// gives back the same table.
[[nodiscard]] std::string checkpointJson(const CheckpointTable &table);
/// Checks what may come from anywhere: types, sizes, that sums can be counted. The error names the
/// place.
[[nodiscard]] Result<CheckpointTable> parseCheckpoint(std::string_view json);

} // namespace vramscope
