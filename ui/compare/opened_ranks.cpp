// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/opened_ranks.h"

#include "core/ranks/rank_folder.h"
#include "core/trace/redaction.h"
#include "ui/compare/compare_items.h"
#include "ui/compare/rank_figures.h"
#include "ui/compare/rank_page.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"

#include <QFileInfo>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// A row a rank.
Table ranksTable(const RankFolder &folder, ByteUnit unit)
{
    Table table{u"Ranks"_s,
                {u"Rank"_s, u"File"_s, u"Peak active"_s, u"Peak reserved"_s, u"Above the median"_s,
                 u"Outlier"_s, u"Out of memory"_s},
                {}};
    table.units = {{}, {}, u"bytes"_s, u"bytes"_s, u"bytes"_s};
    for (std::size_t at = 0; at < folder.ranks.size(); ++at) {
        const Rank &rank = folder.ranks[at];
        table.rows.push_back({{QString::number(rank.number), rank.number},
                              {QFileInfo(pathText(rank.file)).fileName(), {}},
                              sizeCell(rank.summary.peakActive, unit),
                              sizeCell(rank.summary.peakReserved, unit),
                              sizeCell(folder.deviation(at), unit),
                              {folder.isOutlier(at) ? u"yes"_s : u"no"_s, {}},
                              {rank.summary.outOfMemory.empty() ? u"no"_s : u"yes"_s, {}}});
    }
    return table;
}

/// The page as the window sees it.
class RanksDocumentPage : public DocumentPage
{
public:
    RanksDocumentPage(DocumentPointer document, std::shared_ptr<const RankFolder> folder,
                      QWidget *parent)
        : DocumentPage(std::move(document))
        , m_folder(folder)
        , m_page(new RankPage(std::move(folder), parent))
    {
        connect(m_page, &RankPage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &RankPage::openWanted, this, &DocumentPage::openWanted);
        connect(m_page, &RankPage::comparisonWanted, this, &DocumentPage::comparisonWanted);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"compare#ranks"_s; }
    [[nodiscard]] Table table(qsizetype) const override
    {
        return ranksTable(*m_folder, m_page->unit());
    }
    [[nodiscard]] bool isPresentable() const override { return true; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        return rankItems(m_folder, m_page->unit());
    }

private:
    std::shared_ptr<const RankFolder> m_folder;
    RankPage *m_page;
};

class OpenedRanks : public Document
{
public:
    explicit OpenedRanks(std::shared_ptr<const RankFolder> folder)
        : m_folder(std::move(folder))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<RanksDocumentPage>(shared_from_this(), m_folder, parent);
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file, u"%1 ranks"_s.arg(m_folder->ranks.size()));
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Ranks ? QString()
                                         : u"This is a folder of ranks; its view is ranks."_s;
    }
    [[nodiscard]] QStringList files() const override
    {
        QStringList files;
        for (const Rank &rank : m_folder->ranks)
            files += pathText(rank.file);
        for (const RankFolder::Unread &unread : m_folder->unread)
            files += pathText(unread.name);
        return files;
    }
    void gatherNames(Redaction &redaction) const override
    {
        redaction.gatherFileName(m_folder->path);
        redaction.gather(m_folder->names);
    }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &) const override
    {
        auto result = std::make_shared<RankFolder>(*m_folder);
        result->path = redaction.fileName(result->path);
        for (Rank &rank : result->ranks) {
            rank.file = redaction.fileName(rank.file);
            rank.failedIn = redaction.text(rank.failedIn, Redaction::Kind::Code);
            for (RankSite &site : rank.peak.sites)
                site.name = redaction.text(site.name, Redaction::Kind::Code);
        }
        for (RankFolder::Unread &unread : result->unread) {
            unread.name = redaction.fileName(unread.name);
            unread.why = redaction.sentence(unread.why);
        }
        return std::make_shared<const OpenedRanks>(std::move(result));
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
                                                          ByteUnit unit) const override
    {
        return ranksFigures(m_folder, number, unit);
    }

private:
    std::shared_ptr<const RankFolder> m_folder;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const RankFolder> folder)
{
    return std::make_shared<const OpenedRanks>(std::move(folder));
}

} // namespace vramscope
