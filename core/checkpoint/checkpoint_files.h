// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint_table.h"
#include "core/checkpoint/gguf.h"

#include <filesystem>
#include <optional>
#include <string>

namespace vramscope {

/// What a local checkpoint holds: headers alone are read.
struct Checkpoint
{
    /// Nothing of an index whose files are elsewhere, and of a GGUF file without tensors.
    std::optional<CheckpointTable> table;
    std::optional<SafetensorsIndex> index;
    /// The config.json of a folder; nothing where it has none.
    std::optional<std::filesystem::path> config;
    std::string kind;                  ///< "safetensors, 4 files"
    std::vector<StoredTensor> tensors; ///< of all files
    std::vector<FileFinding> findings;
    /// Parts of a GGUF model that are not there: what is counted is its least.
    std::vector<std::string> missing;
    /// The header of a GGUF model's first part that is there, without its tensors; the model's keys
    /// are in part 1 alone.
    std::optional<GgufFile> gguf;
};

/// The number in the name of a tensor that counts layers: the one behind "blk" of a GGUF file,
/// behind "layers", "layer", "h", "blocks" or "block" of safetensors. Nothing where it has none.
[[nodiscard]] std::optional<std::int64_t> layerOf(const StoredTensor &tensor);

/// Bytes of the tensors of each layer, and of those that belong to none.
struct LayerBytes
{
    std::map<std::int64_t, Bytes> layers;
    Bytes others = 0;
};
[[nodiscard]] LayerBytes bytesByLayer(std::span<const StoredTensor> tensors);

/// Whether a path is one that readCheckpoint() takes: a folder, "….safetensors",
/// "….safetensors.index.json" or "….gguf".
[[nodiscard]] bool isCheckpointPath(const std::filesystem::path &path);

/// The same, but only of folders with a .safetensors file, an index or a .gguf file in them.
[[nodiscard]] bool holdsCheckpoint(const std::filesystem::path &path);

/// Reads a folder (by its index, or all of its .safetensors files), an index with the files beside
/// it, an index alone, or one file; of a GGUF model that is split the whole set, whichever part is
/// named. An error is a sentence that says which file lacks what: a shard of safetensors that is
/// missing, a tensor of the index that no shard has, one that two have.
[[nodiscard]] Result<Checkpoint> readCheckpoint(const std::filesystem::path &path);

/// The same of a path of any name: what a file is, its first bytes say.
[[nodiscard]] Result<Checkpoint> readWeights(const std::filesystem::path &path);

} // namespace vramscope
