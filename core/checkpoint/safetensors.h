// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/checkpoint/tensor_type.h"

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// A tensor as the header of a safetensors file describes it.
struct StoredTensor
{
    std::string name;
    TensorType type;
    std::vector<std::int64_t> shape;
    Bytes bytes = 0;
};

/// Something about a file that does not keep its sizes from being known.
struct FileFinding
{
    bool refused = false; ///< the program that reads such files refuses this one
    std::string text;     ///< a sentence
    bool operator==(const FileFinding &) const = default;
};

/// What a file is, by its first bytes, that people take for weights: a pointer of Git LFS, a web
/// page, a foreign file (base/foreign_files.h); nothing where it is none of them.
[[nodiscard]] std::optional<Error> otherThanWeights(std::string_view start,
                                                    std::string_view remedy);

/// The longest header that the format allows, and so the most that is read of a file
/// (MAX_HEADER_SIZE in huggingface/safetensors, safetensors/src/tensor.rs).
inline constexpr Bytes kLongestHeader = 100'000'000;

/// Tensors of a header, the JSON text behind the first eight bytes, in the order of the file.
/// The tensors must follow each other without gap or overlap, and each be as long as its shape and
/// type say; `dataBytes`, where it is known, are those that follow the header, which they fill.
[[nodiscard]] Result<std::vector<StoredTensor>>
parseSafetensorsHeader(std::string_view header, std::optional<Bytes> dataBytes);

/// The same of a file, of which only the header is read; with the size of the file. That data are
/// missing is a finding: a part of a download has all sizes in its header.
struct SafetensorsFile
{
    std::vector<StoredTensor> tensors;
    Bytes bytes = 0; ///< when all data are there
    std::vector<FileFinding> findings;
};
[[nodiscard]] Result<SafetensorsFile> readSafetensors(const std::filesystem::path &file);

/// What "model.safetensors.index.json" says: where each tensor is, and how large all of them are.
struct SafetensorsIndex
{
    std::map<std::string, std::vector<std::string>> files; ///< name of a file → its tensors
    std::size_t tensors = 0;
    Bytes totalBytes = -1;   ///< metadata.total_size; -1: not stated
    bool totalIsOdd = false; ///< it is stated as something else than a whole number
};
/// A name of a file in it has no folder before it.
[[nodiscard]] Result<SafetensorsIndex> parseSafetensorsIndex(std::string_view text);

} // namespace vramscope
