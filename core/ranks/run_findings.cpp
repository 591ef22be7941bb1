// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/ranks/run_findings.h"

#include "core/base/median.h"
#include "core/base/text.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <set>

namespace vramscope {

namespace {

constexpr Bytes kLargeSite = 16 * kMiB;
constexpr double kLikeness = 0.01;

/// Ranks with the same sites, and what is typical of each site.
struct SiteClass
{
    std::vector<std::size_t> ranks;
    std::map<SiteId, Bytes> bytes; ///< the median over its ranks
    std::size_t alike = 0;         ///< ranks, without those that were put to it

    [[nodiscard]] Bytes at(SiteId site) const
    {
        const auto found = bytes.find(site);
        return found == bytes.end() ? 0 : found->second;
    }
};

bool differ(Bytes a, Bytes b)
{
    const auto most = static_cast<double>(std::max(a, b));
    return std::max(a, b) > kLargeSite &&
           std::abs(static_cast<double>(a) - static_cast<double>(b)) >= kLikeness * most;
}

bool areAlike(const SiteClass &a, const SiteClass &b)
{
    const auto agrees = [](const SiteClass &x, const SiteClass &y) {
        return std::ranges::none_of(
            x.bytes, [&y](const auto &site) { return differ(site.second, y.at(site.first)); });
    };
    return agrees(a, b) && agrees(b, a);
}

double sharedBytes(const SiteClass &a, const SiteClass &b)
{
    double sum = 0;
    for (const auto &[site, bytes] : a.bytes)
        sum += static_cast<double>(std::max<Bytes>(std::min(bytes, b.at(site)), 0));
    return sum;
}

/// The classes by the set of their sites, the largest first.
std::vector<SiteClass> classesBySites(const RankedRun &run)
{
    std::map<std::vector<SiteId>, std::vector<std::size_t>> bySites;
    for (std::size_t at = 0; at < run.ranks.size(); ++at) {
        if (!run.ranks[at].hasMemory)
            continue;
        std::vector<SiteId> sites;
        for (const SummarySite &site : run.ranks[at].atPeak.sites)
            sites.push_back(site.site);
        std::ranges::sort(sites);
        bySites[std::move(sites)].push_back(at);
    }
    std::vector<SiteClass> classes;
    for (auto &[sites, ranks] : bySites) {
        std::map<SiteId, std::vector<Bytes>> bytes;
        for (const std::size_t rank : ranks) {
            for (const SummarySite &site : run.ranks[rank].atPeak.sites)
                bytes[site.site].push_back(site.bytes);
        }
        SiteClass &one = classes.emplace_back();
        for (auto &[site, values] : bytes)
            one.bytes[site] = halfwayMedian(std::move(values));
        one.ranks = std::move(ranks);
    }
    std::ranges::stable_sort(classes, std::ranges::greater(),
                             [](const SiteClass &each) { return each.ranks.size(); });
    return classes;
}

void addRanks(SiteClass &to, const SiteClass &from)
{
    to.ranks.insert(to.ranks.end(), from.ranks.begin(), from.ranks.end());
}

/// Joins what is alike to the largest class of its kind.
std::vector<SiteClass> joinedAlike(const std::vector<SiteClass> &classes)
{
    std::vector<SiteClass> joined;
    for (const SiteClass &one : classes) {
        const auto same = std::ranges::find_if(
            joined, [&one](const SiteClass &each) { return areAlike(each, one); });
        if (same != joined.end())
            addRanks(*same, one);
        else
            joined.push_back(one);
    }
    std::ranges::stable_sort(joined, std::ranges::greater(),
                             [](const SiteClass &each) { return each.ranks.size(); });
    return joined;
}

/// Puts small classes to those that they share the most bytes with.
std::vector<SiteClass> withoutSmall(const std::vector<SiteClass> &classes)
{
    std::vector<SiteClass> large;
    for (const SiteClass &one : classes) {
        if (large.empty() || one.ranks.size() >= kLeastAlike) {
            large.push_back(one);
            large.back().alike = one.ranks.size();
            continue;
        }
        const auto nearest = std::ranges::max_element(
            large, {}, [&one](const SiteClass &each) { return sharedBytes(one, each); });
        addRanks(*nearest, one);
    }
    return large;
}

Bytes distanceOf(Bytes a, Bytes b)
{
    return a > b ? a - b : b - a;
}

/// What is left of the differences of values when the median of each class is taken off: their
/// median absolute deviation.
Bytes deviationWithin(const std::vector<Bytes> &values, const std::vector<std::string> &classes)
{
    std::map<std::string_view, std::vector<Bytes>> byClass;
    for (std::size_t at = 0; at < values.size(); ++at)
        byClass[classes[at]].push_back(values[at]);
    std::map<std::string_view, Bytes> medians;
    for (auto &[name, own] : byClass)
        medians[name] = halfwayMedian(std::move(own));
    std::vector<Bytes> distances;
    for (std::size_t at = 0; at < values.size(); ++at)
        distances.push_back(distanceOf(values[at], medians[classes[at]]));
    return halfwayMedian(std::move(distances));
}

ComparedSide summarySide(const RankSummary &rank)
{
    return {rank.atPeak.event, rank.atPeak.active, rank.peak.reserved, rank.peak.allocations,
            rank.figures};
}

std::vector<LiveGroup> summaryGroups(const RankedRun &run, const RankSummary &rank)
{
    std::vector<LiveGroup> groups;
    for (const SummarySite &site : rank.atPeak.sites)
        groups.push_back({run.stack(site.site), site.bytes, site.allocations, 0});
    if (rank.atPeak.restSites > 0)
        groups.push_back({run.restStack, rank.atPeak.restBytes, rank.atPeak.restAllocations, 0});
    return groups;
}

std::vector<SettingDifference> settingDifferences(const RankSummary &a, const RankSummary &b)
{
    std::map<std::string, SettingDifference> byName;
    for (const Setting &setting : a.settings)
        byName[setting.name].a = setting.value;
    for (const Setting &setting : b.settings)
        byName[setting.name].b = setting.value;
    std::vector<SettingDifference> differences;
    for (auto &[name, values] : byName) {
        if (values.a != values.b)
            differences.push_back({name, values.a, values.b});
    }
    return differences;
}

bool lacksSites(const RankSummary &rank)
{
    return !rank.hasMemory || std::ranges::find(rank.lacks, "sites peak") != rank.lacks.end();
}

} // namespace

std::vector<AlikeRanks> alikeRanks(const RankedRun &run)
{
    std::vector<AlikeRanks> groups;
    for (SiteClass &one : withoutSmall(joinedAlike(classesBySites(run)))) {
        AlikeRanks &group = groups.emplace_back();
        group.alike = one.alike;
        group.ranks = std::move(one.ranks);
        std::ranges::sort(group.ranks);
        std::vector<Bytes> peaks;
        for (const std::size_t rank : group.ranks)
            peaks.push_back(run.ranks[rank].figures.peakActive);
        group.active = spreadOf(peaks, outlierLimit(run.ranks.size()));
        group.typical = group.ranks[group.active.typical];
    }
    AlikeRanks without; // a snapshot
    for (std::size_t at = 0; at < run.ranks.size(); ++at) {
        if (!run.ranks[at].hasMemory)
            without.ranks.push_back(at);
    }
    if (!without.ranks.empty()) {
        without.alike = without.ranks.size();
        without.typical = without.ranks.front();
        groups.push_back(std::move(without));
    }
    std::ranges::sort(groups, {}, [](const AlikeRanks &each) { return each.ranks.front(); });
    return groups;
}

std::int64_t RankLayout::place(std::int64_t rank, std::size_t axis) const
{
    for (std::size_t at = 0; at < axis; ++at)
        rank /= axes[at].size;
    return rank % axes[axis].size;
}

Result<RankLayout> rankLayout(std::string_view text)
{
    constexpr std::size_t kMostAxes = 16;
    constexpr std::int64_t kLargest = 1'000'000;
    RankLayout layout;
    std::set<std::string> names;
    while (!text.empty()) {
        const std::string_view one = text.substr(0, text.find(','));
        text.remove_prefix(std::min(one.size() + 1, text.size()));
        const std::size_t equals = std::min(one.find('='), one.size());
        const std::string_view number = one.substr(std::min(equals + 1, one.size()));
        RankLayout::Axis axis{std::string(trimmed(one.substr(0, equals))), 0};
        const auto [end, status] =
            std::from_chars(number.data(), number.data() + number.size(), axis.size);
        if (axis.name.empty() || status != std::errc() || end != number.data() + number.size() ||
            axis.size < 1 || axis.size > kLargest)
            return invalid("\"" + excerpt(one, 60) + "\" is no axis with its size, such as tp=8");
        if (!names.insert(axis.name).second)
            return invalid("the axis " + excerpt(axis.name, 60) + " is named twice");
        layout.axes.push_back(std::move(axis));
    }
    if (layout.axes.empty() || layout.axes.size() > kMostAxes)
        return invalid("a layout names its axes, the fastest first: tp=8,dp=4,pp=16");
    return layout;
}

std::vector<SpreadExplanation> explanations(const RankedRun &run, const RankLayout &layout,
                                            const std::vector<std::size_t> &groupOf)
{
    std::vector<SpreadExplanation> found;
    if (run.ranks.empty())
        return found;
    std::vector<std::size_t> with; // a snapshot
    std::vector<Bytes> peaks;
    for (std::size_t at = 0; at < run.ranks.size(); ++at) {
        if (!run.ranks[at].hasMemory)
            continue;
        with.push_back(at);
        peaks.push_back(run.ranks[at].figures.peakActive);
    }
    if (with.empty())
        return found;
    const std::vector<std::string> alone(peaks.size());
    const Bytes whole = deviationWithin(peaks, alone);
    const auto consider = [&](const std::string &name, const std::vector<std::string> &values) {
        const std::size_t count = std::set(values.begin(), values.end()).size();
        if (count < 2 || 2 * count >= values.size() || whole <= 0)
            return;
        const auto left = static_cast<double>(deviationWithin(peaks, values));
        found.push_back({name, count, std::clamp(1 - left / static_cast<double>(whole), 0.0, 1.0)});
    };
    const auto valuesOf = [&](auto value) {
        std::vector<std::string> values;
        values.reserve(with.size());
        for (const std::size_t at : with)
            values.push_back(value(run.ranks[at]));
        return values;
    };
    for (std::size_t axis = 0; axis < layout.axes.size(); ++axis)
        consider(layout.axes[axis].name, valuesOf([&](const RankSummary &rank) {
                     return std::to_string(layout.place(*rank.source.rank, axis));
                 }));
    consider("node", valuesOf([](const RankSummary &rank) { return rank.source.node; }));
    consider("device",
             valuesOf([](const RankSummary &rank) { return std::to_string(rank.device); }));
    std::vector<std::string> groups;
    groups.reserve(with.size());
    for (const std::size_t at : with)
        groups.push_back(std::to_string(groupOf[at]));
    consider("group", groups);
    // What has more values explains more by chance: a node is part of a stage, and knows no more.
    const auto hundredths = [](double share) { return std::lround(100 * share); };
    std::ranges::stable_sort(found, [&](const SpreadExplanation &a, const SpreadExplanation &b) {
        return hundredths(a.share) != hundredths(b.share)
                   ? hundredths(a.share) > hundredths(b.share)
                   : a.values < b.values;
    });
    return found;
}

std::optional<Bytes> figureOf(const RankSummary &rank, RankFigure figure)
{
    const DeviceSummary &figures = rank.figures;
    if (!rank.hasMemory)
        return std::nullopt;
    switch (figure) {
    case RankFigure::PeakActive:
        return figures.peakActive;
    case RankFigure::PeakReserved:
        return figures.isReservedKnown ? std::optional(std::max<Bytes>(figures.peakReserved, 0))
                                       : std::nullopt;
    case RankFigure::Unused:
        return figures.isReservedKnown
                   ? std::optional(std::max<Bytes>(
                         wrappingDifference(figures.peakReserved, figures.peakActive), 0))
                   : std::nullopt;
    case RankFigure::Growth:
        break;
    default:
        return std::nullopt;
    }
    // The first step makes what lasts.
    std::vector<const SummaryStep *> complete;
    for (const SummaryStep &step : rank.steps.rows) {
        if (step.complete)
            complete.push_back(&step);
    }
    if (complete.size() < 3 || rank.steps.perRow > 1)
        return std::nullopt;
    return std::max<Bytes>(wrappingDifference(complete.back()->activeEnd, complete[1]->activeBegin),
                           0);
}

std::optional<Spread> spreadOf(const RankedRun &run, RankFigure figure)
{
    std::vector<Bytes> values;
    for (const RankSummary &rank : run.ranks) {
        if (const auto value = figureOf(rank, figure))
            values.push_back(*value);
    }
    return values.empty() ? std::nullopt : std::optional(spreadOf(values));
}

double outlierLimit(std::size_t ranks)
{
    constexpr double kFalseAlarms = 0.05; // expected in all
    constexpr double kLeast = 3;
    constexpr double kMost = 12;
    double low = kLeast;
    double high = kMost;
    const auto expected = [&](double limit) {
        return static_cast<double>(ranks) * std::erfc(limit / std::sqrt(2.0));
    };
    constexpr int kHalvings = 50;
    for (int at = 0; at < kHalvings && expected(low) > kFalseAlarms; ++at) {
        const double middle = (low + high) / 2;
        (expected(middle) > kFalseAlarms ? low : high) = middle;
    }
    return low;
}

std::vector<RankOutlier> outliers(const RankedRun &run, const std::vector<AlikeRanks> &groups)
{
    const double limit = outlierLimit(run.ranks.size());
    std::vector<RankOutlier> found;
    for (const RankFigure figure : {RankFigure::PeakActive, RankFigure::PeakReserved,
                                    RankFigure::Unused, RankFigure::Growth}) {
        const std::size_t first = found.size();
        for (std::size_t group = 0; group < groups.size(); ++group) {
            std::vector<std::size_t> ranks;
            std::vector<Bytes> values;
            for (const std::size_t rank : groups[group].ranks) {
                if (const auto value = figureOf(run.ranks[rank], figure)) {
                    ranks.push_back(rank);
                    values.push_back(*value);
                }
            }
            const Spread spread = spreadOf(values, limit);
            for (const std::size_t at : spread.outliers)
                found.push_back({ranks[at], figure, values[at], spread.median, group});
        }
        std::ranges::stable_sort(
            found.begin() + static_cast<std::ptrdiff_t>(first), found.end(), std::ranges::greater(),
            [](const RankOutlier &each) { return distanceOf(each.value, each.median); });
    }
    return found;
}

std::optional<FirstFailure> firstFailure(const RankedRun &run)
{
    constexpr std::int64_t kSecond = 1'000'000; // µs
    std::optional<FirstFailure> first;
    std::size_t failed = 0;
    std::size_t untimed = 0;
    const auto timeOf = [&](std::size_t rank) -> std::optional<std::int64_t> {
        const std::vector<SummaryFailure> &failures = run.ranks[rank].failures;
        return failures.empty() ? std::nullopt : failures.front().time;
    };
    for (std::size_t at = 0; at < run.ranks.size(); ++at) {
        if (run.ranks[at].failureCount == 0)
            continue;
        ++failed;
        const auto time = timeOf(at);
        if (!time)
            ++untimed;
        const bool isFirst = !first || (time && (!first->isTimed || *time < *timeOf(first->rank)));
        if (isFirst)
            first = FirstFailure{at, time.has_value(), {}, 0, 0};
    }
    if (!first)
        return first;
    first->failed = failed;
    first->untimed = untimed;
    for (std::size_t at = 0; first->isTimed && at < run.ranks.size(); ++at) {
        const auto time = timeOf(at);
        if (at != first->rank && time && wrappingDifference(*time, *timeOf(first->rank)) <= kSecond)
            first->beside.push_back(at);
    }
    return first;
}

std::optional<RankContrast> contrast(const RankedRun &run, std::size_t typical, std::size_t rank)
{
    const RankSummary &a = run.ranks[typical];
    const RankSummary &b = run.ranks[rank];
    if (lacksSites(a) || lacksSites(b))
        return std::nullopt;
    RankContrast result{typical, rank, {summarySide(a), summarySide(b), {}, {}}};
    result.comparison.sites =
        compareSites(*run.stacks, summaryGroups(run, a), *run.stacks, summaryGroups(run, b));
    result.comparison.settings = settingDifferences(a, b);
    return result;
}

std::vector<RankOutlier> RunFindings::outliersByMemory() const
{
    std::vector<RankOutlier> found = outliers;
    std::erase_if(found, [](const RankOutlier &each) { return !isOfMemory(each.figure); });
    return found;
}

std::vector<RankOutlier> RunFindings::outliersByTime() const
{
    std::vector<RankOutlier> found = outliers;
    std::erase_if(found, [](const RankOutlier &each) { return isOfMemory(each.figure); });
    return found;
}

RunFindings findingsOf(const RankedRun &run, const RankLayout &layout)
{
    return findingsOf(run, layout, activityOf(run));
}

RunFindings findingsOf(const RankedRun &run, const RankLayout &layout, RunActivity activity)
{
    constexpr std::size_t kContrasts = 3;
    RunFindings findings;
    findings.activity = std::move(activity);
    findings.groups = alikeRanks(run);
    findings.groupOf.resize(run.ranks.size());
    for (std::size_t group = 0; group < findings.groups.size(); ++group) {
        for (const std::size_t rank : findings.groups[group].ranks)
            findings.groupOf[rank] = group;
    }
    findings.explanations = explanations(run, layout, findings.groupOf);
    findings.outliers = outliers(run, findings.groups);
    for (RankOutlier each : rankOutliers(findings.activity.comparison.times)) {
        each.rank = findings.activity.ranks[each.rank];
        findings.outliers.push_back(each);
    }
    findings.failure = firstFailure(run);
    std::vector<std::size_t> wanted;
    const auto want = [&](std::size_t rank) {
        if (wanted.size() < kContrasts && std::ranges::find(wanted, rank) == wanted.end())
            wanted.push_back(rank);
    };
    const auto wantOutliers = [&](bool failedFirst) {
        for (const RankOutlier &outlier : findings.outliers) {
            const bool isFirst = findings.failure && findings.failure->rank == outlier.rank;
            if (outlier.figure == RankFigure::PeakActive && isFirst == failedFirst)
                want(outlier.rank);
        }
    };
    wantOutliers(true);
    wantOutliers(false);
    for (const std::size_t rank : wanted) {
        const std::size_t typical = findings.groups[findings.groupOf[rank]].typical;
        if (typical == rank)
            continue;
        if (auto found = contrast(run, typical, rank))
            findings.contrasts.push_back(std::move(*found));
        else
            ++findings.contrastsWithoutSites;
    }
    return findings;
}

} // namespace vramscope
