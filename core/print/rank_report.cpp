// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/rank_report.h"

#include "core/analysis/costs/frame_text.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/print/cells.h"
#include "core/print/text_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

Json spreadJson(const Spread &spread, const std::vector<Rank> &ranks)
{
    Json json{{"least", spread.least},
              {"median", spread.median},
              {"most", spread.most},
              {"skew", spread.skew},
              {"outliers", Json::array()}};
    for (const std::size_t at : spread.outliers)
        json["outliers"].push_back(ranks[at].number);
    return json;
}

/// The length of the folder that all files are in.
std::size_t commonFolder(std::span<const Rank> ranks)
{
    std::string_view common = ranks.front().file;
    for (const Rank &each : ranks) {
        const auto end = std::ranges::mismatch(common, each.file).in1;
        common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
    }
    const std::size_t slash = common.rfind('/');
    return slash == common.npos ? 0 : slash + 1;
}

std::string skewText(double share)
{
    if (share >= 1)
        return formatCount(std::llround(100 * share)) + " %";
    return share > 0 && share < 0.001 ? "< 0.1 %" : formatNumber(100 * share, 2) + " %";
}

bool isReservedKnown(std::span<const Rank> ranks)
{
    return std::ranges::all_of(ranks,
                               [](const Rank &each) { return each.summary.isReservedKnown; });
}

/// Whether the ranks are the devices of one file.
bool areDevices(std::span<const Rank> ranks)
{
    return std::ranges::all_of(ranks,
                               [&](const Rank &each) { return each.file == ranks.front().file; });
}

std::string rankTable(const RankReport &report, std::size_t folder, ByteUnit unit)
{
    const bool failed = std::ranges::any_of(
        report.ranks, [](const Rank &each) { return !each.summary.outOfMemory.empty(); });
    const bool devices = areDevices(report.ranks);
    TextTable table({Align::Right, Align::Right, Align::Right, Align::Right, Align::Right,
                     Align::Left, Align::Left});
    table.addRow({devices ? "" : "rank", "device", "peak active", "to median", "peak reserved",
                  failed ? "out of memory" : "", devices ? "" : "file"});
    for (std::size_t at = 0; at < report.ranks.size(); ++at) {
        const Rank &each = report.ranks[at];
        const bool outlier =
            std::ranges::find(report.active.outliers, at) != report.active.outliers.end();
        table.addRow(
            {devices ? "" : std::to_string(each.number), std::to_string(each.summary.device),
             formatBytes(each.summary.peakActive, unit),
             formatChange(each.summary.peakActive - report.active.median, unit) +
                 (outlier ? " !" : ""),
             formatKnown(each.summary.peakReserved, each.summary.isReservedKnown, unit),
             each.summary.outOfMemory.empty() ? "" : "yes",
             devices ? "" : elided(printable(each.file.substr(folder)), failed ? 30 : 45)});
    }
    return table.text();
}

std::string headText(const RankReport &report, std::size_t folder)
{
    const auto count = static_cast<std::int64_t>(report.ranks.size());
    std::string text;
    if (areDevices(report.ranks))
        text = "The " + counted(count, "device") + " of " + printable(report.ranks.front().file);
    else
        text = counted(count, "rank") +
               (folder > 0 ? " in " + printable(report.ranks.front().file.substr(0, folder)) : "");
    return text + ", each at its own peak of active memory\n\n";
}

} // namespace

std::string ranksJson(const RankReport &report, std::size_t most)
{
    Json json{{"ranks", Json::array()}};
    for (const Rank &each : report.ranks)
        json["ranks"].push_back(
            {{"rank", each.number},
             {"file", each.file},
             {"device", each.summary.device},
             {"peak_active", each.summary.peakActive},
             {"peak_active_event", each.summary.peakActiveEvent},
             {"peak_reserved",
              each.summary.isReservedKnown ? Json(each.summary.peakReserved) : Json()},
             {"reserved_end",
              each.summary.isReservedKnown ? Json(each.summary.reservedEnd) : Json()},
             {"oom", each.summary.outOfMemory.size()}});
    json["peak_active"] = spreadJson(report.active, report.ranks);
    json["peak_reserved"] =
        isReservedKnown(report.ranks) ? spreadJson(report.reserved, report.ranks) : Json();
    json["differences"] = Json::array();
    for (const RankDifference &each : report.differences)
        json["differences"].push_back(
            {{"rank", report.ranks[each.rank].number},
             {"typical", report.ranks[report.active.typical].number},
             {"comparison",
              parsedJson(compareJson(each.comparison, each.typical, each.outlier, most))}});
    return jsonText(json);
}

std::string ranksText(const RankReport &report, std::size_t most, ByteUnit unit)
{
    const std::size_t folder = commonFolder(report.ranks);
    std::string text = headText(report, folder) + rankTable(report, folder, unit) + "\n";
    const auto spreadLine = [&](const char *name, const Spread &spread) {
        text += std::string("  ") + name + " from " + formatBytes(spread.least, unit) + " to " +
                formatBytes(spread.most, unit) + ", median " + formatBytes(spread.median, unit) +
                ": skew " + skewText(spread.skew) + "\n";
    };
    spreadLine("peak active", report.active);
    if (isReservedKnown(report.ranks))
        spreadLine("peak reserved", report.reserved);
    text += "  skew: the highest less the lowest, as a share of the median\n";
    const bool devices = areDevices(report.ranks);
    if (report.active.outliers.empty())
        text += devices ? "  No device stands out.\n" : "  No rank stands out.\n";
    for (const RankDifference &each : report.differences) {
        const std::string outlier = std::to_string(report.ranks[each.rank].number);
        const std::string typical = std::to_string(report.ranks[report.active.typical].number);
        const std::string one = devices ? "device " : "rank ";
        text += std::string(devices ? "\nDevice " : "\nRank ") + outlier +
                " stands out. Below, A is " + one + typical +
                ", the nearest to the median, and B is " + one + outlier + ".\n\n" +
                differencesText(each.comparison, each.typical, each.outlier, most, unit);
    }
    return text;
}

} // namespace vramscope
