// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/opened_profiles.h"

#include "core/base/counted.h"
#include "core/profile/profile_redaction.h"
#include "core/trace/redaction.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/profile/profile_table_view.h"
#include "ui/profiles/profiles_items.h"
#include "ui/profiles/profiles_page.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <filesystem>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kTab = u"tab"_s; ///< of the state of a page

/// The page as the window sees it.
class ProfilesDocumentPage : public DocumentPage
{
public:
    ProfilesDocumentPage(DocumentPointer document, ProfileFolderPointer folder, QWidget *parent)
        : DocumentPage(std::move(document))
        , m_folder(folder)
        , m_page(new ProfilesPage(std::move(folder), parent))
    {
        connect(m_page, &ProfilesPage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &ProfilesPage::openWanted, this, &DocumentPage::openWanted);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"profile#ranks"_s; }
    [[nodiscard]] Table table(qsizetype most) const override
    {
        return m_page->view()->exported(most);
    }
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        return ranksItems(m_folder, m_page->unit());
    }
    [[nodiscard]] QVariantMap state(const Redaction *) const override
    {
        return {{kTab, nameOf(m_page->tab())}};
    }
    void restore(const QVariantMap &state) override { goTo(state[kTab].toString()); }
    void goTo(const QString &place) override
    {
        if (const auto tab = ranksTabNamed(place))
            m_page->setTab(*tab);
    }

private:
    ProfileFolderPointer m_folder;
    ProfilesPage *m_page;
};

class OpenedProfiles : public Document
{
public:
    explicit OpenedProfiles(ProfileFolderPointer folder)
        : m_folder(std::move(folder))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<ProfilesDocumentPage>(shared_from_this(), m_folder, parent);
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file,
                         u"Profiler traces of %1"_s.arg(
                             toQString(counted(std::ssize(m_folder->ranks.ranks), "rank"))));
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Ranks
                   ? QString()
                   : u"This is a folder of profiler traces; its view is ranks."_s;
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
        return std::make_shared<const OpenedProfiles>(std::move(result));
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
        return opened(std::make_shared<const ProfileFolder>(ProfileFolder{
            m_folder->path, compareRanks(std::move(ruled)), m_folder->unread, m_folder->others}));
    }
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override
    {
        return std::vector<ReportSource>{{file, shared_from_this()}};
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

DocumentPointer opened(std::shared_ptr<const ProfileFolder> folder)
{
    return std::make_shared<const OpenedProfiles>(std::move(folder));
}

} // namespace vramscope
