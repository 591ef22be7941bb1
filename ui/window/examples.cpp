// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/examples.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// A plan's name as it says it, else "training-out-of-memory" as "Training out of memory".
QString titleOf(const QFileInfo &info)
{
    if (info.suffix() == u"vramplan") {
        QFile file(info.filePath());
        if (file.open(QIODevice::ReadOnly)) {
            const QString name =
                QJsonDocument::fromJson(file.readAll()).object().value("name"_L1).toString();
            if (!name.isEmpty())
                return name;
        }
    }
    QString title = info.completeBaseName().replace(u'-', u' ');
    title[0] = title[0].toUpper();
    return title;
}

std::vector<Example> listExamples()
{
    std::vector<Example> list;
    for (const bool plan : {true, false}) {
        const QString pattern = plan ? u"*.vramplan"_s : u"*.pickle"_s;
        for (const QFileInfo &info :
             QDir(u":/examples"_s).entryInfoList({pattern}, QDir::Files, QDir::Name))
            list.push_back({info.filePath(), titleOf(info), plan});
    }
    return list;
}

} // namespace

const std::vector<Example> &examples()
{
    static const std::vector<Example> list = listExamples();
    return list;
}

bool isExample(const QString &path)
{
    return path.startsWith(u":/");
}

QString trustPath()
{
    return u":/trust"_s;
}

QString wholePath(const QString &path)
{
    return isExample(path) ? path : QDir::cleanPath(QFileInfo(path).absoluteFilePath());
}

QString documentTitle(const QString &path)
{
    if (path == trustPath())
        return u"How far to trust it"_s;
    for (const Example &example : examples()) {
        if (example.path == path)
            return example.title;
    }
    return QFileInfo(path).fileName();
}

} // namespace vramscope
