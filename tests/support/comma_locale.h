// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDir>
#include <QFile>

#include <array>
#include <cstdint>

namespace vramscope::test {

/// Writes the numbers of a locale "de_DE", with a comma for the point, into a folder for LOCPATH:
/// few machines that build have one installed. The form is glibc's.
[[nodiscard]] inline bool writeCommaLocale(const QString &folder)
{
    // What the file is, how many entries it has, and where each begins: the point, the mark between
    // thousands, how these are grouped, both marks as wide characters, the encoding.
    constexpr std::array<std::uint32_t, 8> kHead = {0x20031114, 6, 32, 34, 36, 40, 44, 48};
    QByteArray file(reinterpret_cast<const char *>(kHead.data()), sizeof kHead);
    file += QByteArray(",\0.\0\3\3\0\0", 8);
    for (const std::uint32_t mark : {std::uint32_t(','), std::uint32_t('.')})
        file += QByteArray(reinterpret_cast<const char *>(&mark), sizeof mark);
    file += QByteArray("UTF-8\0", 6);
    QFile out(folder + QStringLiteral("/de_DE/LC_NUMERIC"));
    return QDir(folder).mkpath(QStringLiteral("de_DE")) && out.open(QIODevice::WriteOnly) &&
           out.write(file) == file.size();
}

} // namespace vramscope::test
