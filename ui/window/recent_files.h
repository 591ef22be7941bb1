// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>
#include <QStringList>

#include <vector>

namespace vramscope {

/// How many recent files are kept.
inline constexpr qsizetype kRecentFileCount = 12;

/// The list with a file at its head, once, cut to kRecentFileCount. The path is made absolute.
[[nodiscard]] QStringList withRecentFile(QStringList files, const QString &path);

/// One entry as menus and the start page show it.
struct RecentFile
{
    QString path;
    QString name;
    QString folder; ///< the home folder shortened to "~"
    bool exists = false;
};

[[nodiscard]] std::vector<RecentFile> describeRecentFiles(const QStringList &files);

} // namespace vramscope
