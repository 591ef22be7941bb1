// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/ranks_document.h"

#include "core/profile/profile_redaction.h"
#include "core/trace/redaction.h"
#include "ui/ranks/rank_items.h"
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
    const RunStudyPointer read = study();
    const QString ranks = countedText(static_cast<std::int64_t>(read->count()), "rank");
    return {read->traces ? u"Profiler traces of %1"_s.arg(ranks) : ranks, u"ranks"_s,
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
    files.removeDuplicates(); // of recordings of several ranks
    return files;
}

void RanksDocument::gatherNames(Redaction &redaction) const
{
    const RunStudyPointer read = study();
    vramscope::gatherNames(redaction, *read);
    for (std::size_t rank = 0; read->traces && rank < read->count(); ++rank)
        vramscope::gatherNames(redaction, read->trace(rank)->study->profile());
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

DocumentPointer RanksDocument::withRules(const std::vector<WorkRule> &rules,
                                         const Progress &progress) const
{
    const RunStudyPointer read = study();
    if (!read->traces || read->trace(0)->study->rules() == rules)
        return nullptr;
    std::vector<RankProfileFile> ruled;
    for (const RankProfile &rank : read->traces->ranks.ranks) {
        if (progress && !progress(static_cast<double>(ruled.size()) /
                                  static_cast<double>(read->traces->ranks.ranks.size())))
            return nullptr;
        ruled.push_back({rank.file, rank.isStated ? std::optional(rank.rank) : std::nullopt,
                         std::make_shared<const ProfileStudy>(rank.study->sharedProfile(), rules),
                         rank.source, rank.part});
        (void)ruled.back().study->devices();
    }
    return std::make_shared<const RanksDocument>(runStudy(std::make_shared<const ProfileFolder>(
        ProfileFolder{read->traces->path, compareRanks(std::move(ruled)), read->traces->unread,
                      read->traces->others})));
}

void RanksDocument::addReportSection(Report &report, const std::string &name, std::size_t number,
                                     ByteUnit unit) const
{
    addRanksSection(report, *whole(), name, number, unit);
}

std::vector<ReportFigure> RanksDocument::reportFigures(std::size_t number,
                                                       const FigureOptions &options) const
{
    return ranksFigures(whole(), number, options.unit);
}

} // namespace vramscope
