// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/analysis/costs/costs.h"
#include "core/analysis/findings/out_of_memory.h"
#include "core/analysis/replayed/event_curve.h"
#include "core/analysis/replayed/summary.h"
#include "core/base/progress.h"
#include "core/ranks/profile_summary.h"
#include "core/ranks/site_id.h"

#include <compare>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace vramscope {

class Profile;
class ProfileStudy;
class Study;

/// Raised whenever a figure of a summary changes its meaning or its value for the same file.
inline constexpr std::int64_t kSummaryAnalysis = 3;
/// The oldest whose usable summaries are the same as those of now: up to 2 active memory was what
/// the program asked for, without the rounding of blocks.
inline constexpr std::int64_t kOldestUsableAnalysis = 3;

/// The highest number of a device that a record may have.
inline constexpr std::int64_t kMostDevice = 65'535;
/// Columns of a rank's curves.
inline constexpr std::size_t kSummaryColumns = 240;
/// Sites that are listed of a moment; what the rest holds is one exact line.
inline constexpr std::size_t kMostSummarySites = 512;
/// Rows of steps; of more steps several share one.
inline constexpr std::size_t kMostSummarySteps = 1000;
/// Failed requests that are listed, the first ones; their number is exact.
inline constexpr std::size_t kMostSummaryFailures = 1000;
/// Which state of a file a record was made of, and by what. The greater one of two is the one to
/// keep: the later file, the longer one, the usable one, the newer analysis.
struct SourceStamp
{
    std::int64_t modified = 0; ///< µs since 1970
    Bytes size = 0;
    bool usable = true; ///< else there is an error instead of figures
    std::int64_t analysis = kSummaryAnalysis;
    // NOLINTNEXTLINE(modernize-use-nullptr): clang-tidy 14 sees a 0 in a defaulted comparison
    auto operator<=>(const SourceStamp &) const = default;

    /// Whether the same file would be summarised otherwise now.
    [[nodiscard]] bool isOutdated() const
    {
        return analysis < (usable ? kOldestUsableAnalysis : kSummaryAnalysis);
    }
};

/// What the number of a rank, or the name of its node, is known by.
enum class KnownBy {
    Nothing,
    Name,
    Folder,
    Stated, ///< by the recording itself
};

/// The file that a summary is of.
struct SummarySource
{
    std::string path; ///< below the folder that was summarised, with '/'
    SourceStamp stamp;
    std::optional<std::int64_t> rank;
    KnownBy rankBy = KnownBy::Nothing;
    std::string node; ///< empty: not known
    KnownBy nodeBy = KnownBy::Nothing;
};

/// What the path of a recording tells: the rank as rankOfName() does, the node by a folder or a
/// word of the name such as "node0216", "host-3" or "nid001734".
[[nodiscard]] SummarySource summarySourceOf(std::string path, const SourceStamp &stamp);

/// What a place in the code holds at a moment.
struct SummarySite
{
    SiteId site;
    Bytes bytes = 0; ///< of blocks
    std::int64_t allocations = 0;
};

/// What is live at a moment of a rank: the sites that hold most, and exactly what all others hold
/// together. They add up to the active bytes.
struct SummaryMoment
{
    EventIndex event = -1;
    Bytes active = 0;
    std::vector<SummarySite> sites; ///< the most bytes first, equals by site; each once
    std::int64_t restSites = 0; ///< not listed; each holds at most what the last listed one does
    Bytes restBytes = 0;
    std::int64_t restAllocations = 0;
};

/// The peak, beside what was live there.
struct SummaryPeak
{
    struct Share
    {
        Category category = Category::Unknown;
        Tally tally;
    };

    Bytes reserved = 0; ///< at that event
    std::int64_t allocations = 0;
    std::vector<Share> categories;    ///< the most bytes first; they add up to the active bytes
    bool areCategoriesSure = false;   ///< as areCategoriesSure() has it
    std::optional<std::int64_t> step; ///< its number
    double position = 0;              ///< in the step, 0 … 1
    std::vector<std::string> running; ///< annotations open then, innermost first; at most 16
    std::optional<SiteId> stack;      ///< of what was being allocated; none before the first event
    std::optional<std::int64_t> time; ///< µs since 1970
};

/// A request that failed.
struct SummaryFailure
{
    EventIndex event = 0;
    std::optional<std::int64_t> time; ///< µs since 1970; none where no times were recorded
    Bytes requested = 0;
    Bytes deviceFree = -1; ///< -1: not told
    Bytes active = 0;      ///< at that event
    Bytes reserved = 0;
    std::optional<SiteId> stack;           ///< none where none was recorded
    std::optional<OutOfMemoryCause> cause; ///< of the first kMostExplained ones
    std::optional<Remedy::Kind> remedy;    ///< the first of OutOfMemoryAdvice::remedies
    Bytes remedyBytes = 0;
};

/// One or several steps in a row.
struct SummaryStep
{
    std::int64_t number = 0; ///< of the first
    EventIndex first = 0;
    EventIndex last = 0;
    bool complete = true; ///< all of them
    Bytes peakActive = 0; ///< the highest
    Bytes peakReserved = 0;
    Bytes activeBegin = 0;          ///< of the first
    Bytes activeEnd = 0;            ///< of the last
    std::optional<Tally> survivors; ///< of the last
};

/// The steps of a rank.
struct SummarySteps
{
    std::string how; ///< in words: what they were found from, or why there are none
    double confidence = 0;
    std::int64_t count = 0;
    std::int64_t perRow = 1; ///< steps that share a row, but for the last row
    std::vector<SummaryStep> rows;
};

/// What is kept of one device of a recording, in some ten kilobytes, whatever its size; or why
/// nothing is. Exact but for three things: when inside a column, what a site that is not listed
/// holds, and steps that share a row.
struct RankSummary
{
    SummarySource source;
    std::int64_t device = 0; ///< its ordinal; -1 where the file could not be used
    std::string error;       ///< why the file could not be used; then nothing follows
    bool isRecording = true; ///< else it is a file of another kind, and nothing to complain about

    /// Whether it is of a snapshot: else it has no figures of memory, and what follows is empty but
    /// for the profile.
    bool hasMemory = true;
    /// Of the rank's profiler trace; null where there is none. Read from the same file as the rest,
    /// or joined to the rank by its number, and then with a source of its own.
    std::shared_ptr<const ProfileSummary> profile;
    std::optional<SummarySource> profileSource; ///< where it is another file than `source`
    std::int64_t profileDevice = 0;             ///< as `device`, in that file

    std::string format;   ///< Trace::format()
    std::string producer; ///< Trace::producer()
    DeviceSummary figures;
    std::optional<std::int64_t> firstTime; ///< µs since 1970, of the first event
    std::optional<std::int64_t> lastTime;
    std::vector<Setting> settings; ///< of the allocator
    std::vector<Problem> problems; ///< the first kMostSummaryProblems
    std::int64_t problemCount = 0;
    std::int64_t failureCount = 0;
    SummaryPeak peak;

    CurveOutline active;              ///< kSummaryColumns
    CurveOutline reserved;            ///< empty where it is not known
    std::vector<std::int64_t> begins; ///< µs from firstTime to the first event of each column;
                                      ///< empty without times
    SummarySteps steps;
    std::vector<SummaryFailure> failures; ///< the first ones
    SummaryMoment atPeak;
    std::optional<SummaryMoment> atFailure; ///< at the first request that failed

    // Of a summary that was read from a file alone.
    std::vector<std::string> records; ///< that belong to it beside "rank": "active", "sites peak" …
    std::vector<std::string> lacks; ///< those of them that were not read: cut off, or not asked for

    [[nodiscard]] bool isUsable() const { return error.empty(); }
};

/// Stacks by their site, for all ranks that have them. Several of one site are other frames with
/// the same hash, which nobody has seen yet.
using SiteStackTable = std::multimap<SiteId, std::vector<SiteFrame>>;

/// The summary of a device, and the stacks that it names.
struct SummarizedDevice
{
    RankSummary summary;
    SiteStackTable stacks;
};

/// What of a profiler trace is kept, without figures of memory. `device` tells it from others of
/// its file.
[[nodiscard]] SummarizedDevice summarize(const ProfileStudy &study, const SummarySource &source,
                                         std::int64_t device, const std::string &part = {});

/// Each rank of a profiler trace: all of it, or where several processes drove devices each of
/// these, as readProfileFiles() has it.
[[nodiscard]] std::vector<SummarizedDevice> summarize(const std::shared_ptr<const Profile> &profile,
                                                      const SummarySource &source);

/// What of a study is kept; nothing once `progress` asked to stop. Takes as long as its parts:
/// figures, steps, peak, and where a request failed what would have helped.
[[nodiscard]] std::optional<SummarizedDevice>
summarize(const Study &study, const SummarySource &source, const Progress &progress = {});

/// Each GPU of a recording; an error in place of them where there is none. Nothing once `progress`
/// asked to stop.
[[nodiscard]] std::optional<std::vector<SummarizedDevice>>
summarize(const std::shared_ptr<const Trace> &trace, const SummarySource &source,
          const Progress &progress = {});

/// The summary of a file that could not be used.
[[nodiscard]] RankSummary unusable(const SummarySource &source, const Error &error);

} // namespace vramscope
