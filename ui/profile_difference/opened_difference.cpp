// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile_difference/opened_difference.h"

#include "core/trace/redaction.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/profile/opened_profile.h"
#include "ui/profile/profile_table_view.h"
#include "ui/profile_difference/difference_items.h"
#include "ui/profile_difference/difference_page.h"
#include "ui/profile_difference/difference_text.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// Of the state of a page.
const QString kTab = u"tab"_s;
const QString kState = u"state"_s;
const QString kSearch = u"search"_s;

/// The page as the window sees it.
class DifferenceDocumentPage : public DocumentPage
{
public:
    DifferenceDocumentPage(DocumentPointer document, DifferencePointer difference, QWidget *parent)
        : DocumentPage(std::move(document))
        , m_page(new DifferencePage(std::move(difference), parent))
    {
        connect(m_page, &DifferencePage::statusChanged, this, &DocumentPage::statusChanged);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit) override {} // it shows times alone
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] DocumentPointer document() const override { return opened(m_page->document()); }
    [[nodiscard]] QString helpTopic() const override { return u"profile#before-and-after"_s; }
    [[nodiscard]] Table table(qsizetype most) const override
    {
        return m_page->view()->exported(most);
    }
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        return differenceItems(m_page->document());
    }
    [[nodiscard]] std::vector<ComparedTrace> compared() const override
    {
        const auto &[a, b] = m_page->document()->sides;
        return {a, b};
    }
    [[nodiscard]] QVariantMap state(const Redaction *redaction) const override
    {
        const auto &state = m_page->filter().state;
        const std::string search = m_page->search().toStdString();
        return {{kTab, nameOf(m_page->tab())},
                {kState, state ? toQString(textOf(*state)) : QString()},
                {kSearch, toQString(redaction ? redaction->title(search) : search)}};
    }
    void restore(const QVariantMap &state) override
    {
        if (const auto tab = differenceTabNamed(state[kTab].toString()))
            m_page->setTab(*tab);
        for (std::size_t at = 0; at < kChangeStateCount; ++at) {
            const auto each = static_cast<ChangeState>(at);
            if (toQString(textOf(each)) == state[kState].toString())
                m_page->setFilter({each, {}});
        }
        m_page->setSearch(state[kSearch].toString());
    }
    void goTo(const QString &place) override
    {
        if (const auto tab = differenceTabNamed(place))
            m_page->setTab(*tab);
    }
    void workNow() override { m_page->workNow(); }

private:
    DifferencePage *m_page;
};

class OpenedDifference : public Document
{
public:
    explicit OpenedDifference(DifferencePointer difference)
        : m_difference(std::move(difference))
    {
    }

    [[nodiscard]] DocumentPointer withRules(const std::vector<WorkRule> &rules,
                                            const Progress &progress) const override
    {
        std::array<ComparedTrace, 2> sides = m_difference->sides;
        for (ComparedTrace &side : sides) {
            ProfileAnalysis how = side.profile->analysis();
            if (how.rules == rules)
                continue;
            how.rules = rules;
            side.profile = analyse(side.profile->profile, progress, std::move(how));
            if (!side.profile)
                return nullptr;
        }
        if (sides[0].profile == m_difference->sides[0].profile &&
            sides[1].profile == m_difference->sides[1].profile)
            return nullptr;
        return opened(compareSides(std::move(sides), m_difference->scope));
    }
    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<DifferenceDocumentPage>(shared_from_this(), m_difference, parent);
    }
    [[nodiscard]] Caption caption(const QString &, const QString &, ByteUnit) const override
    {
        const auto &[a, b] = m_difference->sides;
        return captionOf(u"%1 · %2"_s.arg(a.title, b.title), {},
                         u"Comparison of two profiler traces"_s);
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Compare
                   ? QString()
                   : u"These are two profiler traces; their view is compare."_s;
    }
    [[nodiscard]] QStringList files() const override
    {
        return {m_difference->sides[0].path, m_difference->sides[1].path};
    }
    void gatherNames(Redaction &redaction) const override
    {
        for (const ComparedTrace &side : m_difference->sides)
            opened(side.profile)->gatherNames(redaction);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override
    {
        auto result = std::make_shared<ProfileDifferenceDocument>(*m_difference);
        for (ComparedTrace &side : result->sides) {
            side.title = fileWithoutNames(side.title, redaction);
            side.profile = opened(side.profile)->withoutNames(redaction, progress)->profile();
        }
        return opened(DifferencePointer(std::move(result)));
    }
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override
    {
        std::vector<Replaced> replaced;
        for (const ComparedTrace &side : m_difference->sides) {
            for (Replaced &each : opened(side.profile)->replacements(redaction))
                replaced.push_back(std::move(each));
        }
        return replaced;
    }
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override
    {
        return std::vector<ReportSource>{
            {file.isEmpty() ? m_difference->sides[0].title : file, shared_from_this()}};
    }
    void addReportSection(Report &report, const std::string &, std::size_t number,
                          ByteUnit) const override
    {
        addDifferenceSection(report, *m_difference, number);
    }
    [[nodiscard]] std::vector<ReportFigure> reportFigures(std::size_t number,
                                                          ByteUnit) const override
    {
        return differenceFigures(m_difference, number);
    }

private:
    DifferencePointer m_difference;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const ProfileDifferenceDocument> difference)
{
    return std::make_shared<const OpenedDifference>(std::move(difference));
}

} // namespace vramscope
