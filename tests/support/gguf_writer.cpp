// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/gguf_writer.h"

#include <bit>
#include <fstream>

namespace vramscope::test {

namespace {

constexpr std::int32_t kU16 = 2;
constexpr std::int32_t kU32 = 4;
constexpr std::int32_t kI32 = 5;
constexpr std::int32_t kF32 = 6;
constexpr std::int32_t kBool = 7;
constexpr std::int32_t kString = 8;
constexpr std::int32_t kArray = 9;
constexpr std::int32_t kU64 = 10;

} // namespace

GgufWriter &GgufWriter::raw(std::string_view key, std::int32_t type, std::string_view bytes)
{
    m_keys += textOf(key) + number(type) + std::string(bytes);
    ++m_keyCount;
    return *this;
}

GgufWriter &GgufWriter::text(std::string_view key, std::string_view value)
{
    return raw(key, kString, textOf(value));
}

GgufWriter &GgufWriter::u16(std::string_view key, std::uint16_t value)
{
    return raw(key, kU16, number(value));
}

GgufWriter &GgufWriter::u32(std::string_view key, std::uint32_t value)
{
    return raw(key, kU32, number(value));
}

GgufWriter &GgufWriter::i32(std::string_view key, std::int32_t value)
{
    return raw(key, kI32, number(value));
}

GgufWriter &GgufWriter::u64(std::string_view key, std::uint64_t value)
{
    return raw(key, kU64, number(value));
}

GgufWriter &GgufWriter::flag(std::string_view key, bool value)
{
    return raw(key, kBool, number(static_cast<std::uint8_t>(value)));
}

GgufWriter &GgufWriter::real(std::string_view key, float value)
{
    return raw(key, kF32, number(std::bit_cast<std::uint32_t>(value)));
}

GgufWriter &GgufWriter::numbers(std::string_view key, const std::vector<std::int32_t> &values)
{
    std::string bytes = number(kI32) + number(static_cast<std::uint64_t>(values.size()));
    for (const std::int32_t value : values)
        bytes += number(value);
    return raw(key, kArray, bytes);
}

GgufWriter &GgufWriter::flags(std::string_view key, const std::vector<bool> &values)
{
    std::string bytes = number(kBool) + number(static_cast<std::uint64_t>(values.size()));
    for (const bool value : values)
        bytes += number(static_cast<std::uint8_t>(value));
    return raw(key, kArray, bytes);
}

GgufWriter &GgufWriter::tokens(std::string_view key, std::size_t count)
{
    std::string bytes = number(kString) + number(static_cast<std::uint64_t>(count));
    for (std::size_t i = 0; i < count; ++i)
        bytes += textOf("t" + std::to_string(i));
    return raw(key, kArray, bytes);
}

GgufWriter &GgufWriter::tensor(std::string_view name, std::int32_t type,
                               const std::vector<std::int64_t> &ne, std::uint64_t bytes,
                               std::optional<std::uint64_t> offset)
{
    m_infos += textOf(name) + number(static_cast<std::uint32_t>(ne.size()));
    for (const std::int64_t size : ne)
        m_infos += number(size);
    m_infos += number(type) + number(offset.value_or(m_offset));
    m_offset = (m_offset + bytes + alignment - 1) / alignment * alignment;
    ++m_tensorCount;
    return *this;
}

std::string GgufWriter::header() const
{
    return "GGUF" + number(version) + number(tensorCount.value_or(m_tensorCount)) +
           number(keyCount.value_or(m_keyCount)) + m_keys + m_infos;
}

void GgufWriter::write(const std::filesystem::path &file) const
{
    const std::string bytes = header();
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    out << bytes;
    out.close();
    const std::uint64_t data = (bytes.size() + alignment - 1) / alignment * alignment;
    std::filesystem::resize_file(file, m_tensorCount > 0 ? data + m_offset : bytes.size());
}

GgufWriter smallModel(std::string_view architecture, std::uint32_t layers, std::uint32_t width,
                      std::uint32_t heads, std::uint32_t kvHeads)
{
    const std::string prefix = std::string(architecture) + '.';
    GgufWriter writer;
    writer.text("general.architecture", architecture)
        .u32(prefix + "block_count", layers)
        .u32(prefix + "context_length", 4096)
        .u32(prefix + "embedding_length", width)
        .u32(prefix + "feed_forward_length", 3 * width)
        .u32(prefix + "attention.head_count", heads)
        .u32(prefix + "attention.head_count_kv", kvHeads)
        .tokens("tokenizer.ggml.tokens", 100);
    return writer;
}

} // namespace vramscope::test
