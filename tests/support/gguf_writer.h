// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope::test {

/// Writes the header of a GGUF file byte by byte, whatever it says: numbers of types are those of
/// the format, and nothing is checked.
class GgufWriter
{
public:
    explicit GgufWriter(bool bigEndian = false)
        : m_bigEndian(bigEndian)
    {
    }

    std::uint32_t version = 3;
    std::optional<std::int64_t> tensorCount; ///< where it is not the true one
    std::optional<std::int64_t> keyCount;
    std::uint64_t alignment = 32;

    GgufWriter &text(std::string_view key, std::string_view value);
    GgufWriter &u16(std::string_view key, std::uint16_t value);
    GgufWriter &u32(std::string_view key, std::uint32_t value);
    GgufWriter &i32(std::string_view key, std::int32_t value);
    GgufWriter &u64(std::string_view key, std::uint64_t value);
    GgufWriter &flag(std::string_view key, bool value);
    GgufWriter &real(std::string_view key, float value);
    GgufWriter &numbers(std::string_view key, const std::vector<std::int32_t> &values);
    GgufWriter &flags(std::string_view key, const std::vector<bool> &values);
    GgufWriter &tokens(std::string_view key, std::size_t count);
    /// A key, the number of its type, and bytes as they are.
    GgufWriter &raw(std::string_view key, std::int32_t type, std::string_view bytes);

    /// `bytes` are what the next one is placed behind; `ne` has the row first. A given offset
    /// stands in the place of the right one.
    GgufWriter &tensor(std::string_view name, std::int32_t type,
                       const std::vector<std::int64_t> &ne, std::uint64_t bytes,
                       std::optional<std::uint64_t> offset = std::nullopt);

    /// To the end of the infos of tensors.
    [[nodiscard]] std::string header() const;
    /// With as many bytes of nothing behind it as its tensors take.
    void write(const std::filesystem::path &file) const;

    /// A number in the byte order of the file.
    template<class Number>
    [[nodiscard]] std::string number(Number value) const
    {
        std::string bytes;
        auto rest = static_cast<std::uint64_t>(value);
        for (std::size_t i = 0; i < sizeof(Number); ++i, rest >>= 8U)
            bytes.insert(m_bigEndian ? bytes.begin() : bytes.end(),
                         static_cast<char>(rest & 0xFFU));
        return bytes;
    }
    [[nodiscard]] std::string textOf(std::string_view text) const
    {
        return number(static_cast<std::uint64_t>(text.size())) + std::string(text);
    }

private:
    bool m_bigEndian;
    std::string m_keys;
    std::string m_infos;
    std::int64_t m_keyCount = 0;
    std::int64_t m_tensorCount = 0;
    std::uint64_t m_offset = 0;
};

/// The keys of a small model of the class, with a vocabulary of 100.
[[nodiscard]] GgufWriter smallModel(std::string_view architecture, std::uint32_t layers,
                                    std::uint32_t width, std::uint32_t heads,
                                    std::uint32_t kvHeads);

} // namespace vramscope::test
