// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_document.h"

#include "core/trace/redaction.h"
#include "ui/ranks/rank_figures.h"
#include "ui/ranks/ranks_page.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

RanksDocument::RanksDocument(RunStudyPointer study)
    : m_study(std::move(study))
{
}

RunStudyPointer RanksDocument::study() const
{
    const std::lock_guard lock(m_mutex);
    return m_study;
}

void RanksDocument::keep(RunStudyPointer study) const
{
    const std::lock_guard lock(m_mutex);
    m_study = std::move(study);
}

RunStudyPointer RanksDocument::whole(const Progress &progress) const
{
    RunStudyPointer study = this->study();
    if (study->run.areCurvesRead)
        return study;
    if (auto read = withCurves(study, progress)) {
        study = *std::move(read);
        keep(study);
    }
    return study;
}

std::unique_ptr<DocumentPage> RanksDocument::makePage(const QString &, const QString &,
                                                      QWidget *parent) const
{
    return std::make_unique<RanksPage>(shared<RanksDocument>(), parent);
}

DocumentKind RanksDocument::kind() const
{
    return {countedText(static_cast<std::int64_t>(study()->count()), "rank"), u"ranks"_s,
            u"These are the ranks of a run; their view is ranks."_s, true};
}

QStringList RanksDocument::files() const
{
    QStringList files;
    const RunStudyPointer read = study();
    if (read->isSummary)
        return files; // one file, wherever the recordings are
    for (const auto *ranks : {&read->run.ranks, &read->run.earlier, &read->run.unusable}) {
        for (const RankSummary &rank : *ranks) {
            if (const auto file = recordingOf(*read, rank))
                files += pathText(file->native());
        }
    }
    return files;
}

void RanksDocument::gatherNames(Redaction &redaction) const
{
    vramscope::gatherNames(redaction, *study());
}

DocumentPointer RanksDocument::withoutNames(const Redaction &redaction,
                                            const Progress &progress) const
{
    const RunStudyPointer all = whole(progress);
    if (progress && !progress(1))
        return shared_from_this();
    return std::make_shared<const RanksDocument>(
        std::make_shared<const RunStudy>(vramscope::withoutNames(*all, redaction)));
}

void RanksDocument::addReportSection(Report &report, const std::string &name, std::size_t number,
                                     ByteUnit unit) const
{
    addRanksSection(report, *whole(), name, number, unit);
}

std::vector<ReportFigure> RanksDocument::reportFigures(std::size_t number, ByteUnit unit) const
{
    return ranksFigures(whole(), number, unit);
}

} // namespace vramscope
