// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/finding.h"
#include "core/base/result.h"
#include "core/checkpoint/tensor_type.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A tensor as described in the header of a safetensors file.
struct StoredTensor
{
    std::string name;
    TensorType type;
    std::vector<std::int64_t> shape;
    Bytes bytes = 0;
};

/// A finding about a file whose sizes are known all the same. Bad: the program that reads such
/// files refuses this one.
[[nodiscard]] inline Finding fileFinding(bool refused, std::string sentence)
{
    return {.tone = refused ? Tone::Bad : Tone::Note, .sentence = std::move(sentence)};
}

/// Identifies, from its first bytes, a file that people take for weights: a pointer of Git LFS, a
/// web page, a foreign file (base/foreign_files.h); nothing for other files.
[[nodiscard]] std::optional<Error> otherThanWeights(std::string_view start,
                                                    std::string_view remedy);

/// The longest header that the format allows, and so the most that is read from a file
/// (MAX_HEADER_SIZE in huggingface/safetensors, safetensors/src/tensor.rs).
inline constexpr Bytes kLongestHeader = 100'000'000;

/// Tensors of a header, the JSON text after the first eight bytes, in the order of the file. The
/// tensors must follow each other without gap or overlap, and each be as long as its shape and type
/// require; `dataBytes`, if known, are those after the header, which they fill.
[[nodiscard]] Result<std::vector<StoredTensor>>
parseSafetensorsHeader(std::string_view header, std::optional<Bytes> dataBytes);

/// Reads only the header of a file; includes the size of the file. Missing data are a finding: a
/// partial download has all sizes in its header.
struct SafetensorsFile
{
    std::vector<StoredTensor> tensors;
    Bytes bytes = 0; ///< when all data are there
    std::vector<Finding> findings;
};
[[nodiscard]] Result<SafetensorsFile> readSafetensors(const std::filesystem::path &file);

/// The content of "model.safetensors.index.json": where each tensor is, and the total size.
struct SafetensorsIndex
{
    std::map<std::string, std::vector<std::string>> files; ///< name of a file → its tensors
    std::size_t tensors = 0;
    Bytes totalBytes = -1;   ///< metadata.total_size; -1: missing
    bool totalIsOdd = false; ///< it is something other than a whole number
};
/// File names in it must not have a folder.
[[nodiscard]] Result<SafetensorsIndex> parseSafetensorsIndex(std::string_view text);

} // namespace vramscope
