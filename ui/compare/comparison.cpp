// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/compare/comparison.h"

#include "core/trace/redaction.h"
#include "ui/compare/compare_page.h"
#include "ui/export/exported_view.h"
#include "ui/support/file_path.h"
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
    const QString title = u"%1  %2"_s.arg(letterOf(at), trace.title);
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

} // namespace vramscope
