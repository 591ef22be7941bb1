// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/checkpoint/safetensors.h"

#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

namespace vramscope {

using GgufScalar = std::variant<std::int64_t, double, bool, std::string>;

/// The value of a key. Of an array the count and its first values are kept: numbers enough for one
/// a layer, texts enough for a look.
struct GgufValue
{
    bool isArray = false;
    std::int64_t count = 1;
    std::vector<GgufScalar> first; ///< of a scalar the one
};

/// What the header of a GGUF file says: layout of ggml-org/ggml, include/gguf.h.
struct GgufFile
{
    std::int64_t version = 0;
    bool bigEndian = false;
    std::int64_t alignment = 32; ///< of the data, bytes
    std::map<std::string, GgufValue, std::less<>> keys;
    /// In the order of the file; the row of a shape stands last, as in safetensors.
    std::vector<StoredTensor> tensors;
    Bytes bytes = 0;     ///< of the file
    Bytes dataAt = 0;    ///< where the data begin
    Bytes dataBytes = 0; ///< of all tensors, each padded, as llama.cpp demands them
    std::vector<FileFinding> findings;

    /// The whole number at a key, whatever integer type it has; nothing where it is none.
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const;
    [[nodiscard]] std::string text(std::string_view key) const; ///< empty where it is none
    /// How many elements the array at a key has; 0 where it is none.
    [[nodiscard]] std::int64_t countOf(std::string_view key) const;
};

/// More keys or tensors than any model has.
inline constexpr std::int64_t kMostGgufKeys = 65'536;
inline constexpr std::int64_t kMostGgufTensors = 1'000'000;
/// The most that is read of a file.
inline constexpr Bytes kLongestGgufHeader = Bytes(1) << 30;

/// Whether these first bytes are those of a GGUF file.
[[nodiscard]] bool startsAsGguf(std::string_view start);

/// Reads the header of version 2 or 3, of either byte order. The data need not be there: that they
/// are missing is a finding, as are holes, overlaps and doubles, with sizes that are right all the
/// same. An error says what the bytes contradict; nothing is taken for a count before the bytes
/// that are left could hold it.
[[nodiscard]] Result<GgufFile> readGguf(const std::filesystem::path &file);

} // namespace vramscope
