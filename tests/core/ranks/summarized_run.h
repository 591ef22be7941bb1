// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/ordered_jobs.h"
#include "core/ranks/run_file.h"
#include "core/ranks/run_summary.h"
#include "core/readers/read_trace.h"
#include "tests/support/rank_run.h"

#include <memory>
#include <string>
#include <vector>

namespace vramscope::test {

/// The trace of a rank of a made-up run.
inline std::shared_ptr<const Trace> traceOfRank(const RankRun &run, int rank, int iteration = 0)
{
    const RankSnapshot snapshot = rankSnapshot(run, rank, iteration);
    return readTrace(std::as_bytes(std::span(snapshot.bytes))).value();
}

/// The state of its file, as the file system would tell it.
inline SourceStamp stampOfRank(int rank, int iteration = 0)
{
    return {1'700'000'100'000'000 + rank + iteration * 600'000'000LL, 12'000 + rank, true,
            kSummaryAnalysis};
}

inline std::vector<SummarizedDevice> summaryOfRank(const RankRun &run, int rank, int iteration = 0)
{
    const std::string folder = iteration == 0 ? "" : "again/";
    return summarize(traceOfRank(run, rank, iteration),
                     summarySourceOf(folder + run.fileName(rank), stampOfRank(rank, iteration)))
        .value();
}

/// The summaries of some ranks, by all threads.
inline RunSummary summaryOfRanks(const RankRun &run, const std::vector<int> &ranks)
{
    std::vector<std::vector<SummarizedDevice>> devices(ranks.size());
    const auto one = [&](std::size_t at, const Progress &) {
        devices[at] = summaryOfRank(run, ranks[at]);
    };
    (void)runTogether(ranks.size(), one, {});
    RunSummary summary;
    for (const auto &of : devices) {
        for (const SummarizedDevice &device : of)
            summary.add(device);
    }
    return summary;
}

inline Result<RunFile> readBytes(const std::string &bytes, const WantedKinds &wanted = {})
{
    const auto source = memorySource(std::as_bytes(std::span(bytes)));
    return readRunFile(*source, wanted);
}

} // namespace vramscope::test
