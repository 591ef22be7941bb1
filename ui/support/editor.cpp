// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/editor.h"

#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>
#include <QStringList>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The arguments that pass a file (%f) and a line (%l) to an editor.
struct Editor
{
    QStringView program;
    QStringView arguments;
};

constexpr Editor kEditors[] = {
    {u"code", u"--goto %f:%l"},
    {u"codium", u"--goto %f:%l"},
    {u"cursor", u"--goto %f:%l"},
    {u"zed", u"%f:%l"},
    {u"pycharm", u"--line %l %f"},
    {u"subl", u"%f:%l"},
    {u"qtcreator", u"-client %f:%l"},
    {u"kate", u"--line %l %f"},
    {u"gedit", u"+%l %f"},
    {u"xed", u"+%l %f"},
    {u"gvim", u"+%l %f"},
    {u"emacs", u"+%l %f"},
};

} // namespace

QString openInEditor(const QString &file, int line)
{
    const QFileInfo info(file);
    if (!info.isAbsolute() || !info.isFile())
        return u"%1 is not on this machine. The recording was made elsewhere."_s.arg(file);
    for (const Editor &editor : kEditors) {
        const QString program = QStandardPaths::findExecutable(editor.program.toString());
        if (program.isEmpty())
            continue;
        QStringList arguments;
        for (QString part : editor.arguments.toString().split(u' '))
            arguments +=
                part.replace(u"%l"_s, QString::number(std::max(line, 1))).replace(u"%f"_s, file);
        if (QProcess::startDetached(program, arguments))
            return {};
    }
    return u"No editor was found that opens a file at a line, such as "
           "code, kate or gvim. Copy the place and open it yourself."_s;
}

} // namespace vramscope
