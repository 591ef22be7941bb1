// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/diff.h"
#include "app/cli/report_files.h"
#include "app/cli/run_input.h"
#include "core/print/run_report.h"

namespace vramscope::cli {

int diffRun(const Arguments &arguments, std::size_t most)
{
    for (const std::string_view option : {"--device", "--at", "--step"}) {
        if (arguments.has(option)) {
            complain("diff",
                     std::string(option) + ": summaries of ranks are compared at the peak of each");
            return kBadArguments;
        }
    }
    if (arguments.has("--redact")) {
        complain("diff", "--redact: names are taken out of summaries when they are made, by "
                         "vramscope-cli summarize --redact");
        return kBadArguments;
    }
    RankLayout layout;
    if (arguments.has("--layout")) {
        const Result<RankLayout> read = rankLayout(arguments.value("--layout"));
        if (!read) {
            complain("diff", "--layout: " + read.error().detail);
            return kBadArguments;
        }
        layout = *read;
    }
    const auto ranks = ranksOption("diff", arguments);
    if (!ranks)
        return kBadArguments;
    const auto runs = readRuns("diff", arguments, {}, [](std::string_view kind) {
        return kind != "active" && kind != "reserved"; // which no figure here is made of
    });
    if (!runs)
        return kUnusableFile;
    const RankedRun run = rankedRun(runs->run, *ranks);
    const RunFindings findings = findingsOf(run, layout);
    print(arguments, runJson(run, findings, most),
          runText(run, findings, runs->redo ? &*runs->redo : nullptr, most, unitOf(arguments)));
    return complainOfRuns(*runs, arguments.files.front());
}

} // namespace vramscope::cli
