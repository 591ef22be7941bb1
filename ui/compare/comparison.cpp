// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/comparison.h"

#include "core/analysis/comparison/difference_tree.h"
#include "core/trace/redaction.h"
#include "ui/compare/compare_page.h"
#include "ui/export/exported_view.h"
#include "ui/support/file_path.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <algorithm>
#include <array>
#include <iterator>

namespace vramscope {

using namespace Qt::StringLiterals;

const Study &ComparedTrace::shown() const
{
    return *document->devices[device];
}

std::unique_ptr<DocumentPage> ComparisonDocument::makePage(const QString &, const QString &,
                                                           QWidget *parent) const
{
    return std::make_unique<ComparePage>(shared<ComparisonDocument>(), parent);
}

DocumentKind ComparisonDocument::kind() const
{
    return {u"Comparison of %1 recordings"_s.arg(traces.size()), {}, {}};
}

Caption ComparisonDocument::caption(const QString &, const QString &, ByteUnit) const
{
    QStringList names;
    for (const ComparedTrace &trace : traces)
        names += trace.title;
    return captionOf(names.join(u" · "_s), {}, kind().source);
}

QStringList ComparisonDocument::files() const
{
    QStringList files;
    for (const ComparedTrace &trace : traces)
        files += trace.path;
    return files;
}

void ComparisonDocument::gatherNames(Redaction &redaction) const
{
    for (const ComparedTrace &trace : traces)
        trace.document->gatherNames(redaction);
}

DocumentPointer ComparisonDocument::withoutNames(const Redaction &redaction,
                                                 const Progress &progress) const
{
    auto result = std::make_shared<ComparisonDocument>(*this);
    for (ComparedTrace &trace : result->traces)
        trace = vramscope::withoutNames(std::move(trace), redaction, progress);
    return result;
}

std::vector<Replaced> ComparisonDocument::replacements(const Redaction &redaction) const
{
    std::vector<Replaced> texts;
    for (const ComparedTrace &trace : traces)
        std::ranges::move(trace.document->replacements(redaction), std::back_inserter(texts));
    return texts;
}

ComparedTrace withoutNames(ComparedTrace trace, const Redaction &redaction,
                           const Progress &progress)
{
    trace.document = documentAs<TraceDocument>(trace.document->withoutNames(redaction, progress));
    trace.title = fileWithoutNames(trace.title, redaction);
    trace.path = fileWithoutNames(trace.path, redaction);
    return trace;
}

ReportSource reportSource(const ComparedTrace &trace)
{
    return {reportedFile(trace.path, trace.title), trace.document, trace.device,
            dateOf(trace.path)};
}

QString letterOf(std::size_t trace)
{
    return QChar(static_cast<char16_t>(u'A' + trace));
}

QString titleOf(const ComparedTrace &trace, std::size_t at)
{
    QString title = u"%1  %2"_s.arg(letterOf(at), trace.title);
    if (trace.document->devices.size() < 2)
        return title;
    return title + u" · "_s + u"device %1"_s.arg(trace.shown().device().device);
}

QRgb colorOf(std::size_t trace)
{
    // Of the series' colours those that stand out as a line on light and on dark.
    constexpr std::array<std::size_t, kMostCompared> kChosen{0, 8, 2, 3, 4, 9, 6, 7};
    return seriesColors()[kChosen[trace % kMostCompared]];
}

const QList<double> &strokesOf(std::size_t trace)
{
    static const std::array<QList<double>, kMostCompared> kStrokes{
        QList<double>{}, {9, 4}, {3, 3}, {12, 3, 3, 3},
        {16, 5},         {6, 2}, {2, 6}, {8, 3, 2, 3, 2, 3}};
    return kStrokes[trace % kMostCompared];
}

std::shared_ptr<const TracePair> compare(const PairSide &a, const PairSide &b,
                                         const Progress &progress)
{
    const auto isWanted = [&](double share) { return !progress || progress(share); };
    const auto pair = std::make_shared<TracePair>();
    pair->a = a;
    pair->b = b;
    const Trace &traceA = a.recorded();
    const Trace &traceB = b.recorded();
    pair->sites = compareSites({a.trace.shown(), a.event}, {b.trace.shown(), b.event},
                               partOf(progress, 0, 0.5));
    if (!isWanted(0.5))
        return pair;
    for (const ComparedSite &site : pair->sites) {
        pair->bytesA = wrappingSum(pair->bytesA, site.bytesA);
        pair->bytesB = wrappingSum(pair->bytesB, site.bytesB);
        pair->countA += site.countA;
        pair->countB += site.countB;
    }
    pair->settings = compareSettings(traceA, traceB);
    SiteStacks stacks = stacksOfSites(pair->sites, traceA, traceB);
    const auto tree = std::make_shared<StackTree>();
    if (isWanted(0.7))
        tree->tree = CallTree(*stacks.trace, stacks.byStack, CallTree::Direction::TopDown,
                              defaultFrameFilter(), partOf(progress, 0.7, 1));
    tree->trace = std::move(stacks.trace);
    pair->tree = tree;
    return pair;
}

QString differenceText(const TracePair &pair, ByteUnit unit)
{
    const Bytes delta = wrappingDifference(pair.bytesB, pair.bytesA);
    const QString a = letterOf(pair.a.at);
    const QString b = letterOf(pair.b.at);
    if (delta == 0)
        return u"%1 holds as much as %2"_s.arg(b, a);
    return u"%1 holds %2 %3 than %4"_s.arg(
        b, bytesText(delta < 0 ? wrappingDifference(0, delta) : delta, unit),
        delta < 0 ? u"less"_s : u"more"_s, a);
}

std::array<std::string, 2> lettersOf(const TracePair &pair)
{
    return {letterOf(pair.a.at).toStdString(), letterOf(pair.b.at).toStdString()};
}

} // namespace vramscope
