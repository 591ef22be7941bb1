// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/collect_runs.h"
#include "core/ranks/ranked_run.h"
#include "core/ranks/run_study.h"

#include <filesystem>
#include <string>
#include <vector>

namespace vramscope {

/// What is wrong with the recordings of a run, a paragraph each, which is printed before
/// everything else; empty without problems.
[[nodiscard]] std::string runProblemsText(const RankedRun &run);

/// How many ranks there are, which are missing or not usable, and why: sentences, each a line.
/// `redo`: parts that are missing themselves, null where none is. The terminal
/// has an option for the number of ranks, which is named there.
[[nodiscard]] std::string coverageText(const RankedRun &run, const PartsToRedo *redo,
                                       bool forTerminal = true);

/// The same without the terminal's options, a sentence each, and what else is wrong with the
/// recordings of a run.
[[nodiscard]] std::vector<std::string> coverageSentences(const RunStudy &study);
/// Whether anything of a run is missing or wrong.
[[nodiscard]] bool isIncomplete(const RunStudy &study);

/// The lines that do the parts again that are missing, cut off or out of date: for any shell, and
/// for Slurm where its arrays reach that far. Each can be pasted. `out` is the folder of the parts;
/// where the folder of the recordings is not known, SNAPSHOTS replaces it.
[[nodiscard]] std::vector<std::string> redoLines(const PartsToRedo &redo,
                                                 const std::filesystem::path &out);

/// Which parts are missing, cut off and out of date, in sentences, then redoLines().
[[nodiscard]] std::string redoText(const PartsToRedo &redo, const std::filesystem::path &out);

} // namespace vramscope
