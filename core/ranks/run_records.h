// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "core/ranks/rank_summary.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace vramscope {

/// One record of a run: a line of JSON in its only form (keys in order, no white space), and what
/// tells records apart. resources/help/compare.md lists the kinds.
struct RunRecord
{
    std::string kind;
    std::string moment;       ///< "peak" or "oom" of sites
    std::string source;       ///< path below the folder; empty of records that belong to no file
    std::int64_t device = -1; ///< that it is of; -1: of a file that could not be used
    SourceStamp stamp;        ///< of records that have a source
    std::string key;          ///< what tells records of one source apart, or all others
    std::string line;         ///< without its line end

    /// As RankSummary::records names it.
    [[nodiscard]] std::string name() const { return moment.empty() ? kind : kind + ' ' + moment; }
};

/// Bytes of the longest line, with its end: what a member of the file may hold.
inline constexpr std::size_t kLongestRecord = std::size_t(1) << 20;

/// Takes a line apart. Kinds that are not known, as of a later version, are kept as they are. The
/// error says what is wrong with it.
[[nodiscard]] Result<RunRecord> recordOf(std::string_view line);

/// The records of a device: "rank" first, then what else there is of it, then its stacks; of a
/// profiler trace "profile" and "calls".
[[nodiscard]] std::vector<RunRecord> recordsOf(const SummarizedDevice &device);

/// Ranks that a run may have: what a file says beyond that is no number of ranks.
inline constexpr std::int64_t kMostRanks = 10'000'000;

/// Parts that the work on a run may be divided into, likewise.
inline constexpr std::int64_t kMostParts = 100'000;

/// Which part of which work a file of summaries is.
struct SummaryPart
{
    std::int64_t part = 0;             ///< 0 … parts - 1
    std::int64_t parts = 1;            ///< at most kMostParts
    std::optional<std::int64_t> ranks; ///< of the run, where that was given
    std::string folder;                ///< that was summarised; empty where names were taken out
    bool isRedacted = false;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in a defaulted comparison
    auto operator<=>(const SummaryPart &) const = default;
};

[[nodiscard]] RunRecord recordOf(const SummaryPart &part);
[[nodiscard]] Result<SummaryPart> partOfRecord(const RunRecord &record);

/// Puts what a record holds into the summary of its device; nothing of one that is wrong. The error
/// says what is.
[[nodiscard]] Result<void> readRecord(const RunRecord &record, RankSummary &into);

/// The stack of a record of that kind; an error where its site is not that of its frames.
[[nodiscard]] Result<std::pair<SiteId, std::vector<SiteFrame>>>
stackOfRecord(const RunRecord &record);

/// The first line of a file, the same in all files of this version.
[[nodiscard]] std::string fileLine();
/// Fails where a file says that it is of a later version or another format.
[[nodiscard]] Result<void> checkFileLine(std::string_view line);

/// The last line of a complete file: how many records it has of each kind.
[[nodiscard]] std::string endLine(const std::map<std::string, std::int64_t> &counts);
[[nodiscard]] Result<std::map<std::string, std::int64_t>> countsOfEnd(std::string_view line);

/// The top members of a line of JSON that is in its only form already, read in one pass and without
/// a copy: most lines of a run are long lists of whole numbers, and nothing has to be built of them
/// to know whose they are.
struct CanonicalLine
{
    /// The value of each key as it is written, "\"rank\"" or "12" or "[1,2]", in order.
    std::vector<std::pair<std::string_view, std::string_view>> values;

    /// Empty where there is no such key.
    [[nodiscard]] std::string_view valueOf(std::string_view key) const;
    /// The text of a value that is one and has no escapes.
    [[nodiscard]] std::optional<std::string_view> textOf(std::string_view key) const;
    [[nodiscard]] std::optional<std::int64_t> integerOf(std::string_view key) const;
};

/// Nothing where it is not certain that the line is in that form: it is no object, has white space,
/// keys out of order, other escapes than of quotes, characters beyond ASCII, or numbers beyond 18
/// digits.
/// Reading it in full tells then.
[[nodiscard]] std::optional<CanonicalLine> canonicalLine(std::string_view line);

} // namespace vramscope
