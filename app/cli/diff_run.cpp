// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/diff.h"
#include "app/cli/progress_line.h"
#include "app/cli/run_input.h"
#include "core/base/path_text.h"
#include "core/print/run_report.h"
#include "core/ranks/run_study.h"
#include "core/ranks/summarize_folder.h"

#include <iostream>

namespace vramscope::cli {

namespace {

/// The layout given with --layout; an empty one without the option.
Result<RankLayout> layoutOption(const Arguments &arguments)
{
    if (!arguments.has("--layout"))
        return RankLayout();
    Result<RankLayout> read = rankLayout(arguments.value("--layout"));
    return read.ok() ? read : invalid("--layout: " + read.error().detail);
}

void printRun(const Arguments &arguments, const RunStudy &study, std::size_t most)
{
    std::cout << (arguments.has("--json") ? runJson(study, most) + '\n'
                                          : runText(study, most, unitOf(arguments)));
}

/// The recordings by their paths below the folder that all of them are in.
LocalRecordings recordingsOf(const std::vector<Source> &sources)
{
    std::vector<std::filesystem::path> files;
    files.reserve(sources.size());
    std::error_code failed;
    for (const Source &source : sources)
        files.push_back(std::filesystem::absolute(pathOf(source.file), failed).lexically_normal());
    LocalRecordings recordings;
    recordings.folder = files.front().parent_path();
    for (const std::filesystem::path &file : files) {
        while (recordings.folder != recordings.folder.root_path() &&
               *file.lexically_relative(recordings.folder).begin() == "..")
            recordings.folder = recordings.folder.parent_path();
    }
    for (const std::filesystem::path &file : files)
        recordings.paths.push_back(file.lexically_relative(recordings.folder).generic_string());
    return recordings;
}

} // namespace

int diffRun(const Arguments &arguments, std::size_t most)
{
    for (const std::string_view option : {"--device", "--at", "--step"}) {
        if (arguments.has(option))
            return badArguments("diff",
                                std::string(option) +
                                    ": summaries of ranks are compared at the peak of each");
    }
    const auto layout = layoutOption(arguments);
    const auto ranks = numberOption(arguments, "--ranks", 1);
    if (!layout.ok() || !ranks.ok())
        return badArguments("diff", layout.ok() ? ranks.error().detail : layout.error().detail);
    const auto runs = readRuns("diff", arguments, {}, [](std::string_view kind) {
        return kind != "active" && kind != "reserved"; // no figure here uses these
    });
    if (!runs)
        return kUnusableFile;
    RunStudy study = runStudy(pathOf(arguments.files.front()), *runs, *ranks, *layout);
    if (!arguments.has("--redact")) {
        printRun(arguments, study, most);
        return complainOfRuns(*runs, arguments.files.front());
    }
    Redaction names;
    gatherNames(names, study);
    study = withoutNames(study, names);
    printRun(arguments, study, most);
    return complainOfRuns(*runs, arguments.files.front(), &names);
}

int diffRecordings(const std::vector<Source> &sources, const Arguments &arguments, std::size_t most)
{
    const bool redact = arguments.has("--redact");
    const auto layout = layoutOption(arguments);
    const auto ranks = numberOption(arguments, "--ranks", 1);
    if (!layout.ok() || !ranks.ok())
        return badArguments("diff", layout.ok() ? ranks.error().detail : layout.error().detail);
    LocalRecordings recordings = recordingsOf(sources);
    recordings.isRedacted = redact;
    const auto device = numberOption(arguments, "--device", 0);
    if (!device.ok())
        return badArguments("diff", device.error().detail);
    recordings.device = *device;
    auto here = summarizeHere(recordings, progressLine("reading recordings"));
    endProgressLine();
    if (!here)
        return complainOf(sources.front().file, here.error(), redact);
    int status = kSuccess;
    SkippedFiles skipped(redact);
    for (std::size_t at = 0; at < sources.size(); ++at) {
        const LocalSummaries::File &file = here->files[at];
        const bool skip = !file.isRecording && !sources[at].folder.empty();
        skipped.count(sources[at], skip);
        if (file.error.empty() || skip)
            continue;
        complainOf(sources[at].file, file.error, redact);
        status = kUnusableFile;
    }
    status = std::max(status, skipped.finish());
    CollectedRuns runs;
    runs.run = std::move(here->run);
    const RunStudy study = runStudy(recordings.folder, runs, *ranks, *layout);
    if (study.count() < 2) {
        const bool isOne = sources.size() == 1 && study.count() == 1;
        return unusable("diff",
                        isOne ? "the file has one device, and nothing to compare it with; name a "
                                "second recording, or the folder with those of all ranks"
                              : "fewer than two ranks could be read: nothing to compare; the "
                                "ranks of profiler traces are compared by vramscope-cli "
                                "profile FOLDER");
    }
    printRun(arguments, study, most);
    return status;
}

} // namespace vramscope::cli
