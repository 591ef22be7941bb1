// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <nlohmann/json_fwd.hpp>

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

/// Columns of numbers and texts on their way into a page: coded, compressed together, and named in
/// the head of the document that carries them. README.md describes the format.
class PackedColumns
{
public:
    enum class Coding {
        Plain,  ///< "varint": none is negative
        Signed, ///< "signed": zigzag
        Delta,  ///< "delta": the differences, zigzag
    };
    void add(std::string_view name, Coding coding, std::span<const std::int64_t> values);
    void addTexts(std::string_view name, std::span<const std::string> texts);

    /// `head` with the columns and their bytes, as JSON that can be the content of an element:
    /// without "<" and "&".
    [[nodiscard]] std::string document(nlohmann::ordered_json head) const;

private:
    struct Column
    {
        std::string name;
        std::string_view coding;
        std::size_t count;
    };

    std::vector<Column> m_columns;
    std::string m_bytes;
};

} // namespace vramscope
