// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_items.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/findings/finding.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/base/sentence.h"
#include "core/print/finding_text.h"
#include "core/print/oom_remedies.h"
#include "ui/bookmarks/bookmark_items.h"
#include "ui/models/stack_text.h"
#include "ui/stage/levels_picture.h"
#include "ui/stage/stage_problems.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"
#include "ui/trace/trace_page.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMostRemarks = 4;
constexpr std::size_t kMostKinds = 4;    ///< of memory, as bars
constexpr Bytes kLeastShare = 200;       ///< of the largest: below it a bar is a hairline
constexpr std::size_t kMostRemedies = 4; ///< few enough to be read from afar
constexpr EventIndex kLeastBefore = 200; ///< events before the failed request

/// The recording, and one page of it that all items share: made when the first item is shown.
struct Staged
{
    StagedTrace trace;
    std::shared_ptr<TracePage> page;

    [[nodiscard]] const Study &device() const { return *trace.document->devices[trace.device]; }
    [[nodiscard]] QString text(Bytes bytes) const { return bytesText(bytes, trace.unit); }
    /// A view of the device over its whole time, with the cursor there.
    [[nodiscard]] Bookmark view(TraceView kind, EventIndex cursor) const
    {
        Bookmark bookmark;
        bookmark.device = device().device().device;
        bookmark.view = rowOf(kind).name.toStdString();
        bookmark.cursor = cursor;
        if (device().isMade(Study::Part::Categories)) // few colours with names that everyone knows
            bookmark.color = colorByName(ColorBy::Category).toStdString();
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
    const bool course = of.device().hasHistory(); // else only one moment is known
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
    return {headline + u'.',
            std::make_shared<LevelsPicture>(levels, of.trace.unit),
            summary.outOfMemory.empty() ? std::nullopt : std::optional(Verdict::DoesNotFit),
            {},
            summary.outOfMemory.empty() ? u"How much memory did the run take?"_s
                                        : u"What happened?"_s};
}

QString peakHeadline(const Staged &of)
{
    const QString peak =
        u"At the peak %1 are in use"_s.arg(of.text(of.device().summary().peakActive));
    if (of.device().isMade(Study::Part::Peak) && !of.device().peak().byCategory.empty()) {
        const Peak::CategoryShare &most = of.device().peak().byCategory.front();
        const QString kind = toQString(memoryCategoryName(most.category));
        // For a failure the cause has the figure, which counts logits apart from activations.
        return of.device().summary().outOfMemory.empty()
                   ? peak + u", most of it %1: %2."_s.arg(kind, of.text(most.tally.bytes))
                   : peak + u", most of it %1."_s.arg(kind);
    }
    const Coloring &byStack = of.trace.document->byStack[of.trace.device];
    if (byStack.entries.empty())
        return peak + u'.';
    const LegendEntry &most = byStack.entries.front();
    const StackId stack = byStack.groups.keys[most.group].stack;
    if (stack == StackId::None) // none was recorded
        return peak + u'.';
    const std::string name = shownName(siteName(of.device().trace(), stack).toStdString());
    return peak + u", most by %1: %2."_s.arg(toQString(name), of.text(most.atPeak));
}

/// What uses the memory, largest first, as bars that are read from afar.
template<class Kind>
std::shared_ptr<QWidget> kindsView(const Staged &of, const std::vector<Kind> &kinds,
                                   Bytes (*bytesOf)(const Kind &))
{
    LevelBars levels;
    Bytes rest = 0;
    for (const Kind &kind : kinds) {
        const Bytes bytes = bytesOf(kind);
        const bool isSeen = levels.rows.empty() || bytes > levels.rows.front().bytes / kLeastShare;
        if (isSeen && levels.rows.size() < kMostKinds)
            levels.rows.push_back({toQString(memoryCategoryName(kind.category)), bytes, 0, 0});
        else
            rest += bytes;
    }
    if (!levels.rows.empty() && rest > levels.rows.front().bytes / kLeastShare)
        levels.rows.push_back({u"everything else"_s, rest, 0, 0});
    return std::make_shared<LevelsPicture>(levels, of.trace.unit);
}

/// What used the memory at the peak.
StageScene kindsScene(const Staged &of)
{
    const Peak &peak = of.device().peak();
    if (peak.byCategory.empty())
        return {u"Nothing was in use."_s, nullptr};
    const auto &most = peak.byCategory.front();
    return {u"At the peak most of it is %1: %2 of the %3 in use."_s.arg(
                toQString(memoryCategoryName(most.category)), of.text(most.tally.bytes),
                of.text(peak.active)),
            kindsView<Peak::CategoryShare>(
                of, peak.byCategory,
                [](const Peak::CategoryShare &share) { return share.tally.bytes; }),
            {},
            {},
            u"What fills the memory?"_s};
}

/// Why the first request failed.
StageScene causeScene(const Staged &of)
{
    const OutOfMemoryReport &failure = of.device().failures().front();
    const OutOfMemoryAdvice &advice = of.device().advice().front();
    StageTable facts{{QString(), QString()}, {}, {0, 1}, {}};
    const auto row = [&](const QString &name, const QString &text) {
        facts.rows.push_back({name, text});
    };
    row(u"Asked for"_s, of.text(failure.requested));
    if (failure.stack != StackId::None)
        row(u"By"_s, siteName(of.device().trace(), failure.stack));
    if (failure.isLeftTold()) {
        row(u"Left on the device"_s, of.text(failure.deviceFree));
        row(u"Short of"_s, of.text(failure.shortage));
    }
    row(u"In use"_s, u"%1 in %2"_s.arg(of.text(of.device().curve().active(failure.event)),
                                       countedText(failure.liveBlocks, "block")));
    row(u"Reserved but idle"_s, u"%1 that the request could use, %2 in one piece"_s.arg(
                                    of.text(failure.freeForIt), of.text(failure.largestForIt)));
    const QString active = of.text(of.device().curve().active(failure.event));
    const QString headline =
        advice.live.empty()
            ? u"Nothing was in use when the request failed."_s
            : u"Most of it is %1: %2 of the %3 in use when %4 more was requested."_s.arg(
                  toQString(memoryCategoryName(advice.live.front().category)),
                  of.text(advice.live.front().bytes), active, of.text(failure.requested));
    return {headline,
            kindsView<LiveKind>(of, advice.live, [](const LiveKind &kind) { return kind.bytes; }),
            {},
            std::move(facts),
            u"Why did it run out of memory?"_s};
}

/// What would have helped, by cause.
StageScene remediesScene(const Staged &of)
{
    const OutOfMemoryAdvice &advice = of.device().advice().front();
    const std::vector<RemedyText> remedies =
        remedyTexts(of.device().failures().front(), advice, of.trace.unit);
    StageTable table{{u"Remedy"_s, u"Gives"_s, u"Enough?"_s, u"Why"_s}, {}, {0, 2, 3}, {}};
    for (const RemedyText &remedy : remedies) {
        if (table.rows.size() < kMostRemedies)
            table.rows.push_back({toQString(remedy.title), toQString(remedy.gives),
                                  toQString(remedy.verdict), toQString(remedy.text)});
    }
    const QString headline =
        remedies.empty()
            ? u"The recording shows nothing that would have helped."_s
            : u"First: %1. It gives %2 (%3)."_s.arg(
                  toQString(withinSentence(remedies.front().title)),
                  toQString(remedies.front().gives), toQString(remedies.front().verdict));
    return {headline, nullptr, {}, std::move(table), u"What do we do?"_s};
}

/// The failure and the events before it.
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
                             return bookmarkScene(*of,
                                                  u"What the allocator held: %1 in use."_s.arg(
                                                      of->text(of->device().summary().activeEnd)),
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
    const auto add = [&](const char *key, const QString &title,
                         StageScene (*scene)(const Staged &)) {
        items.push_back({key, title, {}, true, [of, scene] { return onCard(scene(*of)); }});
    };
    if (!device.summary().outOfMemory.empty() && device.hasHistory()) {
        add("cause", u"Why memory ran out"_s, causeScene);
        add("remedies", u"What would help"_s, remediesScene);
    } else if (device.hasHistory()) {
        add("kinds", u"What fills the memory"_s, kindsScene);
    }
    return behindProblems(std::move(items), problemTexts(device.trace().problems()));
}

} // namespace vramscope
