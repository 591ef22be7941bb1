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

#include <mutex>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

class OpenedRanks : public Document
{
public:
    explicit OpenedRanks(RunStudyPointer study)
        : m_study(std::move(study))
    {
    }

    /// As far as it has been read.
    [[nodiscard]] RunStudyPointer study() const
    {
        const std::lock_guard lock(m_mutex);
        return m_study;
    }
    /// With the curves, which another has read.
    void keep(RunStudyPointer study) const
    {
        const std::lock_guard lock(m_mutex);
        m_study = std::move(study);
    }
    /// With the curves, read now where nobody has; without them where they cannot be read.
    [[nodiscard]] RunStudyPointer whole(const Progress &progress = {}) const
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

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override;
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file,
                         countedText(static_cast<std::int64_t>(study()->count()), "rank"));
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Ranks ? QString()
                                         : u"These are the ranks of a run; their view is ranks."_s;
    }
    [[nodiscard]] QStringList files() const override
    {
        QStringList files;
        const RunStudyPointer read = study();
        if (read->isSummary)
            return files; // which is one, wherever the recordings are
        for (const auto *ranks : {&read->run.ranks, &read->run.earlier, &read->run.unusable}) {
            for (const RankSummary &rank : *ranks) {
                if (const auto file = recordingOf(*read, rank))
                    files += pathText(file->native());
            }
        }
        return files;
    }
    void gatherNames(Redaction &redaction) const override
    {
        vramscope::gatherNames(redaction, *study());
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override
    {
        const RunStudyPointer all = whole(progress);
        if (progress && !progress(1))
            return shared_from_this();
        return opened(std::make_shared<const RunStudy>(vramscope::withoutNames(*all, redaction)));
    }
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override
    {
        return std::vector<ReportSource>{{file, shared_from_this()}};
    }
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override
    {
        addRanksSection(report, *whole(), name, number, unit);
    }
    [[nodiscard]] std::vector<ReportFigure> reportFigures(std::size_t number,
                                                          ByteUnit unit) const override
    {
        return ranksFigures(whole(), number, unit);
    }

private:
    mutable std::mutex m_mutex;
    mutable RunStudyPointer m_study; ///< what is known of it grows, as the parts of a Study do
};

/// The page as the window sees it.
class RanksDocumentPage : public DocumentPage
{
public:
    RanksDocumentPage(std::shared_ptr<const OpenedRanks> document, QWidget *parent)
        : DocumentPage(document)
        , m_page(new RanksPage(document->study(), parent))
    {
        connect(m_page, &RanksPage::curvesRead, this,
                [this, document = std::move(document)] { document->keep(m_page->sharedStudy()); });
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
        m_page->readCurvesNow();
        return rankItems(m_page->sharedStudy(), m_page->unit());
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
        if (state.contains(u"rank"_s) && rank < m_page->study().count())
            m_page->setCurrent(rank);
    }
    void workNow() override { m_page->readCurvesNow(); }

private:
    RanksPage *m_page;
};

std::unique_ptr<DocumentPage> OpenedRanks::makePage(const QString &, const QString &,
                                                    QWidget *parent) const
{
    return std::make_unique<RanksDocumentPage>(
        std::static_pointer_cast<const OpenedRanks>(shared_from_this()), parent);
}

} // namespace

DocumentPointer opened(RunStudyPointer study)
{
    return std::make_shared<const OpenedRanks>(std::move(study));
}

} // namespace vramscope
