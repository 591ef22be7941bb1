// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/checkpoint_table.h"

#include <filesystem>
#include <optional>
#include <string>

namespace vramscope {

/// What a local checkpoint holds: headers alone are read.
struct Checkpoint
{
    std::optional<CheckpointTable> table; ///< nothing of an index whose files are elsewhere
    std::optional<SafetensorsIndex> index;
    /// The config.json of a folder; nothing where it has none.
    std::optional<std::filesystem::path> config;
    std::string kind; ///< "safetensors, 4 files"
};

/// Whether a path is one that readCheckpoint() takes: a folder, "….safetensors" or
/// "….safetensors.index.json".
[[nodiscard]] bool isCheckpointPath(const std::filesystem::path &path);

/// The same, but only of folders with a .safetensors file or an index in them.
[[nodiscard]] bool holdsCheckpoint(const std::filesystem::path &path);

/// Reads a folder (by its index, or all of its .safetensors files), an index with the files beside
/// it, an index alone, or one file. An error is a sentence that says which file lacks what: a shard
/// that is missing or cut, a tensor of the index that no shard has, one that two have.
[[nodiscard]] Result<Checkpoint> readCheckpoint(const std::filesystem::path &path);

} // namespace vramscope
