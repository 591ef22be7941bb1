// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/profiles_document.h"

#include "core/base/counted.h"
#include "core/profile/profile_redaction.h"
#include "core/trace/redaction.h"
#include "ui/profiles/profiles_items.h"
#include "ui/profiles/profiles_page.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <filesystem>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

class ProfilesDocument : public Document, public FilesWork
{
public:
    explicit ProfilesDocument(ProfileFolderPointer folder)
        : m_folder(std::move(folder))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<ProfilesPage>(m_folder, parent);
    }
    [[nodiscard]] DocumentKind kind() const override
    {
        return {u"Profiler traces of %1"_s.arg(
                    toQString(counted(std::ssize(m_folder->ranks.ranks), "rank"))),
                u"ranks"_s, u"This is a folder of profiler traces; its view is ranks."_s, true};
    }
    [[nodiscard]] QStringList files() const override
    {
        QStringList files;
        const std::filesystem::path folder(m_folder->path);
        for (const RankProfile &rank : m_folder->ranks.ranks)
            files += pathText((folder / rank.fileName()).string());
        for (const ProfileFolder::Unread &unread : m_folder->unread)
            files += pathText((folder / unread.name).string());
        files.removeDuplicates(); // of recordings of several ranks
        return files;
    }
    void gatherNames(Redaction &redaction) const override
    {
        redaction.gatherFileName(m_folder->path);
        for (const RankProfile &rank : m_folder->ranks.ranks) {
            redaction.gatherFileName(rank.file);
            redaction.gatherFileName(rank.fileName());
            vramscope::gatherNames(redaction, rank.study->profile());
        }
    }
    // The page shows names of files and of groups, and sentences; no other text of the traces.
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &) const override
    {
        auto result = std::make_shared<ProfileFolder>(*m_folder);
        result->path = redaction.fileName(result->path);
        for (RankProfile &rank : result->ranks.ranks) {
            rank.file = redaction.fileName(rank.file);
            if (!rank.source.empty())
                rank.source = redaction.fileName(rank.source);
        }
        for (MatchedCollective &each : result->ranks.collectives)
            each.group = redaction.text(each.group, Redaction::Kind::Prose);
        for (CollectiveMatch &match : result->ranks.matches)
            match.group = redaction.text(match.group, Redaction::Kind::Prose);
        for (std::string &problem : result->ranks.problems)
            problem = redaction.sentence(problem);
        for (ProfileFolder::Unread &unread : result->unread) {
            unread.name = redaction.fileName(unread.name);
            unread.why = redaction.sentence(unread.why);
        }
        return std::make_shared<const ProfilesDocument>(std::move(result));
    }
    [[nodiscard]] DocumentPointer withRules(const std::vector<WorkRule> &rules,
                                            const Progress &progress) const override
    {
        const std::vector<RankProfile> &ranks = m_folder->ranks.ranks;
        if (ranks.front().study->rules() == rules)
            return nullptr;
        std::vector<RankProfileFile> ruled;
        for (const RankProfile &rank : ranks) {
            if (progress &&
                !progress(static_cast<double>(ruled.size()) / static_cast<double>(ranks.size())))
                return nullptr;
            ruled.push_back(
                {rank.file, rank.isStated ? std::optional(rank.rank) : std::nullopt,
                 std::make_shared<const ProfileStudy>(rank.study->sharedProfile(), rules),
                 rank.source, rank.part});
            (void)ruled.back().study->devices();
        }
        return profilesDocument(std::make_shared<const ProfileFolder>(ProfileFolder{
            m_folder->path, compareRanks(std::move(ruled)), m_folder->unread, m_folder->others}));
    }
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override
    {
        addRanksSection(report, *m_folder, name, number, unit);
    }
    [[nodiscard]] std::vector<ReportFigure> reportFigures(std::size_t number,
                                                          ByteUnit) const override
    {
        return ranksFigures(m_folder, number);
    }

private:
    ProfileFolderPointer m_folder;
};

} // namespace

DocumentPointer profilesDocument(std::shared_ptr<const ProfileFolder> folder)
{
    return std::make_shared<const ProfilesDocument>(std::move(folder));
}

} // namespace vramscope
