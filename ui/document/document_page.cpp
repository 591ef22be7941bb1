// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/document/document_page.h"

#include "ui/support/text.h"
#include "ui/timeline/view_state.h"

#include <QApplication>
#include <QTableView>

namespace vramscope {

void TimelineUse::fit()
{
    timelineState()->fit();
}

void TimelineUse::back()
{
    timelineState()->back();
}

void TimelineUse::forward()
{
    timelineState()->forward();
}

QString DocumentPage::selectedText() const
{
    const auto *table = qobject_cast<const QTableView *>(QApplication::focusWidget());
    return table && isAncestorOf(table) ? rowsText(*table) : QString();
}

QImage DocumentPage::picture() const
{
    return changed()->grab().toImage();
}

void DocumentPage::paint(QPainter &painter) const
{
    changed()->render(&painter);
}

std::optional<ComparedTrace> DocumentPage::snapshot() const
{
    std::vector<ComparedTrace> shown = compared();
    if (shown.size() != 1 || !shown.front().document)
        return std::nullopt;
    return std::move(shown.front());
}

std::vector<ReportSource> DocumentPage::reportSources(const QString &file,
                                                      const QDateTime &date) const
{
    auto sources = document()->reportSources(file);
    if (!sources)
        return {};
    for (ReportSource &source : *sources)
        source.date = date;
    return std::move(sources).value();
}

const Plan *DocumentPage::plan() const
{
    const PlanEditing *editing = planEditing();
    return editing ? &editing->plan() : nullptr;
}

bool DocumentPage::isModified() const
{
    const PlanEditing *editing = planEditing();
    return editing && editing->isModified();
}

TimelineState *DocumentPage::timeline() const
{
    const TimelineUse *use = timelineUse();
    return use ? use->timelineState() : nullptr;
}

BookmarkModel *DocumentPage::bookmarks() const
{
    const BookmarkUse *use = bookmarkUse();
    return use ? use->bookmarks() : nullptr;
}

bool DocumentPage::takesLog() const
{
    const TraceUse *use = traceUse();
    return use && use->takesLog();
}

} // namespace vramscope
