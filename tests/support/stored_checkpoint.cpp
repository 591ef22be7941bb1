// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/support/stored_checkpoint.h"

#include "tests/support/test.h"

#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>

#include <fstream>
#include <sstream>

namespace vramscope::test {

namespace {

std::filesystem::path placeOf(const std::string &name)
{
    return projectFile(QStringLiteral("tests/data/checkpoints/")).toStdString() + name;
}

std::string textOf(const std::filesystem::path &file)
{
    std::ifstream in(file, std::ios::binary);
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::int64_t dataBytes(const std::string &header)
{
    std::int64_t end = 0;
    const QJsonObject tensors = QJsonDocument::fromJson(QByteArray::fromStdString(header)).object();
    for (const QJsonValue &tensor : tensors)
        for (const QJsonValue &offset : tensor[QStringLiteral("data_offsets")].toArray())
            end = std::max<std::int64_t>(end, offset.toInteger());
    return end;
}

} // namespace

void writeSafetensors(const std::filesystem::path &file, std::string_view header,
                      std::int64_t dataBytes)
{
    std::ofstream out(file, std::ios::binary | std::ios::trunc);
    auto length = static_cast<std::uint64_t>(header.size());
    for (int i = 0; i < 8; ++i, length >>= 8U)
        out.put(static_cast<char>(length & 0xFFU));
    out << header;
    out.close();
    std::filesystem::resize_file(file, 8 + header.size() + static_cast<std::uintmax_t>(dataBytes));
}

void writeCheckpoint(const std::string &name, const std::filesystem::path &folder)
{
    constexpr std::string_view kHeader = ".safetensors.json";
    std::filesystem::create_directories(folder);
    for (const auto &entry : std::filesystem::directory_iterator(placeOf(name))) {
        const std::string file = entry.path().filename().string();
        if (file.ends_with(kHeader)) {
            const std::string header = textOf(entry.path());
            writeSafetensors(folder / file.substr(0, file.size() - 5), header, dataBytes(header));
        } else if (file != "truth.json") {
            std::filesystem::copy_file(entry.path(), folder / file,
                                       std::filesystem::copy_options::overwrite_existing);
        }
    }
}

std::string checkpointText(const std::string &name, const std::string &file)
{
    return textOf(placeOf(name) / file);
}

} // namespace vramscope::test
