// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/progress_line.h"
#include "app/cli/run_input.h"
#include "core/base/output_file.h"
#include "core/base/path_text.h"
#include "core/print/cells.h"
#include "core/print/run_coverage_report.h"

#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

/// Omits what the overview of the run does not need here: curves, sites and steps.
RankedRun coverageOf(const RunSummary &run, std::optional<std::int64_t> ranks)
{
    return rankedRun(run.onlyKinds([](std::string_view kind) {
        return kind == "rank" || kind == "profile" || kind == "part";
    }),
                     ranks);
}

int runCollect(const Arguments &arguments)
{
    const std::string_view out = arguments.value("--out");
    if (out.empty())
        return badArguments("collect", "--out names the file that the summaries are joined in");
    const auto ranks = numberOption(arguments, "--ranks", 1);
    if (!ranks.ok())
        return badArguments("collect", ranks.error().detail);
    const auto runs = readRuns("collect", arguments, pathOf(out), {});
    if (!runs)
        return kUnusableFile;
    const std::string bytes = runFileBytes(runs->run);
    if (const Result<void> written = writeOutput(pathOf(out), bytes); !written)
        return unusable(out, written.error().text());
    // The file may go to the standard output.
    std::ostream &says = isNoFile(pathOf(out)) ? std::cerr : std::cout;
    const RankedRun run = coverageOf(runs->run, *ranks);
    says << runProblemsText(run) << coverageText(run, runs->redo ? &*runs->redo : nullptr)
         << printable(out) << ": " << formatBytes(static_cast<Bytes>(bytes.size())) << " of "
         << counted(static_cast<std::int64_t>(runs->files), "file") << '\n';
    return complainOfRuns(*runs, arguments.files.front());
}

constexpr std::array kCollectOptions{
    Option{"--out", "FILE", "the file that all are joined in: run.vramranks"},
    Option{"--ranks", "R", "ranks of the run, so that missing ones are named"},
};

constexpr std::string_view kCollectDetails =
    R"(DIR is the folder that vramscope-cli summarize wrote to; files that were collected before can be
named too. No snapshot is read. Joined in whatever order and how often, the file is the same.
)";

} // namespace

const Subcommand kCollectCommand{
    {"collect", "DIR | FILE…", "Joins the summaries of a run to one file.", 1, kAnyNumber,
     kCollectOptions, kCollectDetails,
     ", also where a part is missing, cut off or out of date: then the line that does it again is "
     "printed"},
    runCollect};

} // namespace vramscope::cli
