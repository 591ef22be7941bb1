// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint_table.h"
#include "core/checkpoint/gguf.h"

#include <filesystem>
#include <optional>
#include <string>

namespace vramscope {

/// A local checkpoint, of which only headers are read.
struct Checkpoint
{
    /// Nothing for an index whose files are elsewhere, and for a GGUF file without tensors.
    std::optional<CheckpointTable> table;
    std::optional<SafetensorsIndex> index;
    /// The config.json of a folder; nothing without one.
    std::optional<std::filesystem::path> config;
    std::string kind;                  ///< "safetensors, 4 files"
    std::vector<StoredTensor> tensors; ///< of all files
    std::vector<Finding> findings;
    /// Missing parts of a GGUF model: the counts are lower limits.
    std::vector<std::string> missing;
    /// The header of a GGUF model's first existing part, without its tensors; only part 1 has the
    /// model's keys.
    std::optional<GgufFile> gguf;
};

/// The number in the name of a tensor that counts layers: the one after "blk" in a GGUF file, after
/// "layers", "layer", "h", "blocks" or "block" in safetensors. Nothing if the name has none.
[[nodiscard]] std::optional<std::int64_t> layerOf(const StoredTensor &tensor);

/// Bytes of the tensors of each layer, and of those outside layers.
struct LayerBytes
{
    std::map<std::int64_t, Bytes> layers;
    Bytes others = 0;
};
[[nodiscard]] LayerBytes bytesByLayer(std::span<const StoredTensor> tensors);

/// Whether readCheckpoint() takes the path: a folder, "….safetensors", "….safetensors.index.json"
/// or "….gguf".
[[nodiscard]] bool isCheckpointPath(const std::filesystem::path &path);

/// Like isCheckpointPath(), but only for folders with a .safetensors file, an index or a .gguf file
/// in them.
[[nodiscard]] bool holdsCheckpoint(const std::filesystem::path &path);

/// Reads a folder (by its index, or all of its .safetensors files), an index with the files next to
/// it, an index alone, or one file; for a split GGUF model the whole set, whichever part is given.
/// An error is a sentence that names the file and what it lacks: a missing shard of safetensors, a
/// tensor of the index that no shard has, one that two have.
[[nodiscard]] Result<Checkpoint> readCheckpoint(const std::filesystem::path &path);

/// Reads a path of any name: the file's first bytes show what it is.
[[nodiscard]] Result<Checkpoint> readWeights(const std::filesystem::path &path);

} // namespace vramscope
