// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/opened_trace.h"

#include "core/session/session.h"
#include "core/trace/redaction.h"
#include "ui/bookmarks/bookmark_items.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/support/text.h"
#include "ui/timeline/view_state.h"
#include "ui/trace/render.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_items.h"
#include "ui/trace/trace_page.h"

#include <QUndoStack>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kBookmark = u"bookmark"_s; ///< what is seen, of the state of a page

/// The page of a trace as the window sees it.
class TraceDocumentPage : public DocumentPage,
                          private TimelineUse,
                          private TraceUse,
                          private BookmarkUse
{
public:
    /// `document` is a trace.
    TraceDocumentPage(const DocumentPointer &document, const QString &title, const QString &path,
                      QWidget *parent)
        : DocumentPage(document)
        , m_trace{title, path, document->trace()}
        , m_page(new TracePage(document->trace(), parent))
    {
        connect(m_page, &TracePage::statusChanged, this, &DocumentPage::statusChanged);
        connect(m_page, &TracePage::planMade, this,
                [this](const Plan &plan, const QString &notice) {
                    if (const std::optional<ComparedTrace> shown = snapshot())
                        Q_EMIT recoveredPlanWanted(plan, notice, *shown);
                });
        if (const BookmarkModel *bookmarks = m_page->bookmarks())
            connect(bookmarks->undoStack(), &QUndoStack::indexChanged, this, &DocumentPage::edited);
    }

    [[nodiscard]] QWidget *widget() const override { return m_page; }
    void setUnit(ByteUnit unit) override { m_page->setUnit(unit); }
    [[nodiscard]] QString statusText() const override { return m_page->statusText(); }
    [[nodiscard]] Table table(qsizetype most) const override { return m_page->table(most); }
    [[nodiscard]] QString helpTopic() const override { return rowOf(m_page->view()).helpTopic; }
    [[nodiscard]] QString selectedText() const override
    {
        const QString rows = DocumentPage::selectedText();
        return rows.isEmpty() ? m_page->selectedText() : rows;
    }
    [[nodiscard]] bool isPresentable() const override { return !compared().empty(); }
    [[nodiscard]] std::vector<StageItem> stageItems() const override
    {
        return isPresentable() ? itemsWith(bookmarks()->bookmarks()) : std::vector<StageItem>();
    }
    [[nodiscard]] std::vector<ReportSource> reportSources(const QString &file,
                                                          const QDateTime &date) const override
    {
        if (m_trace.document->devices.empty())
            return {};
        return {{file, document(), m_page->device(), date}};
    }
    [[nodiscard]] std::vector<ComparedTrace> compared() const override
    {
        if (m_trace.document->devices.empty())
            return {};
        ComparedTrace shown = m_trace;
        shown.device = m_page->device();
        return {shown};
    }
    [[nodiscard]] QVariantMap state(const Redaction *redaction) const override
    {
        Bookmark bookmark = m_page->bookmark();
        if (redaction)
            bookmark.filter = redaction->path(bookmark.filter);
        return {{kBookmark, QVariant::fromValue(bookmark)}};
    }
    void restore(const QVariantMap &state) override
    {
        m_page->studyNow();
        m_page->apply(state[kBookmark].value<Bookmark>());
    }
    void showDevice(std::size_t device) override { m_page->showDevice(device); }
    [[nodiscard]] QUndoStack *undoStack() const override
    {
        return bookmarks() ? bookmarks()->undoStack() : nullptr;
    }
    [[nodiscard]] TimelineUse *timelineUse() override { return this; }
    [[nodiscard]] TraceUse *traceUse() override { return this; }
    [[nodiscard]] BookmarkUse *bookmarkUse() override { return this; }

private:
    [[nodiscard]] bool isDrawn() const override { return timeline() != nullptr; }
    [[nodiscard]] TimelineState *timeline() const override { return m_page->state(); }
    void fit() override { m_page->state()->fit(); }
    void back() override { m_page->state()->back(); }
    void forward() override { m_page->state()->forward(); }
    void goToPeak() override { m_page->goToPeak(); }
    void showView(const TraceShot &shot) override
    {
        m_page->studyNow();
        m_page->setColorBy(shot.colorBy);
        m_page->setView(shot.view);
        if (shot.range)
            timeline()->showEvents(shot.range->first, shot.range->last);
        if (shot.event)
            timeline()->setCursor(*shot.event);
        m_page->setCost(shot.cost);
    }
    [[nodiscard]] BookmarkModel *bookmarks() const override { return m_page->bookmarks(); }
    void addBookmark() override { m_page->addBookmark(); }
    void stepBookmark(bool forward) override { m_page->stepBookmark(forward); }
    [[nodiscard]] std::optional<StageItem> viewItem() const override
    {
        if (!isPresentable())
            return std::nullopt;
        return nextBookmarkItem(
            bookmarks()->bookmarks(), m_page->bookmark(),
            [this](const std::vector<Bookmark> &marked) { return itemsWith(marked); });
    }
    [[nodiscard]] bool takesLog() const override { return m_page->takesLog(); }
    QString takeLog(std::shared_ptr<const Series> log) override
    {
        return m_page->takeLog(std::move(log));
    }
    void makePlan() override { m_page->makePlan(); }

    [[nodiscard]] std::vector<StageItem> itemsWith(std::vector<Bookmark> bookmarks) const
    {
        return traceItems(
            {m_trace.document, m_page->device(), std::move(bookmarks), m_page->unit()});
    }

    ComparedTrace m_trace;
    TracePage *m_page;
};

class OpenedTrace : public Document
{
public:
    explicit OpenedTrace(std::shared_ptr<const TraceDocument> trace)
        : m_trace(std::move(trace))
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &path,
                                                         QWidget *parent) const override
    {
        return std::make_unique<TraceDocumentPage>(shared_from_this(), title, path, parent);
    }
    [[nodiscard]] std::shared_ptr<const TraceDocument> trace() const override { return m_trace; }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit) const override
    {
        return captionOf(title, file, toQString(m_trace->trace->producer()));
    }
    [[nodiscard]] QString unfitText(RenderView view) const override
    {
        return view == RenderView::Trace || view == RenderView::Alone
                   ? QString()
                   : u"This is a trace; its views are trace, active-memory and others; see --help."_s;
    }
    [[nodiscard]] std::optional<std::size_t> deviceIndex(int ordinal) const override
    {
        return vramscope::deviceIndex(*m_trace, ordinal);
    }
    void gatherNames(Redaction &redaction) const override { redaction.gather(*m_trace->trace); }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &progress) const override
    {
        return std::make_shared<const OpenedTrace>(
            vramscope::withoutNames(m_trace, redaction, progress));
    }
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override
    {
        return changedTexts(*m_trace, redaction);
    }
    [[nodiscard]] Result<std::vector<ReportSource>>
    reportSources(const QString &file) const override
    {
        if (m_trace->devices.empty())
            return Error{ErrorCode::OtherContent,
                         "It holds no memory of any device, so there is nothing to report."};
        return std::vector<ReportSource>{{file, shared_from_this(), m_trace->mainDevice()}};
    }

private:
    std::shared_ptr<const TraceDocument> m_trace;
};

} // namespace

DocumentPointer opened(std::shared_ptr<const TraceDocument> trace)
{
    return std::make_shared<const OpenedTrace>(std::move(trace));
}

std::optional<std::size_t> deviceIndex(const TraceDocument &trace, int ordinal)
{
    if (ordinal < 0)
        return trace.mainDevice();
    for (std::size_t at = 0; at < trace.devices.size(); ++at) {
        if (trace.devices[at]->device().device == ordinal)
            return at;
    }
    return std::nullopt;
}

std::shared_ptr<const TraceDocument> withoutNames(const std::shared_ptr<const TraceDocument> &trace,
                                                  const Redaction &redaction,
                                                  const Progress &progress)
{
    const auto made = analyse(redaction.applied(*trace->trace), progress);
    return made ? made : trace;
}

std::vector<Replaced> changedTexts(const TraceDocument &trace, const Redaction &redaction)
{
    std::vector<Replaced> texts;
    for (const auto &[before, after] : redaction.changes(*trace.trace))
        texts.emplace_back(toQString(before), toQString(after));
    return texts;
}

} // namespace vramscope
