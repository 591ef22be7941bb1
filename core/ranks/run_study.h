// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/collect_runs.h"
#include "core/ranks/profile_folder.h"
#include "core/ranks/ranked_run.h"
#include "core/ranks/run_findings.h"
#include "core/trace/redaction.h"

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace vramscope {

/// The ranks of a run, what stands out of them, and what is known of the files that tell it: of
/// summaries, or of recordings that were summarised in the process. Constant. Indexes are into
/// RankedRun::ranks.
struct RunStudy
{
    std::string path;       ///< of the file or folder that was read
    bool isSummary = false; ///< it holds summaries, and the recordings lie elsewhere
    std::string recordings; ///< the folder that was summarised; empty where that is not known
    RankedRun run;          ///< at least one rank, or one that is not usable
    RunFindings findings;
    std::optional<PartsToRedo> redo;
    std::vector<CollectedRuns::Trouble> troubles;
    std::int64_t changedCount = 0; ///< recordings that changed since
    /// The profiler traces, where all ranks left one and they are read whole; null: none is. Their
    /// ranks are those of `run`, in its order.
    std::shared_ptr<const ProfileFolder> traces;

    [[nodiscard]] std::size_t count() const { return run.ranks.size(); }
    [[nodiscard]] const RankSummary &rank(std::size_t at) const { return run.ranks[at]; }
    [[nodiscard]] std::int64_t number(std::size_t at) const
    {
        return run.ranks[at].source.rank.value_or(-1);
    }
    /// The whole profiler trace of a rank; null where it is not read.
    [[nodiscard]] const RankProfile *trace(std::size_t at) const
    {
        return traces ? &traces->ranks.ranks[at] : nullptr;
    }
    /// Whether any rank left a snapshot: else nothing is known of memory.
    [[nodiscard]] bool hasMemory() const
    {
        return std::ranges::any_of(run.ranks, &RankSummary::hasMemory);
    }
    [[nodiscard]] const AlikeRanks &groupOf(std::size_t at) const
    {
        return findings.groups[findings.groupOf[at]];
    }
    /// The rank of its group that is nearest to the median; of ranks without a snapshot the one
    /// whose span is the median.
    [[nodiscard]] std::size_t typicalOf(std::size_t at) const;
    /// Nothing where it is not known.
    [[nodiscard]] std::optional<std::int64_t> figure(std::size_t at, RankFigure figure) const;
    /// What a rank's peak is above the median of its group.
    [[nodiscard]] Bytes deviation(std::size_t at) const;
    /// By its peak, or by any of its figures.
    [[nodiscard]] bool isOutlier(std::size_t at, bool byAnyFigure = false) const;
    /// What a person looks at first: of the ranks that failed first, or at a time that is not
    /// known, the one that stands out most, else the one that failed first; where none failed the
    /// farthest outlier by memory, else the late one, an outlier by time, or the typical one of the
    /// first group.
    [[nodiscard]] std::size_t mostTelling() const;
};

using RunStudyPointer = std::shared_ptr<const RunStudy>;

/// The ranks of profiler traces that are read whole.
[[nodiscard]] RunStudyPointer runStudy(std::shared_ptr<const ProfileFolder> traces);

/// Reads a file of summaries, a folder of such files, or a folder of recordings, which it
/// summarises: the same in all three cases. Fails where there is no rank and no recording that
/// cannot be used, or `progress` asked to stop.
[[nodiscard]] Result<RunStudyPointer> readRunStudy(const std::filesystem::path &path,
                                                   const Progress &progress = {});

/// The same without the curves of the ranks where it reads summaries: all that is said of the run,
/// its order, groups and outliers are as they will stay.
[[nodiscard]] Result<RunStudyPointer> readRunFigures(const std::filesystem::path &path,
                                                     const Progress &progress = {});
/// The same run without ranks that left no snapshot where others did, and how many these are among
/// its problems: what a picture of memory shows.
[[nodiscard]] RunStudyPointer ofSnapshots(RunStudyPointer study);
/// The study with the curves of its ranks, which it reads where they were left out; indexes stay.
/// A rank whose curve is not in the file as it is now goes on lacking it. Fails where the file is
/// gone, or `progress` asked to stop.
[[nodiscard]] Result<RunStudyPointer> withCurves(RunStudyPointer study,
                                                 const Progress &progress = {});

/// What a person is told of joined summaries. `path`: where they were read.
[[nodiscard]] RunStudy runStudy(const std::filesystem::path &path, const CollectedRuns &runs,
                                std::optional<std::int64_t> ranks = {},
                                const RankLayout &layout = {});

/// Where the recording of a rank lies: below `elsewhere`, where that is given, below the folder of
/// what was read, or where it was summarised; of several files the one whose size is that of the
/// one that was summarised. Nothing where there is none. What a summary names never leads out of
/// these folders.
[[nodiscard]] std::optional<std::filesystem::path>
recordingOf(const RunStudy &study, const RankSummary &rank,
            const std::filesystem::path &elsewhere = {});

/// The same of one of the files that a rank is known by.
[[nodiscard]] std::optional<std::filesystem::path>
recordingOf(const RunStudy &study, const SummarySource &source,
            const std::filesystem::path &elsewhere = {});

/// Gathers the names of people and machines in all texts of a run.
void gatherNames(Redaction &redaction, const RunStudy &study);
/// The run without them; nodes are machines and go. Two files never get one name.
[[nodiscard]] RunStudy withoutNames(const RunStudy &study, const Redaction &redaction);

} // namespace vramscope
