// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/offscreen/read_document.h"

#include "core/analysis/categories/kept_rules.h"
#include "core/base/own_document.h"
#include "core/base/path_text.h"
#include "core/checkpoint/checkpoint_files.h"
#include "core/exchange/import.h"
#include "core/plan/plan_json.h"
#include "core/ranks/run_study.h"
#include "core/readers/detect_format.h"
#include "core/readers/file_kind.h"
#include "core/readers/read_trace.h"
#include "core/serving_logs/read_serving_log.h"
#include "core/session/session_json.h"
#include "core/validation/shipped.h"
#include "core/validation/throughput.h"
#include "ui/compare/comparison.h"
#include "ui/offscreen/examples.h"
#include "ui/offscreen/render_arguments.h"
#include "ui/planner/plan_document.h"
#include "ui/profile/profile_document.h"
#include "ui/profile/snapshot_memory.h"
#include "ui/profile_difference/difference_document.h"
#include "ui/ranks/ranks_document.h"
#include "ui/ranks/ranks_page.h"
#include "ui/reconcile/reconcile_study.h"
#include "ui/series/series_document.h"
#include "ui/serving_log/serving_log_document.h"
#include "ui/support/file_path.h"
#include "ui/tables/tables_document.h"
#include "ui/trace/trace_document.h"
#include "ui/validation/measured_tabs.h"

#include <QFile>

#include <algorithm>
#include <filesystem>
#include <span>
#include <string_view>
#include <type_traits>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

std::string_view textOf(const QByteArray &bytes)
{
    return {bytes.constData(), static_cast<std::size_t>(bytes.size())};
}

/// The document of what was read, or the error.
template<class Content, class Maker>
Result<DocumentPointer> asDocument(Result<Content> read, const Maker &make)
{
    if (!read)
        return read.error();
    return DocumentPointer(make(std::move(read).value()));
}

constexpr auto kPlanDocument = [](auto plan) { return planDocument(std::move(plan)); };

/// Reading takes the first part of the progress bar, analysis the rest.
constexpr double kReadingShare = 0.6;

/// `file`: of the recording, next to which rules may lie; empty: none.
Result<DocumentPointer> analysed(Result<Recording> recording, const std::filesystem::path &file,
                                 const Progress &progress)
{
    if (!recording)
        return recording.error();
    const auto made = [&](auto content) -> Result<DocumentPointer> {
        const Progress analysing = partOf(progress, kReadingShare, 1);
        constexpr bool isTrace = std::is_same_v<decltype(content), std::shared_ptr<const Trace>>;
        auto document = [&] {
            if constexpr (isTrace)
                return analyse(std::move(content), analysing,
                               file.empty() ? std::vector<CategoryRule>() : keptRules(file));
            else
                return analyse(std::move(content), analysing);
        }();
        if (!document)
            return Error{ErrorCode::Cancelled, "Reading was cancelled."};
        return DocumentPointer(std::move(document));
    };
    return std::visit(made, std::move(recording).value());
}

template<class Source>
Result<DocumentPointer> readAndAnalyse(const Source &source, const Progress &progress)
{
    std::filesystem::path file;
    if constexpr (std::is_same_v<Source, std::filesystem::path>)
        file = source;
    return analysed(readRecording(source, partOf(progress, 0, kReadingShare)), file, progress);
}

Result<DocumentPointer> readExample(const QString &path, const Progress &progress)
{
    QFile file(path);
    if (!file.open(QIODevice::ReadOnly))
        return Error{ErrorCode::NotFound, "There is no such example."};
    const QByteArray bytes = file.readAll();
    if (ownDocument(textOf(bytes)) == OwnDocument::Plan)
        return asDocument(parsePlan(textOf(bytes)), kPlanDocument);
    return readAndAnalyse(std::as_bytes(std::span(textOf(bytes))), progress);
}

/// The plan in a report is opened as a new one: saving it must not replace the report.
Result<DocumentPointer> fromReport(const std::filesystem::path &file)
{
    return asDocument(readPlan(file), [](Plan plan) {
        return planDocument(Imported{std::move(plan), "a report of VRAMscope", {}});
    });
}

DocumentPointer ranksDocument(std::shared_ptr<const ProfileFolder> traces)
{
    return std::make_shared<const RanksDocument>(runStudy(std::move(traces)));
}

/// Summaries of ranks, or the recordings of a folder, which are summarised here.
Result<DocumentPointer> ranksOfRun(const std::filesystem::path &path, const Progress &progress)
{
    constexpr double kFigures = 0.9; // of the work
    auto study = readRunFigures(path, partOf(progress, 0, kFigures));
    if (study)
        study = ofSnapshots(*std::move(study));
    // The page of many ranks shows their figures immediately and their curves a moment later.
    if (study && (*study)->count() <= kMostTiles)
        study = withCurves(*std::move(study), partOf(progress, kFigures, 1));
    if (!study)
        return study.error();
    return DocumentPointer(std::make_shared<const RanksDocument>(std::move(study).value()));
}

Error sessionAlone(const std::filesystem::path &file)
{
    const std::string recording = recordingPath(file).filename().string();
    return {ErrorCode::OtherContent,
            recording.empty() ? "These are the bookmarks of a recording; give them its name with "
                                "\".vramscope.json\" behind it, beside it."
                              : "These are the bookmarks of " + recording +
                                    ", which is not beside them; put both into one folder."};
}

/// Reads the file at its path; an error names it.
Result<void> readInto(ComparedTrace &trace, const DocumentReader &reader, const Progress &progress)
{
    const auto failed = [&](const Error &error) {
        return Error{error.code, trace.title.toStdString() + ": " + error.detail};
    };
    auto document = reader(trace.path, progress);
    if (!document)
        return failed(document.error());
    trace.document = documentAs<TraceDocument>(*document);
    trace.profile = documentAs<ProfileDocument>(*document);
    if (const auto tables = documentAs<TablesDocument>(*document))
        trace.tables = tables->tables;
    if (!trace.isRead())
        return failed({ErrorCode::OtherContent, "It is neither a snapshot of an allocator nor a "
                                                "profiler trace; only those can be compared."});
    if (trace.document && trace.document->devices.empty())
        return failed({ErrorCode::OtherContent,
                       "It holds no memory of any device, so there is nothing to compare. Record "
                       "with torch.cuda.memory._record_memory_history() on."});
    return {};
}

/// A snapshot overlaid on the profiler trace of the same run, in either order of the files.
Result<DocumentPointer> laidOver(const ComparedTrace &profile, const ComparedTrace &snapshot,
                                 const Progress &progress)
{
    auto over =
        laidOver(*profile.profile, snapshot.document, progress, {profile.path, snapshot.path});
    if (!over)
        return over.error();
    return DocumentPointer(std::move(over).value());
}

/// Counters of Nsight Compute next to the kernels of a profiler trace.
Result<DocumentPointer> withCounters(const ComparedTrace &profile, const ComparedTrace &counters,
                                     const Progress &progress)
{
    if (counters.tables->tool != TableTool::NsightCompute)
        return Error{ErrorCode::OtherContent,
                     counters.title.toStdString() +
                         ": These are sums of nsys stats, which the recording has itself; what "
                         "\"ncu --csv\" wrote is joined to its kernels."};
    ProfileAnalysis how = profile.profile->analysis();
    how.counters = counters.tables;
    how.files = {profile.path, counters.path};
    auto made = analyse(profile.profile->profile, progress, std::move(how));
    if (!made)
        return Error{ErrorCode::Cancelled, "Reading was cancelled."};
    return DocumentPointer(std::move(made));
}

Result<DocumentPointer> compareProfiles(const std::vector<ComparedTrace> &traces,
                                        const Progress &progress)
{
    if (traces.size() == 1) // its devices with each other
        return ranksDocument(devicesAsRanks(traces[0].profile->profile, nativePath(traces[0].path),
                                            {traces[0].profile->study->rules(), false}));
    if (traces.size() != 2)
        return Error{ErrorCode::Unsupported,
                     "Profiler traces are compared two at a time; open the folder with the traces "
                     "of all ranks to see those beside each other."};
    if (traces[0].tables || traces[1].tables)
        return traces[0].tables ? withCounters(traces[1], traces[0], progress)
                                : withCounters(traces[0], traces[1], progress);
    if (!traces[0].profile || !traces[1].profile)
        return traces[0].profile ? laidOver(traces[0], traces[1], progress)
                                 : laidOver(traces[1], traces[0], progress);
    return DocumentPointer(compareSides({traces[0], traces[1]}));
}

} // namespace

QString documentPath(const QString &path)
{
    QString recording = pathText(utf8(recordingPath(nativePath(path))));
    if (isExample(path) || recording.isEmpty() || !factsOf(recording).isFile ||
        fileKind(path) != FileKind::Session)
        return path;
    return recording;
}

std::vector<ComparedTrace> toCompare(const QStringList &files)
{
    std::vector<ComparedTrace> traces;
    for (const QString &file : files) {
        const QString path = wholePath(documentPath(file));
        traces.push_back({documentTitle(path), path, nullptr, kMainDevice});
    }
    return traces;
}

Result<DocumentPointer> readComparison(std::vector<ComparedTrace> traces,
                                       const DocumentReader &reader, const Progress &progress)
{
    const auto count = static_cast<double>(traces.size());
    for (std::size_t at = 0; at < traces.size(); ++at) {
        ComparedTrace &trace = traces[at];
        const double before = static_cast<double>(at) / count;
        if (!trace.isRead()) {
            const Progress part = partOf(progress, before, before + 1 / count);
            if (auto read = readInto(trace, reader, part); !read)
                return read.error();
        }
        if (trace.document && trace.device >= trace.document->devices.size())
            trace.device = trace.document->mainDevice();
        // A file named twice is read once.
        for (std::size_t later = at + 1; later < traces.size(); ++later) {
            if (!traces[later].isRead() && traces[later].path == trace.path)
                traces[later].take(trace);
        }
    }
    if (std::ranges::any_of(traces, [](const ComparedTrace &each) { return !!each.profile; }))
        return compareProfiles(traces, progress);
    if (std::ranges::any_of(traces, [](const ComparedTrace &each) { return !!each.tables; }))
        return Error{ErrorCode::Unsupported,
                     "A table of a profiler is joined to a profiler trace; open one beside it."};
    return DocumentPointer(std::make_shared<const ComparisonDocument>(std::move(traces)));
}

Result<DocumentPointer> readReconciliation(ComparedTrace recording, const DocumentReader &reader,
                                           const Progress &progress)
{
    if (!recording.document) {
        if (auto read = readInto(recording, reader, progress); !read)
            return read.error();
        if (!recording.document)
            return Error{ErrorCode::OtherContent,
                         recording.title.toStdString() + ": It is a " +
                             (recording.profile ? "profiler trace" : "table of a profiler") +
                             "; a plan is compared with a snapshot of the allocator."};
    }
    if (recording.device >= recording.document->devices.size())
        recording.device = highestDevice(*recording.document);
    return DocumentPointer(std::make_shared<const ReconcileDocument>(std::move(recording)));
}

std::optional<Imported> importedFile(const Plan &base, const QString &path)
{
    const FileFacts facts = factsOf(path);
    const bool settings = facts.isFile && facts.size <= kLongestSettings;
    if (!settings && !holdsCheckpoint(nativePath(path)))
        return std::nullopt;
    Result<Imported> imported = importFile(base, nativePath(path));
    if (!imported)
        return std::nullopt;
    return std::move(imported).value();
}

FileKind fileKind(const QString &path)
{
    if (!isExample(path))
        return identifyFile(nativePath(path));
    const QByteArray start = beginningOf(path, kDetectionBytes);
    return identify(textOf(start), factsOf(path).size <= start.size());
}

Result<DocumentPointer> readDocument(const QString &path, const Progress &progress)
{
    if (path == trustPath())
        return DocumentPointer(std::make_shared<const MeasuredDocument>(
            std::make_shared<const Validation>(validate(shippedRows(), shippedSetup)),
            std::make_shared<const SpeedValidation>(validateSpeeds(shippedThroughput()))));
    if (isExample(path))
        return readExample(path, progress);
    if (const DocumentReader read = readerOf(path))
        return read(path, progress);
    const std::filesystem::path file = nativePath(path);
    if (holdsCheckpoint(file))
        return asDocument(importFile({}, file), kPlanDocument);
    if (factsOf(path).isFolder) {
        if (!holdsSummaries(file) && isProfileFolder(file))
            return asDocument(readProfileFolder(file, {}, progress), ranksDocument);
        return ranksOfRun(file, progress);
    }
    if (isRunFile(file))
        return ranksOfRun(file, progress);
    switch (fileKind(path)) {
    case FileKind::Session:
        return sessionAlone(file);
    case FileKind::Plan:
        return asDocument(readPlan(file), kPlanDocument);
    case FileKind::Report:
        return fromReport(file);
    case FileKind::ServingLog:
        return asDocument(readServingLog(file, progress),
                          [](ServingLog log) { return analyse(std::move(log)); });
    default: // the reader cannot open other files either, and reports why
        break;
    }
    if (auto imported = importedFile({}, path))
        return planDocument(std::move(*imported));
    return readAndAnalyse(file, progress);
}

Result<DocumentPointer> readWithPython(const QString &path, const Progress &progress)
{
    return analysed(
        readRecording(nativePath(path), partOf(progress, 0, kReadingShare), PythonFunctions::Kept),
        {}, progress);
}

} // namespace vramscope
