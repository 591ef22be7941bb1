// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/ranks/opened_ranks.h"

#include "core/ranks/run_study.h"
#include "core/trace/redaction.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/ranks/heat_map.h"
#include "ui/ranks/rank_figures.h"
#include "ui/ranks/rank_items.h"
#include "ui/ranks/ranks_model.h"
#include "ui/ranks/ranks_page.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QFileInfo>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// The page as the window sees it.
class RanksDocumentPage : public DocumentPage
{
public:
    RanksDocumentPage(DocumentPointer document, RunStudyPointer study, QWidget *parent)
        : DocumentPage(std::move(document))
        , m_study(study)
        , m_page(new RanksPage(std::move(study), parent))
    {
        connect(m_page, &RanksPage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &RanksPage::openWanted, this, &DocumentPage::openWanted);
        connect(m_page, &RanksPage::comparisonWanted, this, &DocumentPage::comparisonWanted);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"compare#ranks"_s; }
    [[nodiscard]] Table table(qsizetype most) const override
    {
        return tableOf(*m_page->model(), u"Ranks"_s, most);
    }
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        return rankItems(m_study, m_page->unit());
    }

    [[nodiscard]] QVariantMap state(const Redaction *redaction) const override
    {
        const QString filter = m_page->filter();
        return {{u"rank"_s, static_cast<qulonglong>(m_page->current())},
                {u"filter"_s, redaction ? toQString(redaction->text(filter.toStdString(),
                                                                    Redaction::Kind::Prose))
                                        : filter}};
    }
    void restore(const QVariantMap &state) override
    {
        m_page->setFilter(state.value(u"filter"_s).toString());
        const auto rank = static_cast<std::size_t>(state.value(u"rank"_s).toULongLong());
        if (state.contains(u"rank"_s) && rank < m_study->count())
            m_page->setCurrent(rank);
    }

private:
    RunStudyPointer m_study;
    RanksPage *m_page;
};

class OpenedRanks : public Document
{
public:
    explicit OpenedRanks(RunStudyPointer study)
        : m_study(std::move(study))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<RanksDocumentPage>(shared_from_this(), m_study, parent);
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file,
                         u"%1 ranks"_s.arg(countText(static_cast<std::int64_t>(m_study->count()))));
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Ranks ? QString()
                                         : u"These are the ranks of a run; their view is ranks."_s;
    }
    [[nodiscard]] QStringList files() const override
    {
        QStringList files;
        if (m_study->isSummary)
            return files; // which is one, wherever the recordings are
        for (const auto *ranks :
             {&m_study->run.ranks, &m_study->run.earlier, &m_study->run.unusable}) {
            for (const RankSummary &rank : *ranks) {
                if (const auto file = recordingOf(*m_study, rank))
                    files += pathText(file->native());
            }
        }
        return files;
    }
    void gatherNames(Redaction &redaction) const override
    {
        vramscope::gatherNames(redaction, *m_study);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &) const override
    {
        return opened(
            std::make_shared<const RunStudy>(vramscope::withoutNames(*m_study, redaction)));
    }
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override
    {
        return std::vector<ReportSource>{{file, shared_from_this()}};
    }
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override
    {
        addRanksSection(report, *m_study, name, number, unit);
    }
    [[nodiscard]] std::vector<ReportFigure> reportFigures(std::size_t number,
                                                          ByteUnit unit) const override
    {
        return ranksFigures(m_study, number, unit);
    }

private:
    RunStudyPointer m_study;
};

} // namespace

DocumentPointer opened(RunStudyPointer study)
{
    return std::make_shared<const OpenedRanks>(std::move(study));
}

} // namespace vramscope
