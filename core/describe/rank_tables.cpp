// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/rank_tables.h"

#include "core/analysis/costs/frame_text.h"

#include <algorithm>

namespace vramscope {

namespace {

using ShareCell = DataTable::Cell;
using ShareKind = DataTable::Kind;

constexpr std::size_t kMostSiteRows = 40;

/// What a rank and the typical one have in use for something.
struct RankShare
{
    std::string name;
    Bytes bytes = 0;
    Bytes typical = 0;

    [[nodiscard]] Bytes difference() const { return wrappingDifference(bytes, typical); }
    [[nodiscard]] Bytes apart() const
    {
        const Bytes by = difference();
        return by < 0 ? wrappingDifference(0, by) : by;
    }
};

std::string rankName(const RunStudy &study, std::size_t rank)
{
    return "Rank " + std::to_string(study.number(rank));
}

/// Empty for the typical rank, which has nothing to be compared with.
std::string againstText(const RunStudy &study, std::size_t rank)
{
    const std::size_t typical = study.typicalOf(rank);
    return rank == typical ? std::string()
                           : "Against rank " + std::to_string(study.number(typical));
}

DataTable sharesTable(const RunStudy &study, std::size_t rank, std::string title,
                      std::vector<RankShare> shares, std::size_t most,
                      const std::optional<RankShare> &sum)
{
    std::ranges::stable_sort(shares, std::ranges::greater(), &RankShare::bytes);
    std::ranges::stable_sort(shares, std::ranges::greater(), &RankShare::apart);
    shares.resize(std::min(shares.size(), most));
    const Bytes whole = study.rank(rank).figures.peakActive;
    const bool isTypical = rank == study.typicalOf(rank);
    RowTable table(std::move(title), {{"name", ""},
                                      {"bytes", rankName(study, rank), ShareKind::Size},
                                      {"share", "Share", ShareKind::Share},
                                      {"delta", againstText(study, rank), ShareKind::SizeChange}});
    const auto add = [&](const RankShare &one, bool isStrong) {
        table.add({{one.name, one.name},
                   one.bytes,
                   shareOf(one.bytes, whole),
                   isTypical ? ShareCell("") : ShareCell(one.difference())},
                  {}, isStrong);
    };
    for (const RankShare &one : shares)
        add(one, false);
    if (sum)
        add(*sum, true);
    return std::move(table).table();
}

} // namespace

DataTable rankCategoriesTable(const RunStudy &study, std::size_t rank)
{
    const std::size_t typical = study.typicalOf(rank);
    const auto bytesOf = [](const RankSummary &of, Category category) {
        const auto share =
            std::ranges::find(of.peak.categories, category, &SummaryPeak::Share::category);
        return share == of.peak.categories.end() ? Bytes(0) : share->tally.bytes;
    };
    std::vector<RankShare> shares;
    for (std::size_t at = 0; at < kRecordedCategoryCount; ++at) {
        const auto category = static_cast<Category>(at);
        RankShare one{std::string(categoryName(category)), bytesOf(study.rank(rank), category),
                      bytesOf(study.rank(typical), category)};
        if (one.bytes > 0 || one.typical > 0)
            shares.push_back(std::move(one));
    }
    const std::size_t all = shares.size();
    return sharesTable(study, rank, "The peak by category", std::move(shares), all,
                       RankShare{"In use at the peak", study.rank(rank).figures.peakActive,
                                 study.rank(typical).figures.peakActive});
}

DataTable rankSitesTable(const RunStudy &study, std::size_t rank)
{
    std::vector<RankShare> shares;
    if (const auto compared = contrast(study.run, study.typicalOf(rank), rank)) {
        FrameOrigins origins(*study.run.stacks);
        for (const ComparedSite &site : compared->comparison.sites) {
            const StackId stack = site.countB > 0 ? site.stackB : site.stackA;
            shares.push_back(
                {shortStackText(*study.run.stacks, stack, origins), site.bytesB, site.bytesA});
        }
    }
    return sharesTable(study, rank, "The peak by place", std::move(shares), kMostSiteRows, {});
}

DataTable rankStepsTable(const RunStudy &study, std::size_t rank)
{
    const std::size_t typical = study.typicalOf(rank);
    const SummarySteps &steps = study.rank(rank).steps;
    const SummarySteps &others = study.rank(typical).steps;
    RowTable table("Steps", {{"step", "Step"},
                             {"peak", "Peak", ShareKind::Size},
                             {"delta", againstText(study, rank), ShareKind::SizeChange},
                             {"left", "Left behind", ShareKind::Size}});
    const std::size_t shown = std::min(steps.rows.size(), kMostStepRows);
    for (const SummaryStep &step : std::span(steps.rows).first(shown)) {
        const auto other = std::ranges::find(others.rows, step.number, &SummaryStep::number);
        const bool isKnown =
            rank != typical && other != others.rows.end() && steps.perRow == others.perRow;
        std::string name = formatCount(step.number);
        if (steps.perRow > 1)
            name += " to " + formatCount(wrappingSum(step.number, steps.perRow - 1));
        table.add({step.complete ? name : name + " (cut)", step.peakActive,
                   isKnown ? ShareCell(wrappingDifference(step.peakActive, other->peakActive))
                           : ShareCell(""),
                   step.survivors ? ShareCell(step.survivors->bytes) : ShareCell("")});
    }
    return std::move(table).table();
}

DataTable rankTimesTable(const RunStudy &study, std::size_t rank)
{
    RowTable table("Steps", {{"step", "Step"},
                             {"time", "Time", ShareKind::Time},
                             {"communication", "Exposed comm.", ShareKind::Time},
                             {"idle", "Idle", ShareKind::Time}});
    const std::vector<SummaryProfileStep> &steps = study.rank(rank).profile->steps;
    for (const SummaryProfileStep &step :
         std::span(steps).first(std::min(steps.size(), kMostStepRows)))
        table.add({formatCount(step.number), step.time,
                   step.work ? ShareCell(step.work->exposedCommunication) : ShareCell(""),
                   step.work ? ShareCell(step.work->idle) : ShareCell("")});
    return std::move(table).table();
}

} // namespace vramscope
