// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/diff.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/print/rank_report.h"
#include "core/ranks/rank_folder.h"
#include "core/readers/read_trace.h"
#include "core/trace/redaction.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <utility>

namespace vramscope::cli {

namespace {

/// Which devices of a recording are ranks, as --device says.
Result<std::vector<const DeviceTrace *>> devicesOf(const Trace &trace, const Arguments &arguments)
{
    if (!arguments.has("--device") && !trace.devices().empty())
        return allDevices(0, trace);
    const auto device = deviceOf(trace, arguments.value("--device"));
    if (!device.ok())
        return device.error();
    return std::vector<const DeviceTrace *>{*device};
}

/// The ranks by number, and with --redact the names in their recordings; what cannot be read is
/// complained about.
std::vector<Rank> ranksOf(const std::vector<Source> &sources, const Arguments &arguments,
                          Redaction &names, int &status)
{
    const bool redact = arguments.has("--redact");
    std::vector<std::filesystem::path> files;
    for (const Source &source : sources)
        files.emplace_back(source.file);
    std::vector<Redaction> namesOf(redact ? sources.size() : 0); // of each file
    const auto choose = [&](std::size_t file, const Trace &trace) {
        if (redact)
            namesOf[file].gather(trace);
        return devicesOf(trace, arguments);
    };
    std::vector<RankFile> read = readRankFiles(files, choose).value();
    for (const Redaction &each : namesOf)
        names.gather(each);
    SkippedFiles skipped(redact);
    for (std::size_t at = 0; at < read.size(); ++at) {
        const bool skip = !read[at].isRecording && !sources[at].folder.empty();
        skipped.count(sources[at], skip);
        if (read[at].error && !skip)
            status = std::max(status, complainOf(sources[at].file, *read[at].error, redact));
    }
    status = std::max(status, skipped.finish());
    return numberedRanks(std::move(read));
}

/// Reads a rank's file again: all at once might not fit into memory.
Result<Opened> reopened(const Rank &figures)
{
    auto trace = readTrace(figures.file);
    if (!trace.ok())
        return trace.error();
    if ((*trace)->device(figures.summary.device) == nullptr)
        return Error{ErrorCode::Changed, "The file changed while it was read; try again."};
    return Opened{*trace, {figures.file, {}}};
}

/// Compares the ranks that stand out most with the typical one.
int explainOutliers(RankReport &report, const Arguments &arguments)
{
    constexpr std::size_t kExplained = 3;
    if (report.active.outliers.empty())
        return kSuccess;
    const Rank &usual = report.ranks[report.active.typical];
    auto typical = reopened(usual);
    if (!typical.ok())
        return complainOf(usual.file, typical.error(), arguments.has("--redact"));
    const Study a(typical->trace, *typical->trace->device(usual.summary.device));
    for (const std::size_t at : report.active.outliers) {
        if (report.differences.size() == kExplained)
            break;
        const Rank &figures = report.ranks[at];
        auto outlier = reopened(figures);
        if (!outlier.ok())
            return complainOf(figures.file, outlier.error(), arguments.has("--redact"));
        const Study b(outlier->trace, *outlier->trace->device(figures.summary.device));
        Comparison comparison = compareTraces(peakMoment(a), peakMoment(b));
        show(std::array{&*typical, &*outlier}, arguments.has("--redact"));
        comparison.settings = compareSettings(*typical->shown.trace, *outlier->shown.trace);
        report.differences.push_back({at, typical->shown, outlier->shown, std::move(comparison)});
    }
    return kSuccess;
}

} // namespace

int diffRanks(const std::vector<Source> &sources, const Arguments &arguments, std::size_t most)
{
    int status = kSuccess;
    RankReport report;
    Redaction redaction;
    report.ranks = ranksOf(sources, arguments, redaction, status);
    if (status == kBadArguments)
        return status;
    if (report.ranks.size() < 2) {
        const bool isOne = sources.size() == 1 && report.ranks.size() == 1;
        complain("diff", isOne ? "the file has one device, and nothing to compare it with; name a "
                                 "second recording, or the folder with those of all ranks"
                               : "fewer than two recordings could be read: nothing to compare; "
                                 "the ranks of profiler traces are compared by vramscope-cli "
                                 "profile FOLDER");
        return kUnusableFile;
    }
    std::vector<Bytes> active;
    std::vector<Bytes> reserved;
    for (const Rank &each : report.ranks) {
        active.push_back(each.summary.peakActive);
        reserved.push_back(each.summary.peakReserved);
    }
    report.active = spreadOf(active);
    report.reserved = spreadOf(reserved);
    status = std::max(status, explainOutliers(report, arguments));
    if (arguments.has("--redact")) {
        for (const Rank &each : report.ranks)
            redaction.gatherFileName(each.file);
        for (Rank &each : report.ranks)
            each.file = redaction.fileName(each.file);
    }
    print(arguments, ranksJson(report, most), ranksText(report, most, unitOf(arguments)));
    return status;
}

} // namespace vramscope::cli
