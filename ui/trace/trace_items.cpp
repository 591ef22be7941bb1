// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/trace_items.h"

#include "core/analysis/costs/frame_text.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/replayed/summary.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/base/sentence.h"
#include "core/print/oom_remedies.h"
#include "core/print/trace_findings.h"
#include "ui/bookmarks/bookmark_items.h"
#include "ui/models/stack_text.h"
#include "ui/stage/slide_bars.h"
#include "ui/stage/stage_item.h"
#include "ui/stage/stage_views.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"
#include "ui/trace/trace_page.h"

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr qsizetype kMostRemarks = 4;
constexpr std::size_t kMostKinds = 4;    ///< of memory, in bars
constexpr Bytes kLeastShare = 200;       ///< of the largest: below it a bar is a hairline
constexpr std::size_t kMostRemedies = 5; ///< few enough to be read from afar
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

/// Memory by category, largest first; what is too small or too much for a bar is one piece.
std::vector<SlideBar::Piece> kindPieces(const Staged &of, const std::vector<LiveKind> &kinds)
{
    std::vector<SlideBar::Piece> pieces;
    const auto add = [&](const QString &name, Bytes bytes, QRgb color) {
        pieces.push_back({name, static_cast<double>(bytes), of.text(bytes), QColor(color)});
    };
    Bytes rest = 0;
    for (const auto &[category, bytes] : kinds) {
        const bool isSeen = pieces.empty() || bytes > kinds.front().bytes / kLeastShare;
        if (isSeen && pieces.size() < kMostKinds)
            add(toQString(categoryName(category)), bytes, categoryColor(category).rgb());
        else
            rest += bytes;
    }
    if (!kinds.empty() && rest > kinds.front().bytes / kLeastShare)
        add(u"Everything else"_s, rest, categoryColor(Category::Unknown).rgb());
    return pieces;
}

/// The same at the peak.
std::vector<LiveKind> kindsAtPeak(const Staged &of)
{
    std::vector<LiveKind> kinds;
    for (const Peak::CategoryShare &share : of.device().peak().byCategory)
        kinds.push_back({share.category, share.tally.bytes});
    return kinds;
}

void addHoles(const Staged &of, SlideBar &bar, Bytes bytes)
{
    bar.pieces.push_back({.name = u"Free between blocks"_s,
                          .value = static_cast<double>(bytes),
                          .text = of.text(bytes),
                          .hatched = true});
}

/// Memory in use at the peak, or in the state, and the rest of what was reserved then.
SlideBar peakBar(const Staged &of)
{
    const Study &device = of.device();
    const DeviceSummary &summary = device.summary();
    SlideBar bar;
    bar.text = of.text(summary.peakActive);
    const bool isTold =
        device.hasHistory() && device.isMade(Study::Part::Peak) && areCategoriesSure(device.peak());
    if (isTold)
        bar.pieces = kindPieces(of, kindsAtPeak(of));
    else
        bar.pieces = {{u"In use"_s, static_cast<double>(summary.peakActive), bar.text}};
    const bool isSame = !device.hasHistory() || device.isMade(Study::Part::Peak);
    if (!summary.isReservedKnown || !isSame)
        return bar;
    const Bytes reserved = device.hasHistory() ? device.peak().reserved : summary.reservedEnd;
    if (reserved > summary.peakActive) {
        addHoles(of, bar, reserved - summary.peakActive);
        bar.text = u"%1 reserved"_s.arg(of.text(reserved));
    }
    return bar;
}

/// The memory of the device when the first request failed, and the request beyond it.
SlideBar failureBar(const Staged &of)
{
    const OutOfMemoryReport &failure = of.device().failures().front();
    SlideBar bar;
    bar.pieces = kindPieces(of, of.device().advice().front().live);
    const Bytes used = wrappingSum(failure.bands.requested, failure.bands.rounding);
    const Bytes holes = wrappingDifference(failure.bands.reserved(), used);
    if (holes > 0)
        addHoles(of, bar, holes);
    const double held = bar.total();
    bar.pieces.push_back({.name = u"Asked for"_s,
                          .value = static_cast<double>(failure.requested),
                          .text = of.text(failure.requested),
                          .hollow = true});
    if (failure.isLeftTold()) {
        bar.limit = held + static_cast<double>(failure.deviceFree);
        bar.limitText = u"%1 for this process"_s.arg(
            of.text(wrappingSum(wrappingSum(used, holes), failure.deviceFree)));
        if (failure.shortage > 0)
            bar.gap = u"%1 too much"_s.arg(of.text(failure.shortage));
    }
    return bar;
}

/// "1,204 events · PyTorch 2.11".
QString recordedText(const Staged &of)
{
    QString text = countedText(of.device().summary().events, "event");
    if (const std::string &producer = of.trace.document->trace->producer(); !producer.empty())
        text += u" · "_s + toQString(producer);
    return text;
}

/// For the speaker: the exact figures, and how they are counted.
QStringList figuresSpeech(const Staged &of)
{
    const DeviceSummary &summary = of.device().summary();
    QStringList speech{u"In use: %1, counted as torch.cuda.max_memory_allocated() counts it"_s.arg(
        exactBytesText(summary.peakActive, of.trace.unit))};
    if (summary.isReservedKnown)
        speech += u"Reserved: %1, counted as torch.cuda.max_memory_reserved() counts it"_s.arg(
            exactBytesText(summary.peakReserved, of.trace.unit));
    return speech << u"Recorded: "_s + recordedText(of);
}

StageScene answerScene(const Staged &of)
{
    const Study &device = of.device();
    const DeviceSummary &summary = device.summary();
    const bool course = device.hasHistory(); // else only one moment is known
    const bool failed = course && !summary.outOfMemory.empty();
    StageScene scene;
    scene.headline =
        (course ? u"At most %1 in use"_s : u"%1 in use"_s).arg(of.text(summary.peakActive));
    if (summary.isReservedKnown)
        scene.headline += u", %1 reserved"_s.arg(of.text(summary.peakReserved));
    scene.kicker = u"Where did the memory go?"_s;
    if (!summary.outOfMemory.empty()) {
        const OutOfMemoryEvent &first = summary.outOfMemory.front();
        scene.headline = u"Out of memory: %1 asked for with %2 in use"_s.arg(
            of.text(first.requested), of.text(device.curve().active(first.event)));
        scene.kicker =
            failed
                ? toQString(outOfMemorySentence(device, device.failures().front(), of.trace.unit))
                : u"Why did it run out of memory?"_s;
        scene.verdict = Verdict::DoesNotFit;
    }
    scene.headline += u'.';
    SlideBars bars{{failed ? failureBar(of) : peakBar(of)}, {}};
    for (const Finding &one : findingsSoFar(device, of.trace.unit)) {
        scene.speech += toQString(one.sentence);
        if (!failed && bars.remarks.size() < kMostRemarks)
            bars.remarks += u"•  "_s + toQString(one.title);
    }
    scene.speech += figuresSpeech(of);
    scene.foot = recordedText(of);
    scene.view = std::make_shared<SlideBarsView>(std::move(bars));
    return scene;
}

QString peakHeadline(const Staged &of)
{
    const QString peak =
        u"At the peak %1 are in use"_s.arg(of.text(of.device().summary().peakActive));
    if (of.device().isMade(Study::Part::Peak) && !of.device().peak().byCategory.empty()) {
        const Peak::CategoryShare &most = of.device().peak().byCategory.front();
        const QString kind = toQString(categoryPhrase(most.category));
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

/// The same as bars that are read from afar.
std::shared_ptr<QWidget> kindsView(const Staged &of, const std::vector<LiveKind> &kinds)
{
    return std::make_shared<SlideBarsView>(SlideBars{barOfEach(kindPieces(of, kinds)), {}});
}

/// What used the memory at the peak.
StageScene kindsScene(const Staged &of)
{
    const Peak &peak = of.device().peak();
    if (peak.byCategory.empty())
        return {u"Nothing was in use."_s, nullptr};
    const auto &most = peak.byCategory.front();
    return {u"At the peak most of it is %1: %2 of the %3 in use."_s.arg(
                toQString(categoryPhrase(most.category)), of.text(most.tally.bytes),
                of.text(peak.active)),
            kindsView(of, kindsAtPeak(of)),
            {},
            {},
            u"What fills the memory?"_s};
}

/// Why the first request failed.
StageScene causeScene(const Staged &of)
{
    const OutOfMemoryReport &failure = of.device().failures().front();
    const OutOfMemoryAdvice &advice = of.device().advice().front();
    SlideTable facts{.columns = {"", ""}, .words = {0, 1}};
    const auto row = [&](const QString &name, const QString &text) {
        facts.rows.push_back({name.toStdString(), text.toStdString()});
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
                  toQString(categoryPhrase(advice.live.front().category)),
                  of.text(advice.live.front().bytes), active, of.text(failure.requested));
    return {headline,
            kindsView(of, advice.live),
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
    SlideTable table{.columns = {"Remedy", "Gives", "Enough?"}, .words = {0, 2}};
    SlideSizes sizes;
    sizes.column = 1;
    QStringList speech;
    std::vector<std::size_t> order = surestFirst(advice, remedies);
    order.resize(std::min(order.size(), kMostRemedies));
    for (const std::size_t at : order) {
        const RemedyText &remedy = remedies[at];
        table.rows.push_back({remedy.name + '\n' + remedy.means, remedy.gives, remedy.verdict});
        sizes.values.push_back(static_cast<double>(advice.remedies[at].bytes));
        sizes.tones.push_back(remedy.tone == Tone::Good  ? SlideTone::Good
                              : remedy.tone == Tone::Bad ? SlideTone::Bad
                                                         : SlideTone::Warning);
        speech += toQString(remedy.title + ": " + remedy.text);
    }
    if (!remedies.empty())
        table.sizes = std::move(sizes);
    QString headline = u"The recording shows nothing that would have helped."_s;
    if (!order.empty()) {
        const RemedyText &first = remedies[order.front()];
        headline =
            u"First: %1. It gives %2 (%3)."_s.arg(toQString(withinSentence(first.name)),
                                                  toQString(first.gives), toQString(first.verdict));
    }
    StageScene scene{headline, nullptr, {}, std::move(table), u"What do we do?"_s};
    scene.speech = speech;
    return scene;
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
    return {"out-of-memory", u"Out of memory"_s,
            [of, headline, place] { return bookmarkScene(*of, headline + u'.', place); }};
}

} // namespace

std::vector<StageItem> traceItems(StagedTrace trace)
{
    std::vector<StageItem> items;
    if (trace.document->devices.empty())
        return items;
    const auto of = std::make_shared<Staged>(Staged{std::move(trace), nullptr});
    const Study &device = of->device();
    items.push_back({"answer", u"The answer"_s, [of] { return answerScene(*of); }});
    if (device.hasHistory()) {
        const Bookmark peak = of->view(TraceView::Active, device.curve().peakActiveEvent());
        items.push_back({"peak", u"Active memory at its peak"_s,
                         [of, peak] { return bookmarkScene(*of, peakHeadline(*of), peak); }});
    } else {
        const Bookmark state = of->view(TraceView::State, device.curve().count() - 1);
        const QString headline =
            u"At the end %1 are in use."_s.arg(of->text(device.summary().activeEnd));
        items.push_back({"state", u"The state"_s,
                         [of, headline, state] { return bookmarkScene(*of, headline, state); }});
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
        items.push_back({key, title, [of, scene] { return onCard(scene(*of)); }});
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
