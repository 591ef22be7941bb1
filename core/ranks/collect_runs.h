// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/base/result.h"
#include "core/ranks/run_file.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// Parts of the work that have to be done again, and how it was divided.
struct PartsToRedo
{
    SummaryPart like;                   ///< `part` means nothing
    std::vector<std::int64_t> missing;  ///< there is no file of them
    std::vector<std::int64_t> cutOff;   ///< their file is not complete
    std::vector<std::int64_t> outdated; ///< a recording of theirs changed since

    /// All of them, ascending, each once.
    [[nodiscard]] std::vector<std::int64_t> all() const;
};

/// Files of summaries joined to one.
struct CollectedRuns
{
    struct Trouble
    {
        std::string file;
        std::string what; ///< sentences
    };

    RunSummary run;
    std::vector<Trouble> troubles;    ///< a file that is damaged, cut off or none
    std::optional<PartsToRedo> redo;  ///< nothing where all parts are there
    std::vector<std::string> changed; ///< recordings that changed since, at most 20
    std::int64_t changedCount = 0;
    std::size_t files = 0;
    std::size_t others = 0; ///< files that are no summaries
};

/// Whether a file is to be read as summaries, or a folder: it holds such files and no snapshot.
[[nodiscard]] bool holdsSummaries(const std::filesystem::path &path);

/// Reads files, and those in folders, and joins them; `except` is left out (the output). Where
/// records of ranks are wanted it looks at the recordings that were summarised, as far as they can
/// be seen from here, without reading them. The error is one of a file or folder that was named
/// itself.
[[nodiscard]] Result<CollectedRuns> collectRuns(std::span<const std::filesystem::path> paths,
                                                const std::filesystem::path &except = {},
                                                const WantedKinds &wanted = {},
                                                const Progress &progress = {});

} // namespace vramscope
