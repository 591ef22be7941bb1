// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/print/cells.h"
#include "core/print/profile_report.h"
#include "core/print/profile_text_parts.h"
#include "core/profile/profile_findings.h"
#include "core/profile/rank_profiles.h"
#include "core/table/text_table.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace vramscope {

namespace {

/// What a rank is called in the column of ranks.
std::string rankCell(const RankProfile &rank)
{
    return rank.isStated || rank.part.empty()
               ? std::to_string(rank.rank) + (rank.isStated ? "" : "?")
               : printable(rank.part);
}

std::string rankBars(const RankProfiles &ranks)
{
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right, Align::Left});
    table.addRow(
        {"rank", "device", "span", "compute", "exp. comm.", "exp. copies", "idle", "file"});
    for (const ComparedDevice &each : comparedDevices(ranks)) {
        const RankProfile &rank = ranks.ranks[each.rank];
        const TimeBreakdown &times = each.times;
        const auto share = [&](std::int64_t part) { return formatTimeShare(part, times.span); };
        table.addRow({rankCell(rank), std::to_string(each.device), formatNanoseconds(times.span),
                      share(times.compute), share(times.exposedCommunication),
                      share(times.exposedCopy), share(times.idle),
                      elided(printable(rank.file), 40)});
    }
    return "\nWhere the time of each rank went " + comparedText(ranks) + ":\n" + table.text();
}

std::string outliersText(const RankProfiles &ranks)
{
    std::string text;
    for (const RankOutlier &each : rankOutliers(ranks))
        text += outlierText(ranks, each) + "\n";
    return text.empty() ? text : "\n" + text;
}

std::string waitsText(const RankProfiles &ranks)
{
    if (ranks.waitedCalls == 0)
        return "\nNo collective that all ranks wait for was matched on all of them: which rank is "
               "late is not known.\n";
    const bool isOne = ranks.isOneRecording();
    std::vector<std::string> head{"rank", "waited", "came last"};
    if (!isOne)
        head.insert(head.end(), {"clock", "±"});
    TextTable table(std::vector<Align>(head.size(), Align::Right));
    table.addRow(std::move(head));
    for (std::size_t at = 0; at < ranks.ranks.size(); ++at) {
        const RankClock &clock = ranks.clocks[at];
        const bool isKnown = clock.calls > 0;
        const bool isCompared = ranks.isCompared(at);
        std::vector<std::string> cells{rankCell(ranks.ranks[at]),
                                       isCompared ? formatNanoseconds(ranks.waits[at]) : "?",
                                       isCompared ? formatCount(ranks.lastCalls[at]) : "?"};
        if (!isOne)
            cells.insert(cells.end(), {isKnown ? formatNanoseconds(clock.offset) : "?",
                                       isKnown ? formatNanoseconds(clock.spread) : "?"});
        table.addRow(std::move(cells));
    }
    return "\nWaits in " + counted(ranks.waitedCalls, "collective") + " that all ranks wait for" +
           (isOne ? std::string()
                  : ", and each clock beside that of " + ranks.ranks.front().title()) +
           ":\n" + table.text();
}

std::string matchedText(const RankProfiles &ranks, std::size_t most)
{
    if (ranks.collectives.empty())
        return {};
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right, Align::Right});
    table.addRow({"group", "collective", "call", "size", "transfer", "longest wait", "last rank",
                  "bus GB/s"});
    for (std::size_t at = 0; at < shownRows(ranks.collectives.size(), most); ++at) {
        const MatchedCollective &each = ranks.collectives[at];
        std::int64_t longest = 0;
        for (const MatchedCall &call : each.calls)
            longest = std::max(longest, call.wait);
        table.addRow({printable(each.group), std::string(textOf(each.kind)),
                      formatCount(each.index), each.bytes ? formatBytes(*each.bytes) : "?",
                      formatNanoseconds(each.transfer), formatNanoseconds(longest),
                      !each.allWait    ? "?"
                      : each.hasLast() ? rankCell(ranks.ranks[each.last])
                                       : "none",
                      each.bandwidth.bus ? formatNumber(*each.bandwidth.bus, 3) : "?"});
    }
    return "\nCollectives matched over ranks (the shortest duration is the transfer):\n" +
           table.text() + leftOut(ranks.collectives.size(), most);
}

} // namespace

std::string profileFolderText(const RankProfiles &ranks, const std::string &folder,
                              std::size_t most)
{
    const bool isOne = ranks.isOneRecording();
    const auto count = static_cast<std::int64_t>(ranks.ranks.size());
    std::string text;
    for (const std::string &each : ranks.problems)
        text += wrapped("Problem: " + each, kTableWidth) + "\n";
    if (!text.empty())
        text += "\n";
    text += printable(folder) + ": " + counted(count, isOne ? "GPU" : "profile") +
            (isOne ? ", each a rank; one recording on one clock" : "") + "\n";
    const std::vector<ProfileFinding> findings = rankFindings(ranks);
    for (const ProfileFinding &each : findings)
        text += "\n" + wrapped(each.text, kTableWidth) + "\n";
    if (findings.empty() && ranks.waitedCalls > 0)
        text += "\nNo rank is clearly later than the others.\n";
    text += outliersText(ranks);
    return text + rankBars(ranks) + waitsText(ranks) + matchedText(ranks, most);
}

} // namespace vramscope
