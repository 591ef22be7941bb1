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

/// The value of a key. An array keeps its count and its first values: enough numbers for one per
/// layer, enough texts for an impression.
struct GgufValue
{
    bool isArray = false;
    std::int64_t count = 1;
    std::vector<GgufScalar> first; ///< for a scalar only that
};

/// The content of a GGUF file's header: layout of ggml-org/ggml, include/gguf.h.
struct GgufFile
{
    std::int64_t version = 0;
    bool bigEndian = false;
    std::int64_t alignment = 32; ///< of the data, bytes
    std::map<std::string, GgufValue, std::less<>> keys;
    /// In the order of the file; the row of a shape comes last, as in safetensors.
    std::vector<StoredTensor> tensors;
    Bytes bytes = 0;     ///< of the file
    Bytes dataAt = 0;    ///< where the data begin
    Bytes dataBytes = 0; ///< of all tensors, each padded as llama.cpp requires
    std::vector<Finding> findings;

    /// The whole number at a key, of any integer type; nothing for another type or a missing key.
    [[nodiscard]] std::optional<std::int64_t> number(std::string_view key) const;
    [[nodiscard]] std::string text(std::string_view key) const; ///< empty if it is not a text
    /// The number of elements of the array at a key; 0 for another type or a missing key.
    [[nodiscard]] std::int64_t countOf(std::string_view key) const;
};

/// More keys or tensors than any model has.
inline constexpr std::int64_t kMostGgufKeys = 65'536;
inline constexpr std::int64_t kMostGgufTensors = 1'000'000;
/// The most bytes that are read from a file.
inline constexpr Bytes kLongestGgufHeader = Bytes(1) << 30;

/// Whether these first bytes are those of a GGUF file.
[[nodiscard]] bool startsAsGguf(std::string_view start);

/// Reads the header of version 2 or 3, of either byte order. The data may be missing: that is a
/// finding, like holes, overlaps and doubles, which do not make the sizes wrong. An error says what
/// the bytes contradict; a count is accepted only if the remaining bytes could hold it.
[[nodiscard]] Result<GgufFile> readGguf(const std::filesystem::path &file);

} // namespace vramscope
