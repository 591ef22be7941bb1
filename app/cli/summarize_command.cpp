// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/progress_line.h"
#include "app/cli/trace_input.h"
#include "app/cli/trace_sources.h"
#include "core/base/counted.h"
#include "core/base/path_text.h"
#include "core/print/cells.h"
#include "core/ranks/summarize_folder.h"

#include <array>
#include <charconv>
#include <iostream>

namespace vramscope::cli {

namespace {

/// "2/64"
Result<SummaryPart> partOf(std::string_view text)
{
    SummaryPart part;
    const char *const end = text.data() + text.size();
    const auto first = std::from_chars(text.data(), end, part.part);
    const bool hasSlash = first.ec == std::errc() && first.ptr != end && *first.ptr == '/';
    const auto second = hasSlash ? std::from_chars(first.ptr + 1, end, part.parts) : first;
    if (!hasSlash || second.ec != std::errc() || second.ptr != end)
        return invalid("--part: \"" + std::string(text) +
                       "\" is no part; give its number, from 0, and how many there are: 2/64");
    if (part.parts < 1 || part.parts > kMostParts || part.part < 0 || part.part >= part.parts)
        return invalid("--part: there is no part " + std::to_string(part.part) + " of " +
                       std::to_string(part.parts) + ": they are counted from 0");
    return part;
}

/// `file`: the name of the summary to print.
std::string outcomeText(const SummaryTask &task, const SummaryOutcome &outcome,
                        const std::string &file)
{
    std::string text = "Part " + std::to_string(task.part.part) + " of " +
                       std::to_string(task.part.parts) + ": " +
                       counted(static_cast<std::int64_t>(outcome.files), "file");
    if (!outcome.isWritten)
        return text + (outcome.files == 1 ? ", which is" : ", all of them") +
               " summarised already in " + printable(file) + "\n";
    if (outcome.standing > 0)
        text += ", " + formatCount(static_cast<std::int64_t>(outcome.standing)) +
                " of them summarised already";
    text += "; " + counted(static_cast<std::int64_t>(outcome.devices), "rank") + " summarised";
    if (!outcome.unread.empty())
        text += ", " + formatCount(std::ssize(outcome.unread)) + " that cannot be used";
    if (outcome.others > 0)
        text += ", " + counted(static_cast<std::int64_t>(outcome.others), "no recording");
    return text + "; " + printable(file) + ", " + formatBytes(outcome.bytes) + "\n";
}

int runSummarize(const Arguments &arguments)
{
    SummaryTask task;
    const auto part = partOf(arguments.value("--part", "0/1"));
    if (!part)
        return badArguments("summarize", part.error().detail);
    task.part = *part;
    const auto ranks = numberOption(arguments, "--ranks", 1);
    const auto jobs = numberOption(arguments, "--jobs", 1);
    if (!ranks.ok() || !jobs.ok())
        return badArguments("summarize", ranks.ok() ? jobs.error().detail : ranks.error().detail);
    task.part.ranks = *ranks;
    if (*jobs)
        task.jobs = static_cast<std::size_t>(**jobs);
    if (!arguments.has("--out"))
        return badArguments("summarize", "--out names the folder that the summaries go to");
    const bool redact = arguments.has("--redact");
    task.part.isRedacted = redact;
    task.again = arguments.has("--again");
    task.out = pathOf(arguments.value("--out"));
    std::error_code failed;
    const std::string &folder = arguments.files.front();
    task.folder = std::filesystem::absolute(pathOf(folder), failed).lexically_normal();
    if (!task.folder.has_filename()) // "a/" is "a"
        task.folder = task.folder.parent_path();
    if (!redact)
        task.part.folder = task.folder.string();
    if (!std::filesystem::is_directory(task.folder, failed))
        return complainOf(folder, "This is no folder; name the one with what the ranks recorded.",
                          redact);
    const auto outcome =
        summarizeFolder(task, progressLine("summarising part " + std::to_string(task.part.part)));
    endProgressLine();
    if (!outcome)
        return complainOf(outcome.error().code == ErrorCode::WriteFailed ? task.out.string()
                                                                         : folder,
                          outcome.error().text(), redact);
    for (const SummaryOutcome::Unread &each : outcome->unread)
        complainOf(each.file, each.why, redact);
    const std::string file = outcome->file.string();
    std::cout << outcomeText(task, *outcome, redact ? redactedFile(file) : file);
    return kSuccess;
}

constexpr std::array kSummarizeOptions{
    Option{"--part", "I/N", "the part I of N, from 0: as srun or a job array counts; 0/1: all"},
    Option{"--ranks", "R", "ranks of the run: a part is then a block of them"},
    Option{"--out", "DIR", "the folder that the summaries go to, a file a part"},
    Option{"--jobs", "N", "files that are read at once, at most; else as many as processors"},
    Option{"--again", "", "also what was summarised already and has not changed"},
    kRedactOption,
};

constexpr std::string_view kSummarizeDetails =
    R"(A part takes the ranks I·R/N to (I+1)·R/N; files that name no rank go by the hash of their
path, and so do all without --ranks. Snapshots and profiler traces of one tree are taken together:
a rank that left both is one rank with both. What cannot be read is a record of the summary, and no
failure. A part that is there already is not done again, but for files that changed.
vramscope-cli recipe slurm, kubernetes, mpi and parallel print the lines that start all parts.
)";

} // namespace

const Subcommand kSummarizeCommand{
    {"summarize", "FOLDER",
     "Summaries of a part of what a run's ranks recorded, ten kilobytes a rank.", 1, 1,
     kSummarizeOptions, kSummarizeDetails},
    runSummarize};

} // namespace vramscope::cli
