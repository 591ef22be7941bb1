// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/without_names.h"

#include "core/trace/redaction.h"
#include "ui/document/document.h"
#include "ui/support/text.h"

#include <QFileInfo>

namespace vramscope {

QString complaint(const QString &file, const QString &why, bool redact)
{
    Redaction redaction;
    redaction.gatherFileName(file.toStdString());
    return redact ? QStringLiteral("%1: %2").arg(fileWithoutNames(file, redaction),
                                                 toQString(redaction.sentence(why.toStdString())))
                  : QStringLiteral("%1: %2").arg(file, why);
}

QString sentenceWithoutNames(QString sentence, const QStringList &files)
{
    Redaction redaction;
    for (const QString &file : files) {
        redaction.gatherFileName(file.toStdString());
        const QString name = QFileInfo(file).fileName();
        sentence.replace(file, fileWithoutNames(file, redaction));
        sentence.replace(name, fileWithoutNames(name, redaction));
    }
    return toQString(redaction.sentence(sentence.toStdString()));
}

} // namespace vramscope
