// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include <zlib.h>

namespace vramscope::test {

/// A document of a page, read as core/page/README.md describes it.
struct PageDocument
{
    QJsonObject head;
    std::map<std::string, std::vector<std::int64_t>> numbers;
    std::map<std::string, std::vector<std::string>> texts;
    bool isRead = false; ///< whole: every byte belongs to a column
};

inline QByteArray inflated(const QByteArray &packed)
{
    QByteArray bytes(1 << 20, '\0');
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK)
        return {};
    stream.next_in = reinterpret_cast<Bytef *>(const_cast<char *>(packed.data()));
    stream.avail_in = static_cast<uInt>(packed.size());
    int state = Z_OK;
    while (state == Z_OK) {
        if (stream.total_out == static_cast<uLong>(bytes.size()))
            bytes.resize(2 * bytes.size());
        stream.next_out = reinterpret_cast<Bytef *>(bytes.data()) + stream.total_out;
        stream.avail_out = static_cast<uInt>(static_cast<uLong>(bytes.size()) - stream.total_out);
        state = inflate(&stream, Z_NO_FLUSH);
    }
    bytes.resize(state == Z_STREAM_END ? static_cast<qsizetype>(stream.total_out) : 0);
    inflateEnd(&stream);
    return bytes;
}

inline PageDocument readPageDocument(const std::string &document)
{
    PageDocument page;
    page.head = QJsonDocument::fromJson(QByteArray::fromStdString(document)).object();
    const QByteArray bytes =
        inflated(QByteArray::fromBase64(page.head[QLatin1String("packed")].toString().toLatin1()));
    qsizetype at = 0;
    bool valid = true;
    const auto number = [&] {
        std::uint64_t value = 0;
        for (int shift = 0; valid; shift += 7) {
            valid = at < bytes.size() && shift < 64;
            const auto byte = valid ? static_cast<unsigned char>(bytes[at++]) : 0U;
            value |= std::uint64_t(byte & 0x7fU) << shift;
            if (byte < 0x80U)
                break;
        }
        return value;
    };
    for (const QJsonValue &each : page.head[QLatin1String("columns")].toArray()) {
        const std::string name = each[QLatin1String("name")].toString().toStdString();
        const QString coding = each[QLatin1String("coding")].toString();
        std::uint64_t before = 0;
        for (int row = 0; row < each[QLatin1String("count")].toInt() && valid; ++row) {
            std::uint64_t value = number();
            if (coding == QLatin1String("texts")) {
                page.texts[name].push_back(
                    bytes.mid(at, static_cast<qsizetype>(value)).toStdString());
                at += static_cast<qsizetype>(value);
                continue;
            }
            if (coding != QLatin1String("varint"))
                value = (value >> 1) ^ (~(value & 1U) + 1);
            if (coding == QLatin1String("delta"))
                value = before += value;
            page.numbers[name].push_back(static_cast<std::int64_t>(value));
        }
    }
    page.isRead = valid && at == bytes.size();
    return page;
}

} // namespace vramscope::test
