// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_items.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/findings/finding.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/print/finding_text.h"
#include "ui/bookmarks/bookmark_items.h"
#include "ui/models/stack_text.h"
#include "ui/stage/levels_picture.h"
#include "ui/support/text.h"
#include "ui/trace/trace_page.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMostRemarks = 4;
constexpr EventIndex kLeastBefore = 200; ///< events that lead to the one without memory

/// The recording, and a page of it that all items share: made when the first of them is shown.
struct Staged
{
    StagedTrace trace;
    std::shared_ptr<TracePage> page;

    [[nodiscard]] const Study &device() const { return *trace.document->devices[trace.device]; }
    [[nodiscard]] QString text(Bytes bytes) const { return bytesText(bytes, trace.unit); }
    /// A view of the device from its beginning to its end, with the cursor there.
    [[nodiscard]] Bookmark view(TraceView kind, EventIndex cursor) const
    {
        Bookmark bookmark;
        bookmark.device = device().device().device;
        bookmark.view = rowOf(kind).name.toStdString();
        bookmark.cursor = cursor;
        return bookmark;
    }
};

using Shared = std::shared_ptr<Staged>;

StageScene bookmarkScene(Staged &staged, const QString &headline, const Bookmark &bookmark)
{
    if (!staged.page) {
        staged.page = std::make_shared<TracePage>(staged.trace.document);
        staged.page->setUnit(staged.trace.unit);
    }
    TracePage &page = *staged.page;
    page.apply(bookmark);
    if (bookmark.view != rowOf(TraceView::Active).name.toStdString() ||
        bookmark.color != colorByName(ColorBy::Stack).toStdString() || !bookmark.filter.empty())
        page.studyNow();
    page.filterNow();
    page.showViewAlone();
    return {headline, staged.page};
}

StageScene answerScene(const Staged &of)
{
    const DeviceSummary &summary = of.device().summary();
    const bool course = of.device().hasHistory(); // else what is known is one moment
    const std::vector<Finding> found = findingsSoFar(of.device());
    LevelBars levels;
    const QString inUse = course ? u"in use, at most"_s : u"in use"_s;
    levels.rows = {{inUse, summary.peakActive, 0, 0}};
    const QString reserved =
        course ? u"reserved by the allocator, at most"_s : u"reserved by the allocator"_s;
    if (summary.isReservedKnown)
        levels.rows.push_back({reserved, summary.peakReserved, 0, 0});
    for (const Finding &one : found) {
        const bool isHeadline = !summary.outOfMemory.empty() && &one == &found.front();
        if (!isHeadline && levels.remarks.size() < kMostRemarks)
            levels.remarks += u"•  "_s + toQString(findingText(of.device(), one, of.trace.unit));
    }
    QString headline =
        (course ? u"At most %1 in use"_s : u"%1 in use"_s).arg(of.text(summary.peakActive));
    if (summary.isReservedKnown)
        headline += u", %1 reserved"_s.arg(of.text(summary.peakReserved));
    if (!summary.outOfMemory.empty()) {
        const OutOfMemoryEvent &first = summary.outOfMemory.front();
        headline = u"Out of memory: %1 asked for with %2 in use"_s.arg(
            of.text(first.requested), of.text(of.device().curve().active(first.event)));
    }
    return {headline + u'.', std::make_shared<LevelsPicture>(levels, of.trace.unit)};
}

QString peakHeadline(const Staged &of)
{
    const Coloring &byStack = of.trace.document->byStack[of.trace.device];
    const QString peak =
        u"At the peak %1 are in use"_s.arg(of.text(of.device().summary().peakActive));
    if (byStack.entries.empty())
        return peak + u'.';
    const LegendEntry &most = byStack.entries.front();
    const StackId stack = byStack.groups.keys[most.group].stack;
    if (stack == StackId::None) // none was recorded
        return peak + u'.';
    const std::string name = shownName(siteName(of.device().trace(), stack).toStdString());
    return peak + u", most by %1: %2."_s.arg(toQString(name), of.text(most.atPeak));
}

/// The failure and what led there.
StageItem outOfMemoryItem(const Shared &of)
{
    const OutOfMemoryEvent &first = of->device().summary().outOfMemory.front();
    QString headline = u"Out of memory at event %1: %2 asked for"_s.arg(countText(first.event),
                                                                        of->text(first.requested));
    if (first.deviceFree >= 0)
        headline += u", %1 left on the device"_s.arg(of->text(first.deviceFree));
    Bookmark place = of->view(TraceView::Active, first.event);
    const EventIndex count = of->device().curve().count();
    place.from = std::max<EventIndex>(0, first.event - std::max(kLeastBefore, count / 4));
    place.to = first.event + std::max<EventIndex>(2, count / 50); // apply() keeps it inside
    return {"out-of-memory", u"Out of memory"_s, {}, true, [of, headline, place] {
                return bookmarkScene(*of, headline + u'.', place);
            }};
}

} // namespace

std::vector<StageItem> traceItems(StagedTrace trace)
{
    std::vector<StageItem> items;
    if (trace.document->devices.empty())
        return items;
    const auto of = std::make_shared<Staged>(Staged{std::move(trace), nullptr});
    const Study &device = of->device();
    items.push_back({"answer", u"The answer"_s, {}, true, [of] { return answerScene(*of); }});
    if (device.hasHistory()) {
        const Bookmark peak = of->view(TraceView::Active, device.curve().peakActiveEvent());
        items.push_back({"peak", u"Active memory at its peak"_s, {}, true, [of, peak] {
                             return bookmarkScene(*of, peakHeadline(*of), peak);
                         }});
    } else {
        const Bookmark state = of->view(TraceView::State, device.curve().count() - 1);
        items.push_back({"state", u"The state"_s, {}, true, [of, state] {
                             return bookmarkScene(
                                 *of,
                                 u"What the allocator held: %1 in use."_s.arg(
                                     of->text(of->device().summary().requestedEnd)),
                                 state);
                         }});
    }
    std::ranges::move(bookmarkItems(of->trace.bookmarks,
                                    [of](const Bookmark &bookmark) {
                                        return bookmarkScene(*of, toQString(bookmark.name),
                                                             bookmark);
                                    }),
                      std::back_inserter(items));
    if (!device.summary().outOfMemory.empty() && device.hasHistory())
        items.push_back(outOfMemoryItem(of));
    return items;
}

} // namespace vramscope
