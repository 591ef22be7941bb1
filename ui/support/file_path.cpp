// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/file_path.h"

#include "core/base/path_text.h"
#include "core/base/text.h"
#include "ui/support/text.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>

#include <algorithm>
#include <chrono>
#include <fstream>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr char16_t kFirst = 0xDC80; // encodes the byte 0x80
constexpr char16_t kLast = 0xDCFF;
/// Paths have drives and are text: Qt's functions for URLs serve.
constexpr bool kHasDrives = std::filesystem::path::preferred_separator != '/';

bool isByte(const QString &path, qsizetype at)
{
    const char16_t unit = path[at].unicode();
    return unit >= kFirst && unit <= kLast && (at == 0 || !path[at - 1].isHighSurrogate());
}

bool hasBytes(const QString &path)
{
    for (qsizetype at = 0; at < path.size(); ++at) {
        if (isByte(path, at))
            return true;
    }
    return false;
}

} // namespace

QString pathText(std::string_view bytes)
{
    QString path;
    while (!bytes.empty()) {
        const std::size_t size = characterLength(bytes);
        if (size == 0)
            path += QChar(
                static_cast<char16_t>(kFirst + (static_cast<unsigned char>(bytes.front()) - 0x80)));
        else
            path += QString::fromUtf8(bytes.data(), static_cast<qsizetype>(size));
        bytes.remove_prefix(std::max<std::size_t>(size, 1));
    }
    return path;
}

std::filesystem::path nativePath(const QString &path)
{
    std::string bytes;
    qsizetype from = 0;
    for (qsizetype at = 0; at <= path.size(); ++at) {
        if (at < path.size() && !isByte(path, at))
            continue;
        bytes += path.sliced(from, at - from).toStdString();
        if (at < path.size())
            bytes += static_cast<char>(path[at].unicode() - kFirst + 0x80);
        from = at + 1;
    }
    return pathOf(bytes);
}

QString shownPath(const QString &path)
{
    QString shown = path;
    for (qsizetype at = 0; at < path.size(); ++at) {
        if (isByte(path, at))
            shown[at] = QChar::ReplacementCharacter;
    }
    return foreignText(shown.toStdString());
}

QString absolutePath(const QString &path)
{
    if (!QDir::isRelativePath(path))
        return QDir::cleanPath(path);
    std::error_code error;
    const std::filesystem::path here = std::filesystem::current_path(error);
    return QDir::cleanPath(pathText(utf8(here)) + u'/' + path);
}

QString localPath(const QUrl &url)
{
    if (!url.isLocalFile())
        return {};
    if constexpr (kHasDrives)
        return url.toLocalFile();
    const QByteArray encoded = url.path(QUrl::FullyEncoded).toLatin1();
    return pathText(std::string_view(QByteArray::fromPercentEncoding(encoded).toStdString()));
}

QUrl fileUrl(const QString &path)
{
    if constexpr (kHasDrives)
        return QUrl::fromLocalFile(path);
    const std::string bytes = nativePath(path).string();
    return QUrl::fromEncoded("file://" + QByteArray::fromStdString(bytes).toPercentEncoding("/"));
}

FileFacts factsOf(const QString &path)
{
    if (!hasBytes(path)) {
        const QFileInfo info(path); // also finds files compiled into the program
        return {info.exists(), info.isFile(), info.isDir(), info.size(), info.lastModified()};
    }
    const std::filesystem::path file = nativePath(path);
    std::error_code error;
    const auto status = std::filesystem::status(file, error);
    FileFacts facts{std::filesystem::exists(status),
                    std::filesystem::is_regular_file(status),
                    std::filesystem::is_directory(status),
                    0,
                    {}};
    if (facts.isFile)
        facts.size = static_cast<qint64>(std::filesystem::file_size(file, error));
    const auto written = std::filesystem::last_write_time(file, error);
    if (!error) {
        const auto since = std::chrono::file_clock::to_sys(written).time_since_epoch();
        facts.modified = QDateTime::fromMSecsSinceEpoch(
            std::chrono::duration_cast<std::chrono::milliseconds>(since).count());
    }
    return facts;
}

bool isExample(const QString &path)
{
    return path.startsWith(u":/");
}

QDateTime dateOf(const QString &path)
{
    bool fixed = false;
    const qint64 seconds = qEnvironmentVariable("SOURCE_DATE_EPOCH").toLongLong(&fixed);
    if (fixed)
        return QDateTime::fromSecsSinceEpoch(seconds, Qt::UTC);
    return path.isEmpty() || isExample(path) ? QDateTime() : factsOf(path).modified.toUTC();
}

QString reportedFile(const QString &path, const QString &title)
{
    return path.isEmpty() || isExample(path) ? title : path;
}

QByteArray beginningOf(const QString &path, qint64 most)
{
    if (!hasBytes(path)) {
        QFile file(path);
        return !QFileInfo(path).isDir() && file.open(QIODevice::ReadOnly) ? file.read(most)
                                                                          : QByteArray();
    }
    std::ifstream file(nativePath(path), std::ios::binary);
    QByteArray head(most, Qt::Uninitialized);
    file.read(head.data(), most);
    head.truncate(file.gcount());
    return head;
}

} // namespace vramscope
