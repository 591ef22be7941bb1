// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/recent_files.h"

#include "ui/support/file_path.h"

#include <QDir>
#include <QFileInfo>

namespace vramscope {

using namespace Qt::StringLiterals;

QStringList withRecentFile(QStringList files, const QString &path)
{
    const QString absolute = absolutePath(path);
    files.removeAll(absolute);
    files.prepend(absolute);
    return files.first(std::min(files.size(), kRecentFileCount));
}

std::vector<RecentFile> describeRecentFiles(const QStringList &files)
{
    std::vector<RecentFile> described;
    for (const QString &path : files) {
        const QFileInfo info(path);
        QString folder = info.absolutePath();
        if (folder == QDir::homePath() || folder.startsWith(QDir::homePath() + u'/'))
            folder.replace(0, QDir::homePath().size(), u"~"_s);
        described.push_back(
            {path, shownPath(info.fileName()), shownPath(folder), factsOf(path).exists});
    }
    return described;
}

} // namespace vramscope
