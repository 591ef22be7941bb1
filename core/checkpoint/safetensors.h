// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/result.h"
#include "core/checkpoint/tensor_type.h"

#include <filesystem>
#include <map>
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

/// The longest header that the format allows, and so the most that is read of a file
/// (MAX_HEADER_SIZE in huggingface/safetensors, safetensors/src/tensor.rs).
inline constexpr Bytes kLongestHeader = 100'000'000;

/// Tensors of a header, the JSON text behind the first eight bytes, in the order of the file.
/// `dataBytes` are those that follow it: the tensors must fill them without gap or overlap, and
/// each be as long as its shape and type say.
[[nodiscard]] Result<std::vector<StoredTensor>> parseSafetensorsHeader(std::string_view header,
                                                                       Bytes dataBytes);

/// The same of a file, of which only the header is read; with the size of the file.
struct SafetensorsFile
{
    std::vector<StoredTensor> tensors;
    Bytes bytes = 0;
};
[[nodiscard]] Result<SafetensorsFile> readSafetensors(const std::filesystem::path &file);

/// What "model.safetensors.index.json" says: where each tensor is, and how large all of them are.
struct SafetensorsIndex
{
    std::map<std::string, std::vector<std::string>> files; ///< name of a file → its tensors
    std::size_t tensors = 0;
    Bytes totalBytes = -1; ///< metadata.total_size; -1: not stated
};
/// A name of a file in it has no folder before it.
[[nodiscard]] Result<SafetensorsIndex> parseSafetensorsIndex(std::string_view text);

} // namespace vramscope
