// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/opened_profile.h"

#include "core/trace/redaction.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/profile/profile_items.h"
#include "ui/profile/profile_page.h"
#include "ui/profile/profile_tables_view.h"
#include "ui/profile/profile_timeline.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// Of the state of a page.
const QString kVisibleLow = u"visibleLow"_s;
const QString kVisibleHigh = u"visibleHigh"_s;
const QString kTab = u"tab"_s;
const QString kTableChoice = u"tableChoice"_s;
const QString kSearch = u"search"_s;

/// The page as the window sees it.
class ProfileDocumentPage : public DocumentPage, private TimelineUse
{
public:
    ProfileDocumentPage(DocumentPointer document, ComparedTrace shown, QWidget *parent)
        : DocumentPage(std::move(document))
        , m_shown(std::move(shown))
        , m_page(new ProfilePage(m_shown.profile, parent))
    {
        connect(m_page, &ProfilePage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &ProfilePage::pythonWanted, this, &DocumentPage::pythonWanted);
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
        return m_page->timeline() ? profileItems(m_shown.profile, m_page->unit())
                                  : std::vector<StageItem>();
    }
    [[nodiscard]] std::vector<ComparedTrace> compared() const override
    {
        return m_page->timeline() ? std::vector<ComparedTrace>{m_shown}
                                  : std::vector<ComparedTrace>();
    }
    [[nodiscard]] QVariantMap state(const Redaction *redaction) const override
    {
        if (!m_page->timeline())
            return {};
        const std::string search = m_page->search().toStdString();
        return {{kVisibleLow, m_page->state()->visible().low},
                {kVisibleHigh, m_page->state()->visible().high},
                {kTab, nameOf(m_page->tables()->tab())},
                {kTableChoice, static_cast<int>(m_page->tables()->choice().choice)},
                {kSearch, toQString(redaction ? redaction->title(search) : search)}};
    }
    void restore(const QVariantMap &state) override
    {
        if (!m_page->timeline())
            return;
        if (state.contains(kVisibleLow) && state.contains(kVisibleHigh))
            m_page->state()->show({state[kVisibleLow].toDouble(), state[kVisibleHigh].toDouble()});
        if (const auto tab = profileTabNamed(state[kTab].toString()))
            m_page->tables()->setChoice({*tab, state[kTableChoice].toUInt()});
        m_page->setSearch(state[kSearch].toString());
    }
    void goTo(const QString &place) override
    {
        if (const auto tab = profileTabNamed(place))
            m_page->setTab(*tab);
    }
    void workNow() override { m_page->workNow(); }
    [[nodiscard]] TimelineUse *timelineUse() override { return this; }

private:
    [[nodiscard]] bool isDrawn() const override { return m_page->timeline() != nullptr; }
    void fit() override { m_page->state()->fit(); }
    void back() override { m_page->state()->back(); }
    void forward() override { m_page->state()->forward(); }
    void goToPeak() override { m_page->timeline()->goToPeak(); }

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
        const bool laidOver = view == RenderView::Compare && m_profile->snapshot;
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
            redaction.gather(profile.text(StringId(at)), Redaction::Kind::Code);
        for (const ProfileThread &thread : profile.threads())
            redaction.gather(thread.name, Redaction::Kind::Code);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override
    {
        const auto made =
            analyse(m_profile->profile, progress, std::make_shared<const Redaction>(redaction),
                    m_profile->snapshot);
        return opened(made ? made : m_profile, m_files);
    }
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override
    {
        std::vector<Replaced> replaced;
        const Profile &profile = *m_profile->profile;
        const auto look = [&](std::string_view text) {
            const std::string shown = redaction.text(text, Redaction::Kind::Code);
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
