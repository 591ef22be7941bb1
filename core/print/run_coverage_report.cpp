// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/run_coverage_report.h"

#include "core/base/counted.h"
#include "core/describe/ranks_story.h"
#include "core/print/cells.h"
#include "core/ranks/summarize_folder.h"

#include <algorithm>
#include <sstream>

namespace vramscope {

namespace {

constexpr std::size_t kFilesNamed = 5;

std::string shellQuoted(const std::string &text)
{
    constexpr std::string_view kSafe =
        "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
    if (!text.empty() && text.find_first_not_of(kSafe) == text.npos)
        return text;
    std::string result = "'";
    for (const char c : text) {
        if (c == '\'')
            result += "'\\''";
        else
            result += c;
    }
    return result + "'";
}

/// "2,5,7-9"
std::string arrayText(const std::vector<std::int64_t> &parts)
{
    std::string text;
    for (std::size_t at = 0; at < parts.size();) {
        std::size_t last = at;
        while (last + 1 < parts.size() && parts[last + 1] == parts[last] + 1)
            ++last;
        text += (text.empty() ? "" : ",") + std::to_string(parts[at]);
        if (last > at)
            text += (last == at + 1 ? "," : "-") + std::to_string(parts[last]);
        at = last + 1;
    }
    return text;
}

std::string partsSentence(const std::vector<std::int64_t> &parts, const SummaryPart &like,
                          const char *what)
{
    if (parts.empty())
        return {};
    std::vector<RankRange> ranges;
    for (const std::int64_t part : parts) {
        if (!ranges.empty() && ranges.back().last + 1 == part)
            ranges.back().last = part;
        else
            ranges.push_back({part, part});
    }
    return (parts.size() == 1 ? "Part " : "Parts ") + rangesText(ranges) + " of " +
           std::to_string(like.parts) + (parts.size() == 1 ? " is " : " are ") + what + ".\n";
}

/// Ranks without a summary: those of parts that are missing may have left a snapshot.
struct MissingRanks
{
    std::vector<RankRange> withoutSnapshot;
    std::vector<RankRange> notSummarized;
};

MissingRanks sortedOut(const RankedRun &run, const PartsToRedo *redo)
{
    MissingRanks sorted;
    if (redo == nullptr)
        return {run.missing, {}};
    if (!redo->like.ranks) // any part may be about any rank
        return redo->missing.empty() && redo->cutOff.empty() ? MissingRanks{run.missing, {}}
                                                             : MissingRanks{{}, run.missing};
    for (const RankRange &range : run.missing) {
        for (std::int64_t rank = range.first; rank <= range.last; ++rank) {
            const std::int64_t part = partOfRank(rank, *redo->like.ranks, redo->like.parts);
            const bool isOpen = std::ranges::binary_search(redo->missing, part) ||
                                std::ranges::binary_search(redo->cutOff, part);
            std::vector<RankRange> &to = isOpen ? sorted.notSummarized : sorted.withoutSnapshot;
            if (!to.empty() && to.back().last + 1 == rank)
                to.back().last = rank;
            else
                to.push_back({rank, rank});
        }
    }
    return sorted;
}

/// "Rank 77", "Ranks 77, 80 to 95 and 1 more"
std::string ranksTitle(const std::vector<RankRange> &ranges)
{
    return (ranksInRanges(ranges) == 1 ? "Rank " : "Ranks ") + rangesText(ranges);
}

} // namespace

std::string runProblemsText(const RankedRun &run)
{
    std::string text;
    for (std::size_t at = 0; at < std::min(run.problems.size(), kFilesNamed); ++at)
        text += paragraph("Problem: " + printable(run.problems[at]));
    if (run.problems.size() > kFilesNamed)
        text +=
            counted(static_cast<std::int64_t>(run.problems.size() - kFilesNamed), "more problem") +
            "; --json lists all.\n";
    return text.empty() ? text : text + "\n";
}

std::string coverageText(const RankedRun &run, const PartsToRedo *redo, bool forTerminal)
{
    const auto count = std::ssize(run.ranks);
    const bool isOfMemory = std::ranges::any_of(run.ranks, &RankSummary::hasMemory);
    const bool areTraces = !isOfMemory && !run.ranks.empty();
    const bool isTold = run.isExpectedGiven || run.numberedBy == NumberedBy::Names;
    const bool isMore = isTold && run.expected > 0 && count > run.expected;
    std::string text = isTold && run.expected > 0 && !isMore
                           ? formatCount(count) + " of " + counted(run.expected, "rank")
                           : counted(count, "rank");
    if (isMore)
        text += ", more than the " + formatCount(run.expected) + " of the run";
    if (isTold && !run.isExpectedGiven && run.expected > 0)
        text += std::string(", judging by the highest rank number") +
                (forTerminal ? " (--ranks states how many there were)" : "");
    text += ".\n";
    const MissingRanks missing = sortedOut(run, redo);
    if (!missing.withoutSnapshot.empty())
        text += ranksTitle(missing.withoutSnapshot) +
                (isOfMemory ? " left no snapshot.\n" : " left no profiler trace.\n");
    if (!missing.notSummarized.empty())
        text += ranksTitle(missing.notSummarized) +
                " may have left one: the parts that they belong to are missing.\n";
    for (std::size_t at = 0; at < std::min(run.unusable.size(), kFilesNamed); ++at) {
        const RankSummary &rank = run.unusable[at];
        text += (rank.source.rank ? "Rank " + std::to_string(*rank.source.rank) + "'s " : "") +
                printable(rank.source.path) + " cannot be used. " + printable(rank.error) + "\n";
    }
    if (run.unusable.size() > kFilesNamed)
        text += formatCount(static_cast<std::int64_t>(run.unusable.size() - kFilesNamed)) +
                " more cannot be used; --json lists them.\n";
    if (!run.earlier.empty())
        text += counted(std::ssize(run.earlier), "further recording") +
                " of the same ranks: the latest of each counts.\n";
    if (run.others > 0)
        text += counted(run.others, "file") + " in the folder " +
                (run.others == 1 ? "is no " : "are no ") +
                (areTraces ? "profiler trace" : "recording") + (run.others == 1 ? "" : "s") +
                (areTraces ? ".\n" : " of an allocator.\n");
    if (run.numberedBy == NumberedBy::Devices)
        text += "The ranks are numbered by their devices: no name states a rank.\n";
    if (run.numberedBy == NumberedBy::Order)
        text += "The ranks are numbered in the order of their files: no name states a rank.\n";
    return text;
}

std::vector<std::string> coverageSentences(const RunStudy &study)
{
    std::vector<std::string> sentences;
    std::istringstream lines(coverageText(study.run, study.redo ? &*study.redo : nullptr, false));
    for (std::string line; std::getline(lines, line);)
        sentences.push_back(line);
    if (study.traces && study.traces->ranks.isOneRecording())
        sentences.emplace_back("They are the GPUs of one recording, on one clock.");
    for (const CollectedRuns::Trouble &trouble : study.troubles)
        sentences.push_back(trouble.file + ": " + trouble.what);
    if (study.redo && !study.redo->all().empty())
        sentences.push_back(formatCount(std::ssize(study.redo->all())) + " of " +
                            formatCount(study.redo->like.parts) +
                            " parts are missing, cut off or out of date; vramscope-cli collect "
                            "prints the line that does them again.");
    if (study.changedCount > 0)
        sentences.push_back(counted(study.changedCount, "recording") +
                            " changed since being summarised.");
    return sentences;
}

bool isIncomplete(const RunStudy &study)
{
    return !study.run.missing.empty() || !study.run.unusable.empty() || !study.troubles.empty() ||
           !study.run.problems.empty() || study.redo || study.changedCount > 0;
}

namespace {

/// " 2 5 $(seq 7 99)": numbers for a loop of any shell.
std::string shellNumbers(const std::vector<std::int64_t> &numbers)
{
    constexpr std::size_t kListed = 8; // of a row without a gap
    std::string text;
    for (std::size_t at = 0; at < numbers.size();) {
        std::size_t last = at;
        while (last + 1 < numbers.size() && numbers[last + 1] == numbers[last] + 1)
            ++last;
        if (last - at < kListed) {
            text += ' ' + std::to_string(numbers[at++]);
            continue;
        }
        text += " $(seq " + std::to_string(numbers[at]) + ' ' + std::to_string(numbers[last]) + ')';
        at = last + 1;
    }
    return text;
}

} // namespace

std::vector<std::string> redoLines(const PartsToRedo &redo, const std::filesystem::path &out)
{
    constexpr std::int64_t kLargestIndex = 1000; // of Slurm's arrays, as it is installed
    const std::vector<std::int64_t> parts = redo.all();
    if (parts.empty())
        return {};
    const std::string folder =
        redo.like.folder.empty() ? "SNAPSHOTS" : shellQuoted(redo.like.folder);
    const auto command = [&](const std::string &part) {
        return "vramscope-cli summarize " + folder +
               (redo.like.ranks ? " --ranks " + std::to_string(*redo.like.ranks) : "") +
               " --part " + part + "/" + std::to_string(redo.like.parts) +
               (redo.like.isRedacted ? " --redact" : "") + " --out " + shellQuoted(out.string());
    };
    if (parts.size() == 1 && redo.like.parts == 1)
        return {command("0")};
    std::vector<std::string> lines;
    lines.push_back("for part in" + shellNumbers(parts) + "; do " + command("$part") + "; done");
    if (parts.back() <= kLargestIndex)
        lines.push_back("sbatch --array=" + arrayText(parts) + " --wrap " +
                        shellQuoted(command("$SLURM_ARRAY_TASK_ID")));
    return lines;
}

std::string redoText(const PartsToRedo &redo, const std::filesystem::path &out)
{
    std::string text =
        partsSentence(redo.missing, redo.like, "missing") +
        partsSentence(redo.cutOff, redo.like, "not complete") +
        partsSentence(redo.outdated, redo.like, "out of date: recordings changed since");
    const std::vector<std::string> lines = redoLines(redo, out);
    if (lines.empty())
        return text;
    text += redo.like.folder.empty()
                ? "To do what is missing (SNAPSHOTS: the folder of the recordings), then collect "
                  "again:\n"
                : "To do what is missing, then collect again:\n";
    text += "  " + lines.front() + "\n";
    if (lines.size() > 1)
        text += "or under Slurm:\n  " + lines[1] + "\n";
    return text;
}

} // namespace vramscope
