// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/ranks/run_file.h"
#include "core/ranks/run_summary.h"

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

class Redaction;

/// The part whose block a rank is in: the ranks I·R/N … (I+1)·R/N are part I of N.
[[nodiscard]] std::int64_t partOfRank(std::int64_t rank, std::int64_t ranks, std::int64_t parts);

/// The part of the work that a file of a folder belongs to, 0 … parts - 1. With the number of ranks
/// it is partOfRank(): a node that runs a block of ranks reads what
/// it wrote. What names no rank below that number, and everything else, goes by the hash of its
/// path: what appears meanwhile moves no other file.
[[nodiscard]] std::int64_t partOfFile(const std::string &path, std::optional<std::int64_t> ranks,
                                      std::int64_t parts);

/// "part-00002-of-00064.vramranks"
[[nodiscard]] std::string partFileName(const SummaryPart &part);
/// The part that a name of that form tells.
[[nodiscard]] std::optional<SummaryPart> partOfFileName(const std::string &name);

/// The recordings below a folder by their paths in it, in natural order: as filesOfFolder() finds
/// them, without what the program itself wrote beside them.
[[nodiscard]] Result<std::vector<std::string>>
filesToSummarize(const std::filesystem::path &folder);

/// The name under which a file is shown without names of people and machines. Two files never share
/// one: the path's hash stands behind what was changed.
[[nodiscard]] std::string shownPath(const std::string &path, const Redaction &names);

/// The state of a file as a stamp has it; nothing where there is none.
[[nodiscard]] std::optional<SourceStamp> fileStamp(const std::filesystem::path &file);

/// One part of the work.
struct SummaryTask
{
    std::filesystem::path folder; ///< of recordings
    std::filesystem::path out;    ///< the folder of the parts; made where there is none
    SummaryPart part;
    std::size_t jobs = 0; ///< files that are read at once, at most; 0: as many as processors
    bool again = false;   ///< also what was summarised already
};

/// What came of it.
struct SummaryOutcome
{
    struct Unread
    {
        std::string file;
        std::string why;
    };

    std::filesystem::path file; ///< of the part
    std::size_t files = 0;      ///< that the part has
    std::size_t standing = 0;   ///< of them, summarised by an earlier run
    std::size_t devices = 0;    ///< summarised now
    std::size_t others = 0;     ///< no recordings
    std::vector<Unread> unread; ///< meant to be recordings, and not usable
    std::int64_t bytes = 0;     ///< of the file
    bool isWritten = true;      ///< else everything stood already
};

/// Recordings that are summarised in the process.
struct LocalRecordings
{
    std::filesystem::path folder;            ///< that `paths` are below
    std::vector<std::string> paths;          ///< with '/'
    bool isRedacted = false;                 ///< texts lose names of people and machines
    std::optional<std::int64_t> device = {}; ///< only this one of each recording
};

/// What came of recordings that were summarised in the process.
struct LocalSummaries
{
    struct File
    {
        std::string error; ///< why it could not be used; empty where it was
        bool isRecording = true;
    };
    RunSummary run;          ///< of what cannot be used too, with its reason
    std::vector<File> files; ///< by path
};

/// The summaries of recordings that lie here, the same as their parts would hold. Each recording is
/// let go of as soon as it is summarised. The error is that `progress` asked to stop.
[[nodiscard]] Result<LocalSummaries> summarizeHere(const LocalRecordings &recordings,
                                                   const Progress &progress = {});

/// Summarises the files of one part, and writes them. Each recording is let go of as soon as it is
/// summarised. What an earlier run of the same part summarised is kept, unless the file has changed
/// since. The error is one of the folders, or of writing.
[[nodiscard]] Result<SummaryOutcome> summarizeFolder(const SummaryTask &task,
                                                     const Progress &progress = {});

} // namespace vramscope
