// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_document_page.h"

#include "core/trace/redaction.h"
#include "ui/stacks/call_tree_model.h"
#include "ui/trace/bookmark_model.h"
#include "ui/trace/live_table.h"
#include "ui/trace/render.h"
#include "ui/trace/stacks_view.h"
#include "ui/trace/trace_document.h"
#include "ui/trace/trace_items.h"
#include "ui/trace/trace_page.h"

#include <QTableView>
#include <QUndoStack>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kBookmark = u"bookmark"_s; ///< what is seen, of the state of a page

} // namespace

TraceDocumentPage::TraceDocumentPage(const DocumentPointer &document, const QString &title,
                                     const QString &path, QWidget *parent)
    : DocumentPage(document)
    , m_trace{title, path, document->trace()}
    , m_page(new TracePage(document->trace(), parent))
{
    connect(m_page, &TracePage::statusChanged, this, &DocumentPage::statusChanged);
    if (bookmarks())
        connect(undoStack(), &QUndoStack::indexChanged, this, &DocumentPage::edited);
}

QWidget *TraceDocumentPage::widget() const
{
    return m_page;
}

void TraceDocumentPage::setUnit(ByteUnit unit)
{
    m_page->setUnit(unit);
}

QString TraceDocumentPage::statusText() const
{
    return m_page->statusText();
}

Table TraceDocumentPage::table(qsizetype most) const
{
    return m_page->table(most);
}

QString TraceDocumentPage::helpTopic() const
{
    return m_page->view() == TraceView::WhatIf ? u"what-if"_s : u"trace"_s;
}

QString TraceDocumentPage::selectedText() const
{
    const QString rows = DocumentPage::selectedText();
    return rows.isEmpty() ? m_page->selectedText() : rows;
}

std::vector<StageItem> TraceDocumentPage::itemsWith(std::vector<Bookmark> bookmarks) const
{
    return traceItems({m_trace.document, m_page->device(), std::move(bookmarks), m_page->unit()});
}

std::vector<StageItem> TraceDocumentPage::stageItems() const
{
    return isPresentable() ? itemsWith(bookmarks()->bookmarks()) : std::vector<StageItem>();
}

std::optional<StageItem> TraceDocumentPage::viewItem() const
{
    if (!isPresentable())
        return std::nullopt;
    std::vector<Bookmark> marked = bookmarks()->bookmarks();
    if (marked.size() >= kMostBookmarks)
        return std::nullopt;
    const std::vector<StageItem> before = itemsWith(marked);
    marked.push_back(m_page->bookmark());
    for (const StageItem &item : itemsWith(std::move(marked))) {
        if (std::ranges::find(before, item.key, &StageItem::key) == before.end())
            return item;
    }
    return std::nullopt;
}

std::vector<ReportSource> TraceDocumentPage::reportSources(const QString &file,
                                                           const QDateTime &date) const
{
    if (m_trace.document->devices.empty())
        return {};
    return {{file, document(), m_page->device(), date}};
}

std::vector<ComparedTrace> TraceDocumentPage::compared() const
{
    if (m_trace.document->devices.empty())
        return {};
    ComparedTrace shown = m_trace;
    shown.device = m_page->device();
    return {shown};
}

QVariantMap TraceDocumentPage::state(const Redaction *redaction) const
{
    Bookmark bookmark = m_page->bookmark();
    if (redaction)
        bookmark.filter = redaction->path(bookmark.filter);
    return {{kBookmark, QVariant::fromValue(bookmark)}};
}

void TraceDocumentPage::restore(const QVariantMap &state)
{
    m_page->studyNow();
    m_page->apply(state[kBookmark].value<Bookmark>());
}

void TraceDocumentPage::showDevice(std::size_t device)
{
    m_page->showDevice(device);
}

QUndoStack *TraceDocumentPage::undoStack() const
{
    return bookmarks() ? bookmarks()->undoStack() : nullptr;
}

TimelineState *TraceDocumentPage::timeline() const
{
    return m_page->state();
}

void TraceDocumentPage::goToPeak()
{
    m_page->goToPeak();
}

void TraceDocumentPage::showView(const TraceShot &shot)
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

BookmarkModel *TraceDocumentPage::bookmarks() const
{
    return m_page->bookmarks();
}

void TraceDocumentPage::addBookmark()
{
    m_page->addBookmark();
}

void TraceDocumentPage::stepBookmark(bool forward)
{
    m_page->stepBookmark(forward);
}

bool TraceDocumentPage::takesLog() const
{
    return m_page->takesLog();
}

QString TraceDocumentPage::takeLog(std::shared_ptr<const Series> log)
{
    return m_page->takeLog(std::move(log));
}

} // namespace vramscope
