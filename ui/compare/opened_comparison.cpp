// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/opened_comparison.h"

#include "core/trace/redaction.h"
#include "ui/compare/alignment_bar.h"
#include "ui/compare/compare_items.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/comparison.h"
#include "ui/compare/sites_table.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/support/text.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/opened_trace.h"

#include <QTableView>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The page as the window sees it.
class ComparisonDocumentPage : public DocumentPage, private TimelineUse
{
public:
    ComparisonDocumentPage(DocumentPointer document,
                           std::shared_ptr<const ComparisonDocument> comparison, QWidget *parent)
        : DocumentPage(std::move(document))
        , m_page(new ComparePage(std::move(comparison), parent))
    {
        connect(m_page, &ComparePage::statusChanged, this, &DocumentPage::statusChanged);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"compare"_s; }
    [[nodiscard]] Table table(qsizetype most) const override
    {
        return tableOf(*m_page->sites()->view()->model(), u"Sites"_s, most);
    }
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        const AlignmentBar &alignment = *m_page->alignment();
        return comparisonItems(
            {m_page->document(), alignment.options(), alignment.anchorText(), m_page->unit()});
    }
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &,
                                                          const QDateTime &) const override
    {
        std::vector<ReportSource> sources;
        for (const ComparedTrace &trace : compared())
            sources.push_back(reportSource(trace));
        return sources;
    }
    [[nodiscard]] std::vector<ComparedTrace> compared() const override
    {
        return m_page->document().traces;
    }
    void workNow() override { m_page->workNow(); }
    [[nodiscard]] TimelineUse *timelineUse() override { return this; }

private:
    [[nodiscard]] bool isDrawn() const override { return timeline() != nullptr; }
    [[nodiscard]] TimelineState *timeline() const override { return m_page->state(); }
    void fit() override { m_page->state()->fit(); }
    void back() override { m_page->state()->back(); }
    void forward() override { m_page->state()->forward(); }
    void goToPeak() override { m_page->goToPeak(); }

    ComparePage *m_page;
};

class OpenedComparison : public Document
{
public:
    explicit OpenedComparison(std::shared_ptr<const ComparisonDocument> comparison)
        : m_comparison(std::move(comparison))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<ComparisonDocumentPage>(shared_from_this(), m_comparison, parent);
    }
    [[nodiscard]] Caption caption(const QString &, const QString &, ByteUnit) const override
    {
        QStringList names;
        for (const ComparedTrace &trace : m_comparison->traces)
            names += trace.title;
        return captionOf(names.join(u" · "_s), {},
                         u"Comparison of %1 recordings"_s.arg(names.size()));
    }
    [[nodiscard]] QString unfitText(RenderView) const override { return {}; }
    [[nodiscard]] QStringList files() const override
    {
        QStringList files;
        for (const ComparedTrace &trace : m_comparison->traces)
            files += trace.path;
        return files;
    }
    void gatherNames(Redaction &redaction) const override
    {
        for (const ComparedTrace &trace : m_comparison->traces)
            redaction.gather(*trace.document->trace);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override
    {
        auto result = std::make_shared<ComparisonDocument>(*m_comparison);
        for (ComparedTrace &trace : result->traces)
            trace = vramscope::withoutNames(trace, redaction, progress);
        return std::make_shared<const OpenedComparison>(std::move(result));
    }
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override
    {
        std::vector<Replaced> texts;
        for (const ComparedTrace &trace : m_comparison->traces) {
            for (Replaced &each : changedTexts(*trace.document, redaction))
                texts.push_back(std::move(each));
        }
        return texts;
    }

private:
    std::shared_ptr<const ComparisonDocument> m_comparison;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const ComparisonDocument> comparison)
{
    return std::make_shared<const OpenedComparison>(std::move(comparison));
}

} // namespace vramscope
