// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/opened_profile.h"

#include "core/trace/redaction.h"
#include "ui/bookmarks/bookmark_items.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/profile/profile_items.h"
#include "ui/profile/profile_page.h"
#include "ui/profile/profile_tables_view.h"
#include "ui/profile/profile_timeline.h"
#include "ui/support/text.h"

#include <QUndoStack>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kBookmark = u"bookmark"_s; ///< what is seen, of the state of a page

/// The page as the window sees it.
class ProfileDocumentPage : public DocumentPage, private TimelineUse, private BookmarkUse
{
public:
    ProfileDocumentPage(DocumentPointer document, ComparedTrace shown, QWidget *parent)
        : DocumentPage(std::move(document))
        , m_shown(std::move(shown))
        , m_page(new ProfilePage(m_shown.profile, parent))
    {
        connect(m_page, &ProfilePage::statusChanged, this, &DocumentPage::statusChanged);
        if (const BookmarkModel *bookmarks = m_page->bookmarks())
            connect(bookmarks->undoStack(), &QUndoStack::indexChanged, this, &DocumentPage::edited);
        connect(m_page, &ProfilePage::rulesWanted, this, &DocumentPage::rulesWanted);
        connect(m_page, &ProfilePage::pythonWanted, this, &DocumentPage::pythonWanted);
        connect(m_page, &ProfilePage::ranksWanted, this,
                [this] { Q_EMIT comparisonWanted({m_shown}); });
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"profile"_s; }
    [[nodiscard]] Table table(qsizetype most) const override
    {
        return m_page->tables() ? m_page->tables()->exported(most) : Table();
    }
    [[nodiscard]] QString selectedText() const override
    {
        const QString rows = DocumentPage::selectedText();
        return rows.isEmpty() ? m_page->selectedText() : rows;
    }
    [[nodiscard]] bool isPresentable() const override { return m_page->timeline() != nullptr; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        return m_page->timeline() ? itemsWith(bookmarks()->bookmarks()) : std::vector<StageItem>();
    }
    [[nodiscard]] std::vector<ComparedTrace> compared() const override
    {
        return m_page->timeline() ? std::vector<ComparedTrace>{m_shown}
                                  : std::vector<ComparedTrace>();
    }
    [[nodiscard]] QVariantMap state(const Redaction *redaction) const override
    {
        Bookmark bookmark = m_page->bookmark();
        if (redaction)
            bookmark.filter = redaction->title(bookmark.filter);
        return {{kBookmark, QVariant::fromValue(bookmark)}};
    }
    void restore(const QVariantMap &state) override
    {
        m_page->apply(state[kBookmark].value<Bookmark>());
    }
    void goTo(const QString &place) override
    {
        if (const auto tab = profileTabNamed(place))
            m_page->setTab(*tab);
    }
    void workNow() override { m_page->workNow(); }
    [[nodiscard]] QUndoStack *undoStack() const override
    {
        return bookmarks() ? bookmarks()->undoStack() : nullptr;
    }
    [[nodiscard]] TimelineUse *timelineUse() override { return this; }
    [[nodiscard]] BookmarkUse *bookmarkUse() override { return this; }

private:
    [[nodiscard]] bool isDrawn() const override { return m_page->timeline() != nullptr; }
    void fit() override { m_page->state()->fit(); }
    void back() override { m_page->state()->back(); }
    void forward() override { m_page->state()->forward(); }
    void goToPeak() override { m_page->timeline()->goToPeak(); }
    [[nodiscard]] BookmarkModel *bookmarks() const override { return m_page->bookmarks(); }
    void addBookmark() override { m_page->addBookmark(); }
    void stepBookmark(bool forward) override { m_page->stepBookmark(forward); }
    [[nodiscard]] std::optional<StageItem> viewItem() const override
    {
        if (!bookmarks())
            return std::nullopt;
        return nextBookmarkItem(
            bookmarks()->bookmarks(), m_page->bookmark(),
            [this](const std::vector<Bookmark> &marked) { return itemsWith(marked); });
    }

    [[nodiscard]] std::vector<StageItem> itemsWith(const std::vector<Bookmark> &marked) const
    {
        return profileItems(m_shown.profile, marked, m_page->unit());
    }

    ComparedTrace m_shown;
    ProfilePage *m_page;
};

class OpenedProfile : public Document
{
public:
    OpenedProfile(ProfilePointer profile, QStringList files)
        : m_profile(std::move(profile))
        , m_files(std::move(files))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override
    {
        return std::make_unique<ProfileDocumentPage>(
            shared_from_this(), ComparedTrace{title, path, nullptr, kMainDevice, m_profile},
            parent);
    }
    [[nodiscard]] ProfilePointer profile() const override { return m_profile; }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file, u"Profiler trace"_s);
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        const bool laidOver =
            view == RenderView::Compare && (m_profile->snapshot || m_profile->study->counters());
        return view == RenderView::Profile || laidOver
                   ? QString()
                   : u"This is a profiler trace; its view is profile."_s;
    }
    [[nodiscard]] QStringList files() const override { return m_files; }
    void gatherNames(Redaction &redaction) const override
    {
        const Profile &profile = *m_profile->profile;
        if (profile.curves())
            redaction.gather(*profile.curves());
        for (std::uint32_t at = 0; at < profile.textCount(); ++at)
            redaction.gather(profile.text(StringId(at)), Redaction::Kind::Prose);
        for (const ProfileThread &thread : profile.threads())
            redaction.gather(thread.name, Redaction::Kind::Prose);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override
    {
        ProfileAnalysis how = m_profile->analysis();
        how.redaction = std::make_shared<const Redaction>(redaction);
        const auto made = analyse(m_profile->profile, progress, std::move(how));
        return opened(made ? made : m_profile, m_files);
    }
    [[nodiscard]] DocumentPointer withRules(const std::vector<WorkRule> &rules,
                                            const Progress &progress) const override
    {
        ProfileAnalysis how = m_profile->analysis();
        if (how.rules == rules)
            return nullptr;
        how.rules = rules;
        auto made = analyse(m_profile->profile, progress, std::move(how));
        return made ? opened(std::move(made), m_files) : nullptr;
    }
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override
    {
        std::vector<Replaced> replaced;
        const Profile &profile = *m_profile->profile;
        const auto look = [&](std::string_view text) {
            const std::string shown = redaction.text(text, Redaction::Kind::Prose);
            if (shown != text)
                replaced.emplace_back(foreignText(text), foreignText(shown));
        };
        for (std::uint32_t at = 0; at < profile.textCount(); ++at)
            look(profile.text(StringId(at)));
        for (const ProfileThread &thread : profile.threads())
            look(thread.name);
        return replaced;
    }
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override
    {
        const QString &name = file.isEmpty() && !m_files.isEmpty() ? m_files.front() : file;
        return std::vector<ReportSource>{{name, shared_from_this()}};
    }
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override
    {
        addProfileSection(report, *m_profile, name, number, unit);
    }
    [[nodiscard]] std::vector<ReportFigure> reportFigures(std::size_t number,
                                                          ByteUnit unit) const override
    {
        return profileFigures(m_profile, number, unit);
    }

private:
    ProfilePointer m_profile;
    QStringList m_files;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const ProfileDocument> profile, QStringList files)
{
    return std::make_shared<const OpenedProfile>(std::move(profile), std::move(files));
}

} // namespace vramscope
