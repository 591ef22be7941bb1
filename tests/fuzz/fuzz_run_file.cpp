// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/run_report.h"
#include "core/ranks/run_file.h"
#include "core/ranks/run_findings.h"
#include "core/readers/read_trace.h"
#include "tests/fuzz/fuzzer.h"
#include "tests/support/rank_run.h"
#include "tests/support/sample_snapshot.h"

using namespace vramscope;

namespace {

/// The records of a file, or of the lines that stand in one, which mutations reach more easily.
std::optional<RunSummary> runOf(std::string_view bytes)
{
    if (!bytes.starts_with('{')) {
        const auto source = memorySource(std::as_bytes(std::span(bytes.data(), bytes.size())));
        auto file = readRunFile(*source);
        return file ? std::optional(std::move(file->run)) : std::nullopt;
    }
    RunSummary run;
    while (!bytes.empty()) {
        const std::size_t end = std::min(bytes.find('\n'), bytes.size());
        if (Result<RunRecord> record = recordOf(bytes.substr(0, end)))
            run.add(std::move(*record));
        bytes.remove_prefix(std::min(end + 1, bytes.size()));
    }
    return run;
}

RunSummary summaryOf(const std::string &snapshot, const char *name)
{
    RunSummary run;
    const auto trace = readTrace(fuzz::bytesOf(snapshot));
    const auto devices = summarize(*trace, summarySourceOf(name, {}));
    for (const SummarizedDevice &device : *devices)
        run.add(device);
    return run;
}

} // namespace

/// Any bytes are an error or a set of records, which survives being written and read, joins with
/// itself to itself, and can be judged and shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto run = runOf({reinterpret_cast<const char *>(data), size});
    if (!run)
        return 0;
    const std::string bytes = runFileBytes(*run);
    const auto source = memorySource(fuzz::bytesOf(bytes));
    const auto again = readRunFile(*source);
    fuzz::check(again.ok() && again->whyIncomplete.empty() && again->problems.empty());
    fuzz::check(runFileBytes(again->run) == bytes);
    fuzz::check(runFileBytes(join(*run, again->run)) == bytes);
    RunStudy study;
    study.run = rankedRun(*run);
    study.findings = findingsOf(study.run);
    fuzz::check(!runText(study, 20).empty());
    fuzz::check(!runJson(study, 20).empty());
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    const test::RankRun made{.ranks = 64, .failing = 3};
    const RunSummary small = summaryOf(test::pickled(test::sampleSnapshot()), "rank1.pickle");
    RunSummary large = summaryOf(test::rankSnapshot(made, 3).bytes, "node1_rank3.pickle");
    large.join(small);
    large.add(recordOf(SummaryPart{0, 2, 64, "/data", false}));
    std::string lines;
    for (const auto &[kind, ofKind] : large.linesByKind()) {
        for (const std::string_view line : ofKind)
            lines.append(line).append("\n");
    }
    return {runFileBytes(small), runFileBytes(large), lines};
}
