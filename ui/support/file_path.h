// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QByteArray>
#include <QDateTime>
#include <QString>
#include <QUrl>

#include <filesystem>
#include <string_view>

namespace vramscope {

// A path is bytes, most often UTF-8. In a QString each byte that is not UTF-8 is a lone surrogate,
// U+DC80 … U+DCFF, so that the path names its file and no other; Qt's own functions lose it. Only
// this file knows the encoding.

/// The path from the bytes of the system.
[[nodiscard]] QString pathText(std::string_view bytes);
/// The bytes of the path again.
[[nodiscard]] std::filesystem::path nativePath(const QString &path);

/// A path or name for people to read: on one line, with U+FFFD for bytes that are not UTF-8.
[[nodiscard]] QString shownPath(const QString &path);

/// The path from the root, without "." and "..".
[[nodiscard]] QString absolutePath(const QString &path);

/// The local file of a URL, empty for any other; and its URL. Both work on the bytes.
[[nodiscard]] QString localPath(const QUrl &url);
[[nodiscard]] QUrl fileUrl(const QString &path);

/// Facts about the file at a path.
struct FileFacts
{
    bool exists = false;
    bool isFile = false;
    bool isFolder = false;
    qint64 size = 0;
    QDateTime modified;
};
[[nodiscard]] FileFacts factsOf(const QString &path);

/// Whether a path names a document compiled into the program: it can be read, not written.
[[nodiscard]] bool isExample(const QString &path);

/// The date of an export of a file: $SOURCE_DATE_EPOCH if set, else when the file was last written;
/// invalid if there is no file. So the same file gives the same export on any day.
[[nodiscard]] QDateTime dateOf(const QString &path);

/// The name of a file in a report: its path, whose folders may identify people to redact; documents
/// without a path use their title.
[[nodiscard]] QString reportedFile(const QString &path, const QString &title);

/// The first bytes of a file, at most `most`; empty if it cannot be read.
[[nodiscard]] QByteArray beginningOf(const QString &path, qint64 most);

} // namespace vramscope
