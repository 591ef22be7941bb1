// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_text.h"

#include "core/describe/ranks_story.h"
#include "core/describe/ranks_tables.h"
#include "core/print/run_coverage_report.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QStringList foreignLines(const std::vector<std::string> &lines)
{
    QStringList texts;
    for (const std::string &line : lines)
        texts << foreignText(line);
    return texts;
}

} // namespace

QString headlineOf(const RunStudy &study, ByteUnit unit)
{
    return toQString(runStory(study, unit).answer);
}

QString spreadText(const RunStudy &study, ByteUnit unit)
{
    const Story story = runStory(study, unit);
    QStringList sentences;
    for (const Finding &finding : story.findings)
        sentences << toQString(finding.sentence);
    return (sentences + foreignLines(story.remarks)).join(u' ');
}

QStringList problemLines(const RunStudy &study)
{
    return foreignLines(study.run.problems);
}

QStringList coverageLines(const RunStudy &study)
{
    return foreignLines(coverageSentences(study));
}

QString remarkText(const RunStudy &study, std::size_t rank, ByteUnit unit)
{
    return foreignText(remarkOf(study, rank, unit)).replace(u"outlier -"_s, u"outlier −"_s);
}

} // namespace vramscope
