// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/run_input.h"

#include "app/cli/progress_line.h"
#include "app/cli/trace_sources.h"
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/path_text.h"
#include "core/print/run_coverage_report.h"

#include <iostream>

namespace vramscope::cli {

std::optional<CollectedRuns> readRuns(std::string_view command, const Arguments &arguments,
                                      const std::filesystem::path &except,
                                      const WantedKinds &wanted)
{
    const bool redact = arguments.has("--redact");
    std::vector<std::filesystem::path> paths;
    for (const std::string &file : arguments.files)
        paths.emplace_back(file);
    auto runs = collectRuns(paths, except, wanted, progressLine("reading summaries"));
    endProgressLine();
    if (!runs) {
        complainOf(arguments.files.front(), runs.error().text(), redact);
        return {};
    }
    if (runs->files == 0) {
        for (const CollectedRuns::Trouble &trouble : runs->troubles)
            complainOf(trouble.file, trouble.what, redact);
        complain(command,
                 "there are no summaries of ranks in " +
                     (redact ? redactedFile(arguments.files.front()) : arguments.files.front()) +
                     "; vramscope-cli summarize writes them");
        return {};
    }
    return std::move(*runs);
}

int complainOfRuns(const CollectedRuns &runs, const std::string &operand, const Redaction *names)
{
    const auto shown = [&](const std::string &file) {
        return names ? names->fileName(file) : file;
    };
    std::error_code failed;
    std::filesystem::path out =
        std::filesystem::absolute(pathOf(operand), failed).lexically_normal();
    if (!std::filesystem::is_directory(out, failed) || !out.has_filename())
        out = out.parent_path();
    for (const CollectedRuns::Trouble &trouble : runs.troubles)
        complain(shown(trouble.file), names ? names->sentence(trouble.what) : trouble.what);
    for (const std::string &file : runs.changed)
        complain(shown(file), "It changed since it was summarised.");
    if (runs.changedCount > std::ssize(runs.changed))
        complain(shown(operand), counted(runs.changedCount, "file") + " changed in all.");
    if (!runs.redo)
        return runs.troubles.empty() ? kSuccess : kUnusableFile;
    PartsToRedo redo = *runs.redo;
    if (names)
        redo.like.folder.clear();
    std::cout << std::flush;
    std::cerr << redoText(redo, pathOf(shown(out.string())));
    return kUnusableFile;
}

} // namespace vramscope::cli
