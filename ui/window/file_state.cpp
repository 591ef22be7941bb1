// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/file_state.h"

#include "ui/support/file_path.h"

#include <QStringList>

namespace vramscope {

using namespace Qt::StringLiterals;

FileState FileState::of(const QString &path)
{
    const FileFacts facts = factsOf(path);
    return facts.isFile ? FileState{facts.modified, facts.size} : FileState();
}

QString FileState::text() const
{
    return known() ? u"%1 %2"_s.arg(time.toMSecsSinceEpoch()).arg(size) : QString();
}

FileState FileState::from(const QString &text)
{
    const QStringList words = text.split(u' ');
    bool timed = false;
    bool sized = false;
    if (words.size() != 2)
        return {};
    const auto time = QDateTime::fromMSecsSinceEpoch(words[0].toLongLong(&timed));
    const FileState state{time, words[1].toLongLong(&sized)};
    return timed && sized && state.known() ? state : FileState();
}

} // namespace vramscope
