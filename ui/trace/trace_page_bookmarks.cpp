// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/trace/redaction.h"
#include "ui/bookmarks/bookmark_items.h"
#include "ui/bookmarks/bookmark_model.h"
#include "ui/bookmarks/bookmark_panel.h"
#include "ui/support/text.h"
#include "ui/timeline/overview.h"
#include "ui/trace/filter_field.h"
#include "ui/trace/trace_page.h"
#include "ui/trace/view_bar.h"

#include <QUndoStack>

#include <algorithm>
#include <cmath>

// The page's bookmarks: makes one of the current view, and restores one.

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const QString kBookmark = u"bookmark"_s; ///< the current view, in the saved state of a page
const QString kTimeAxis = u"time"_s;
const QString kEventAxis = u"event"_s;

/// A range from a document, in whole units, clamped to the whole and never reversed.
Range inside(std::int64_t from, std::int64_t to, const Range &whole)
{
    const auto [low, high] = std::minmax({static_cast<double>(from), static_cast<double>(to)});
    return {std::clamp(low, whole.low, whole.high), std::clamp(high, whole.low, whole.high)};
}

} // namespace

QString TracePage::placeText(const Bookmark &bookmark) const
{
    const auto view = traceViewNamed(toQString(bookmark.view));
    QStringList parts;
    if (m_document->devices.size() > 1)
        parts += u"Device %1"_s.arg(bookmark.device);
    parts += view ? rowOf(*view).title : toQString(bookmark.view);
    parts += bookmark.cursor < 0 ? u"before the first event"_s
                                 : u"event %1"_s.arg(countText(bookmark.cursor));
    return parts.join(u" · "_s);
}

std::optional<StageItem> TracePage::viewItem() const
{
    if (!isPresentable())
        return std::nullopt;
    return nextBookmarkItem(
        m_bookmarks->bookmarks(), bookmark(),
        [this](const std::vector<Bookmark> &marked) { return itemsWith(marked); });
}

QVariantMap TracePage::chosen(const Redaction *redaction) const
{
    Bookmark shown = bookmark();
    if (redaction)
        shown.filter = redaction->path(shown.filter);
    return {{kBookmark, QVariant::fromValue(shown)}};
}

void TracePage::restore(const QVariantMap &chosen)
{
    studyNow();
    apply(chosen[kBookmark].value<Bookmark>());
}

QUndoStack *TracePage::undoStack() const
{
    return m_bookmarks ? m_bookmarks->undoStack() : nullptr;
}

void TracePage::connectBookmarks()
{
    connect(m_bookmarks->undoStack(), &QUndoStack::indexChanged, this, &TracePage::edited);
    connect(m_bookmarkPanel, &BookmarkPanel::bookmarkWanted, this, &TracePage::addBookmark);
    connect(m_bookmarkPanel, &BookmarkPanel::chosen, this, &TracePage::goToBookmark);
    connect(m_bookmarks, &QAbstractItemModel::dataChanged, this, &TracePage::refreshFlags);
    connect(m_bookmarks, &QAbstractItemModel::modelReset, this, &TracePage::refreshFlags);
    connect(m_overview, &Overview::flagChosen, this, [this](std::size_t flag) {
        m_bookmarkPanel->setCurrent(m_flagRows[flag]);
        goToBookmark(m_flagRows[flag]);
    });
}

QString TracePage::suggestedName() const
{
    const Study &device = *m_document->devices[m_device];
    const EventIndex at = m_state->cursor();
    if (!device.hasHistory())
        return u"Final state"_s;
    const auto &failed = device.device().outOfMemory;
    if (std::ranges::any_of(failed, [at](const auto &one) { return one.event == at; }))
        return u"Out of memory at event %1"_s.arg(countText(at));
    if (at >= 0 && at == device.curve().peakActiveEvent())
        return u"Peak · %1 at event %2"_s.arg(bytesText(device.curve().active(at), unit()),
                                              countText(at));
    if (at < 0)
        return u"%1 before the first event"_s.arg(rowOf(m_view).title);
    return u"%1 at event %2"_s.arg(rowOf(m_view).title, countText(at));
}

Bookmark TracePage::bookmark() const
{
    Bookmark bookmark;
    if (m_document->devices.empty())
        return bookmark;
    const Viewport &visible = m_state->visible();
    const bool byTime = m_state->axis().kind() == EventAxis::Kind::Time;
    bookmark.name = suggestedName().toStdString();
    bookmark.device = m_document->devices[m_device]->device().device;
    bookmark.view = rowOf(m_view).name.toStdString();
    bookmark.color = colorByName(m_colorBy).toStdString();
    bookmark.axis = (byTime ? kTimeAxis : kEventAxis).toStdString();
    bookmark.from = std::llround(std::floor(visible.x.low));
    bookmark.to = std::llround(std::ceil(visible.x.high));
    bookmark.bytesFrom = std::llround(std::floor(visible.bytes.low));
    bookmark.bytesTo = std::llround(std::ceil(visible.bytes.high));
    bookmark.cursor = m_state->cursor();
    if (m_state->selected() != kNoAllocation)
        bookmark.selected = m_state->selected();
    bookmark.filter = m_bar->filter()->text().toStdString();
    return bookmark;
}

// All values of the bookmark are clamped to the recording: it may come from another one.
void TracePage::apply(const Bookmark &bookmark)
{
    if (m_document->devices.empty())
        return;
    const auto device = std::ranges::find_if(m_document->devices, [&bookmark](const auto &one) {
        return one->device().device == bookmark.device;
    });
    const std::size_t index = device == m_document->devices.end()
                                  ? m_document->mainDevice()
                                  : static_cast<std::size_t>(device - m_document->devices.begin());
    if (index != m_device)
        showDevice(index);
    const ColorBy color = colorByNamed(toQString(bookmark.color)).value_or(ColorBy::Stack);
    m_isColorChosen = true;
    if (color != m_colorBy || m_group)
        setColorBy(color);
    m_bar->filter()->setFilter(toQString(bookmark.filter));
    setView(traceViewNamed(toQString(bookmark.view)).value_or(TraceView::Active));
    const auto kind =
        toQString(bookmark.axis) == kTimeAxis ? EventAxis::Kind::Time : EventAxis::Kind::Event;
    setAxisKind(kind);
    // Without times the range is in a unit that this axis does not have.
    const bool sameUnit = m_state->axis().kind() == kind;
    const Viewport &whole = m_state->whole();
    m_state->show({sameUnit ? inside(bookmark.from, bookmark.to, whole.x) : whole.x,
                   inside(bookmark.bytesFrom, bookmark.bytesTo, whole.bytes)});
    const EventIndex last = m_state->axis().count() - 1;
    m_state->setCursor(static_cast<EventIndex>(
        std::clamp<std::int64_t>(bookmark.cursor, -1, std::max<std::int64_t>(-1, last))));
    const auto count =
        static_cast<std::int64_t>(m_document->devices[m_device]->allocations().count());
    const bool selects = 0 <= bookmark.selected && bookmark.selected < count;
    m_state->select(selects ? static_cast<AllocationIndex>(bookmark.selected) : kNoAllocation);
}

void TracePage::addBookmark()
{
    if (m_bookmarks)
        m_bookmarks->append(bookmark());
}

void TracePage::goToBookmark(int row)
{
    if (0 <= row && row < m_bookmarks->rowCount())
        apply(m_bookmarks->bookmarks()[static_cast<std::size_t>(row)]);
}

void TracePage::stepBookmark(bool forward)
{
    if (m_bookmarks)
        m_bookmarkPanel->step(forward);
}

void TracePage::refreshFlags()
{
    const std::vector<Bookmark> &all = m_bookmarks->bookmarks();
    const EventIndex count = m_state->axis().count();
    std::vector<TimelineMark> flags;
    m_flagRows.clear();
    for (std::size_t row = 0; row < all.size(); ++row) {
        const Bookmark &bookmark = all[row];
        if (bookmark.device != m_document->devices[m_device]->device().device ||
            bookmark.cursor < -1 || bookmark.cursor >= count)
            continue;
        const QString name = m_bookmarks->index(static_cast<int>(row)).data().toString();
        flags.push_back({static_cast<EventIndex>(bookmark.cursor), name});
        m_flagRows.push_back(static_cast<int>(row));
    }
    m_overview->setFlags(std::move(flags));
    showOverview();
}

} // namespace vramscope
