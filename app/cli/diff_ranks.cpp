// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/diff.h"
#include "app/cli/report_files.h"
#include "app/cli/trace_input.h"
#include "core/base/ordered_jobs.h"
#include "core/print/rank_report.h"
#include "core/readers/no_recording.h"
#include "core/readers/read_trace.h"
#include "core/trace/redaction.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace vramscope::cli {

namespace {

/// What is kept of one file of ranks: a figure for each of its devices.
struct RankFile
{
    std::vector<DeviceSummary> devices;
    std::optional<Error> error;
    Redaction names; ///< with --redact: what is to be taken out of the names of all files
};

RankFile readRanks(const std::string &file, const Arguments &arguments)
{
    const auto trace = readTrace(file);
    if (!trace.ok())
        return {{}, trace.error(), {}};
    RankFile ranks;
    if (arguments.has("--redact"))
        ranks.names.gather(**trace);
    if (arguments.has("--device") || (*trace)->devices().empty()) {
        const auto device = deviceOf(**trace, arguments.value("--device"));
        if (!device.ok())
            return {{}, device.error(), {}};
        ranks.devices.push_back(summarize(**trace, **device));
        return ranks;
    }
    for (const DeviceTrace &device : (*trace)->devices())
        ranks.devices.push_back(summarize(**trace, device));
    return ranks;
}

/// The figures of every rank, by rank, and with --redact the names in their recordings; what cannot
/// be read is complained about.
std::vector<RankFigures> figuresOf(const std::vector<Source> &sources, const Arguments &arguments,
                                   Redaction &names, int &status)
{
    std::vector<RankFile> files(sources.size());
    std::vector<RankFigures> figures;
    std::vector<RankSource> rankSources;
    SkippedFiles skipped(arguments.has("--redact"));
    const auto take = [&](std::size_t at) {
        const RankFile file = std::exchange(files[at], {});
        const std::string &name = sources[at].file;
        names.gather(file.names);
        const bool skip =
            file.error && !sources[at].folder.empty() && isNoRecording(name, *file.error);
        skipped.count(sources[at], skip);
        if (file.error && !skip)
            status = std::max(status, complainOf(name, *file.error, arguments.has("--redact")));
        for (const DeviceSummary &device : file.devices) {
            figures.push_back({0, name, device});
            rankSources.push_back({name, device.device});
        }
        return true;
    };
    runInOrder(
        sources.size(), [&](std::size_t at) { files[at] = readRanks(sources[at].file, arguments); },
        take);
    status = std::max(status, skipped.finish());
    const std::vector<int> ranks = rankNumbers(rankSources);
    for (std::size_t at = 0; at < figures.size(); ++at)
        figures[at].rank = ranks[at];
    std::ranges::stable_sort(figures, {}, &RankFigures::rank);
    return figures;
}

/// Reads a rank's file again: all at once might not fit into memory.
Result<Opened> reopened(const RankFigures &figures)
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
    const RankFigures &usual = report.ranks[report.active.typical];
    auto typical = reopened(usual);
    if (!typical.ok())
        return complainOf(usual.file, typical.error(), arguments.has("--redact"));
    for (const std::size_t at : report.active.outliers) {
        if (report.differences.size() == kExplained)
            break;
        const RankFigures &figures = report.ranks[at];
        auto outlier = reopened(figures);
        if (!outlier.ok())
            return complainOf(figures.file, outlier.error(), arguments.has("--redact"));
        const Trace &a = *typical->trace;
        const Trace &b = *outlier->trace;
        Comparison comparison = compareTraces(peakMoment(a, *a.device(usual.summary.device)),
                                              peakMoment(b, *b.device(figures.summary.device)));
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
    report.ranks = figuresOf(sources, arguments, redaction, status);
    if (status == kBadArguments)
        return status;
    if (report.ranks.size() < 2) {
        const bool isOne = sources.size() == 1 && report.ranks.size() == 1;
        complain("diff", isOne ? "the file has one device, and nothing to compare it with; name a "
                                 "second recording, or the folder with those of all ranks"
                               : "fewer than two recordings could be read: nothing to compare");
        return kUnusableFile;
    }
    std::vector<Bytes> active;
    std::vector<Bytes> reserved;
    for (const RankFigures &each : report.ranks) {
        active.push_back(each.summary.peakActive);
        reserved.push_back(each.summary.peakReserved);
    }
    report.active = spreadOf(active);
    report.reserved = spreadOf(reserved);
    status = std::max(status, explainOutliers(report, arguments));
    if (arguments.has("--redact")) {
        for (const RankFigures &each : report.ranks)
            redaction.gatherFileName(each.file);
        for (RankFigures &each : report.ranks)
            each.file = redaction.fileName(each.file);
    }
    print(arguments, ranksJson(report, most), ranksText(report, most, unitOf(arguments)));
    return status;
}

} // namespace vramscope::cli
