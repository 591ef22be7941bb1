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

// A path is bytes, most often UTF-8. As a QString each byte that is none is a surrogate that stands
// alone, U+DC80 … U+DCFF, so that the path leads to its file and nothing else; Qt's own functions
// lose it. This is the only place that knows.

/// The path that the bytes of the system are.
[[nodiscard]] QString pathText(std::string_view bytes);
/// The bytes again.
[[nodiscard]] std::filesystem::path nativePath(const QString &path);

/// A path or name to be read by people: on one line, with U+FFFD for bytes that are not UTF-8.
[[nodiscard]] QString shownPath(const QString &path);

/// From the root on, without "." and "..".
[[nodiscard]] QString absolutePath(const QString &path);

/// The local file of a URL, empty for any other; and its URL. Both work on the bytes.
[[nodiscard]] QString localPath(const QUrl &url);
[[nodiscard]] QUrl fileUrl(const QString &path);

/// What is at a path.
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

/// The day that an export of a file bears: that of $SOURCE_DATE_EPOCH where it is set, else when
/// the file was last written; invalid where there is no file. So the same file gives the same
/// export any day.
[[nodiscard]] QDateTime dateOf(const QString &path);

/// What a report calls a file: its path, whose folders may name who is to stay unnamed; what has
/// none goes by its title.
[[nodiscard]] QString reportedFile(const QString &path, const QString &title);

/// The first bytes of a file, at most `most`; empty where it cannot be read.
[[nodiscard]] QByteArray beginningOf(const QString &path, qint64 most);

} // namespace vramscope
