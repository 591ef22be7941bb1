// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/series/opened_series.h"

#include "core/trace/redaction.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/series/peaks_table.h"
#include "ui/series/series_document.h"
#include "ui/series/series_figures.h"
#include "ui/series/series_items.h"
#include "ui/series/series_page.h"
#include "ui/series/series_text.h"
#include "ui/timeline/view_state.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kVisible = u"visible"_s; ///< the range that is seen, of the state of a page

/// The page as the window sees it.
class SeriesDocumentPage : public DocumentPage, private TimelineUse
{
public:
    SeriesDocumentPage(DocumentPointer document, std::shared_ptr<const SeriesDocument> series,
                       QWidget *parent)
        : DocumentPage(std::move(document))
        , m_series(series)
        , m_page(new SeriesPage(std::move(series), parent))
    {
        connect(m_page, &SeriesPage::statusChanged, this, &DocumentPage::statusChanged);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] QString helpTopic() const override { return u"trace#curves-of-other-programs"_s; }
    [[nodiscard]] Table table(qsizetype most) const override
    {
        const PeaksTable *peaks = m_page->peaks();
        return peaks ? tableOf(*peaks->model(), u"Peaks"_s, most) : Table();
    }
    [[nodiscard]] bool isPresentable() const override { return m_page->state() != nullptr; }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        StagedSeries staged{m_series, {}, m_page->unit()};
        for (std::size_t at = 0; at < m_series->devices.size(); ++at) {
            if (m_page->scene().device() == &m_series->devices[at])
                staged.device = at;
        }
        return seriesItems(std::move(staged));
    }
    [[nodiscard]] QVariantMap state(const Redaction *) const override
    {
        if (!m_page->state())
            return {};
        return {{kVisible, QVariant::fromValue(m_page->state()->visible())}};
    }
    void restore(const QVariantMap &state) override
    {
        if (m_page->state() && state.contains(kVisible))
            m_page->state()->show(state[kVisible].value<Viewport>());
    }
    void showDevice(std::size_t device) override { m_page->showDevice(device); }
    [[nodiscard]] TimelineUse *timelineUse() override { return this; }

private:
    [[nodiscard]] bool isDrawn() const override { return timeline() != nullptr; }
    [[nodiscard]] TimelineState *timeline() const override { return m_page->state(); }
    void fit() override { m_page->state()->fit(); }
    void back() override { m_page->state()->back(); }
    void forward() override { m_page->state()->forward(); }
    void goToPeak() override { m_page->goToPeak(); }

    std::shared_ptr<const SeriesDocument> m_series;
    SeriesPage *m_page;
};

class OpenedSeries : public Document
{
public:
    explicit OpenedSeries(std::shared_ptr<const SeriesDocument> series)
        : m_series(std::move(series))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &, const QString &,
                                                         QWidget *parent) const override
    {
        return std::make_unique<SeriesDocumentPage>(shared_from_this(), m_series, parent);
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file, formatTitle(*m_series->series));
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Series
                   ? QString()
                   : u"This is a recording of curves over time; its view is series."_s;
    }
    // Of no ordinal any device.
    [[nodiscard]] std::optional<std::size_t> deviceIndex(int ordinal) const override
    {
        if (ordinal < 0)
            return 0;
        for (std::size_t at = 0; at < m_series->devices.size(); ++at) {
            if (m_series->devices[at].recorded->ordinal == ordinal)
                return at;
        }
        return std::nullopt;
    }
    void gatherNames(Redaction &redaction) const override { redaction.gather(*m_series->series); }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override
    {
        const auto made = analyse(redaction.applied(*m_series->series), progress);
        return opened(made ? made : m_series);
    }
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override
    {
        return std::vector<ReportSource>{{file, shared_from_this()}};
    }
    void addReportSection(Report &report, const std::string &name, std::size_t number,
                          ByteUnit unit) const override
    {
        addSeriesSection(report, seriesSubject(m_series, name, number), unit);
    }
    [[nodiscard]] std::vector<ReportFigure> reportFigures(std::size_t number,
                                                          ByteUnit unit) const override
    {
        return seriesFigures(m_series, number, unit);
    }

private:
    std::shared_ptr<const SeriesDocument> m_series;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const SeriesDocument> series)
{
    return std::make_shared<const OpenedSeries>(std::move(series));
}

} // namespace vramscope
