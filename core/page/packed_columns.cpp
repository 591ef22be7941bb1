// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/page/packed_columns.h"

#include "core/base/base64.h"
#include "core/base/json_text.h"
#include "core/base/report_mark.h"

#include <nlohmann/json.hpp>

#include <new>

#include <zlib.h>

namespace vramscope {

namespace {

void putVarint(std::string &bytes, std::uint64_t value)
{
    for (; value >= 0x80U; value >>= 7)
        bytes += static_cast<char>((value & 0x7fU) | 0x80U);
    bytes += static_cast<char>(value);
}

std::uint64_t zigzag(std::int64_t value)
{
    return static_cast<std::uint64_t>(value) << 1 ^ static_cast<std::uint64_t>(value >> 63);
}

/// As a stream of RFC 1951, in parts that zlib's 32 bits can count.
std::string deflated(std::string_view bytes)
{
    constexpr int kLevel = 6;
    constexpr int kMemory = 9;
    constexpr std::size_t kPart = std::size_t(1) << 20;
    z_stream stream{};
    if (deflateInit2(&stream, kLevel, Z_DEFLATED, -MAX_WBITS, kMemory, Z_DEFAULT_STRATEGY) != Z_OK)
        throw std::bad_alloc();
    std::string packed;
    int state = Z_OK;
    while (state != Z_STREAM_END) {
        if (stream.avail_in == 0) {
            const std::string_view part = bytes.substr(0, kPart);
            stream.next_in =
                reinterpret_cast<Bytef *>(const_cast<char *>(part.data())); // only read
            stream.avail_in = static_cast<uInt>(part.size());
            bytes.remove_prefix(part.size());
        }
        const std::size_t size = packed.size();
        packed.resize(size + kPart);
        stream.next_out = reinterpret_cast<Bytef *>(packed.data() + size);
        stream.avail_out = static_cast<uInt>(kPart);
        state = deflate(&stream, bytes.empty() ? Z_FINISH : Z_NO_FLUSH);
        packed.resize(size + kPart - stream.avail_out);
    }
    deflateEnd(&stream);
    return packed;
}

} // namespace

void PackedColumns::add(std::string_view name, Coding coding, std::span<const std::int64_t> values)
{
    constexpr std::string_view kNames[] = {"varint", "signed", "delta"};
    m_columns.push_back(
        {std::string(name), kNames[static_cast<std::size_t>(coding)], values.size()});
    std::uint64_t before = 0;
    for (const std::int64_t value : values) {
        const auto bits = static_cast<std::uint64_t>(value);
        if (coding == Coding::Plain)
            putVarint(m_bytes, bits);
        else
            putVarint(m_bytes, zigzag(static_cast<std::int64_t>(bits - before)));
        if (coding == Coding::Delta)
            before = bits;
    }
}

void PackedColumns::addTexts(std::string_view name, std::span<const std::string> texts)
{
    m_columns.push_back({std::string(name), "texts", texts.size()});
    for (const std::string &text : texts) {
        putVarint(m_bytes, text.size());
        m_bytes += text;
    }
}

std::string PackedColumns::document(nlohmann::ordered_json head) const
{
    auto &columns = head["columns"] = nlohmann::ordered_json::array();
    for (const Column &column : m_columns)
        columns.push_back(
            {{"name", column.name}, {"coding", column.coding}, {"count", column.count}});
    head["packed"] = base64(deflated(m_bytes));
    return elementJson(jsonText(head));
}

} // namespace vramscope
