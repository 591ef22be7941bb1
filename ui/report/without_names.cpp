// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/report/without_names.h"

#include "core/report/redacted_plan.h"
#include "ui/support/text.h"

#include <QFileInfo>

namespace vramscope {

void NamesGatherer::operator()(const Plan &plan) const
{
    gatherPlan(redaction, plan);
}

void NamesGatherer::operator()(const TracePointer &trace) const
{
    redaction.gather(*trace->trace);
}

void NamesGatherer::operator()(const SeriesPointer &series) const
{
    redaction.gather(*series->series);
}

void NamesGatherer::operator()(const RankFolderPointer &folder) const
{
    redaction.gatherFileName(folder->path.toStdString());
    for (const Rank &rank : folder->ranks)
        redaction.gatherFileName(rank.file.toStdString());
    for (const UnreadFile &unread : folder->unread)
        redaction.gatherFileName(unread.name.toStdString());
}

Plan WithoutNames::operator()(const Plan &plan) const
{
    return redactedPlan(redaction, plan);
}

TracePointer WithoutNames::operator()(const TracePointer &trace) const
{
    const TracePointer made = analyse(redaction.applied(*trace->trace), progress);
    return made ? made : trace;
}

SeriesPointer WithoutNames::operator()(const SeriesPointer &series) const
{
    const SeriesPointer made = analyse(redaction.applied(*series->series), progress);
    return made ? made : series;
}

RankFolderPointer WithoutNames::operator()(const RankFolderPointer &folder) const
{
    auto result = std::make_shared<RankFolder>(*folder);
    result->path = fileWithoutNames(result->path, redaction);
    for (Rank &rank : result->ranks)
        rank.file = fileWithoutNames(rank.file, redaction);
    for (UnreadFile &unread : result->unread) {
        unread.name = fileWithoutNames(unread.name, redaction);
        unread.why = toQString(redaction.sentence(unread.why.toStdString()));
    }
    return result;
}

QString fileWithoutNames(const QString &file, const Redaction &redaction)
{
    return toQString(redaction.fileName(file.toStdString()));
}

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
