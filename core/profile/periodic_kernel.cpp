// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/periodic_kernel.h"

#include "core/base/median.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>

namespace vramscope {

namespace {

constexpr double kMostUneven = 0.15;    // coefficient of variation of the distances
constexpr double kLeastCovered = 0.6;   // of the sequence by the periods
constexpr double kLeastAlike = 0.9;     // of neighbouring periods, by what stands in them
constexpr std::size_t kLeastPeriod = 4; // kernels: a single loop of two is no step
constexpr std::size_t kMostCounts = 24;

using Places = std::vector<std::uint32_t>;

/// Whether a text recurs after much the same number of others, over most of the sequence.
bool isEven(const Places &places, std::size_t length)
{
    const auto gaps = static_cast<double>(places.size() - 1);
    const double mean = static_cast<double>(places.back() - places.front()) / gaps;
    if (mean < static_cast<double>(kLeastPeriod) ||
        mean * static_cast<double>(places.size()) < kLeastCovered * static_cast<double>(length))
        return false;
    double squares = 0;
    for (std::size_t at = 1; at < places.size(); ++at) {
        const double off = static_cast<double>(places[at] - places[at - 1]) - mean;
        squares += off * off;
    }
    return std::sqrt(squares / gaps) <= kMostUneven * mean;
}

/// The share of its texts that each period has in common with the next one, the median of all.
double likeness(const std::vector<StringId> &texts, const Places &places)
{
    std::vector<double> shares;
    for (std::size_t at = 0; at + 2 < places.size(); ++at) {
        std::unordered_map<StringId, std::int64_t> counts;
        for (std::size_t place = places[at]; place < places[at + 1]; ++place)
            ++counts[texts[place]];
        std::size_t common = 0;
        for (std::size_t place = places[at + 1]; place < places[at + 2]; ++place)
            common += static_cast<std::size_t>(counts[texts[place]]-- > 0);
        const std::size_t longest =
            std::max(places[at + 1] - places[at], places[at + 2] - places[at + 1]);
        shares.push_back(static_cast<double>(common) / static_cast<double>(longest));
    }
    if (shares.empty())
        return 0;
    std::ranges::sort(shares);
    return shares[(shares.size() - 1) / 2];
}

} // namespace

std::optional<PeriodicKernel> periodicText(const std::vector<StringId> &texts,
                                           const std::vector<std::int64_t> &pauses)
{
    std::unordered_map<StringId, Places> places;
    for (std::size_t at = 0; at < texts.size(); ++at)
        places[texts[at]].push_back(static_cast<std::uint32_t>(at));
    std::map<std::size_t, std::vector<StringId>> byCount;
    for (const auto &[text, of] : places) {
        if (of.size() > 2 && isEven(of, texts.size())) // two distances to compare
            byCount[of.size()].push_back(text);
    }
    std::size_t tried = 0;
    for (auto &[count, candidates] : byCount) {
        if (++tried > kMostCounts)
            break;
        std::ranges::sort(candidates, {}, [&](StringId text) { return places[text].front(); });
        std::optional<PeriodicKernel> best;
        std::int64_t longest = -1;
        for (const StringId text : candidates) {
            std::vector<std::int64_t> before;
            for (const std::uint32_t place : places[text])
                before.push_back(pauses[place]);
            const std::int64_t pause = lowerMedian(std::move(before));
            if (pause <= longest || likeness(texts, places[text]) < kLeastAlike)
                continue;
            longest = pause;
            best = {text, static_cast<std::int64_t>(count)};
        }
        if (best)
            return best;
    }
    return std::nullopt;
}

std::optional<PeriodicKernel> periodicKernel(const Profile &profile)
{
    const WorkColumns &work = profile.work();
    std::map<std::int64_t, std::size_t> kernels;
    const auto counts = [&](std::size_t at) {
        return work.kind[at] == WorkKind::Kernel && work.call[at] != kNoRow;
    };
    for (std::size_t at = 0; at < work.count(); ++at)
        kernels[profile.lanes()[work.lane[at]].device] += static_cast<std::size_t>(counts(at));
    const auto most =
        std::ranges::max_element(kernels, {}, &std::pair<const std::int64_t, std::size_t>::second);
    if (most == kernels.end() || most->second == 0)
        return std::nullopt;
    std::vector<StringId> texts;
    std::vector<std::int64_t> pauses;
    std::int64_t end = 0;
    for (std::size_t at = 0; at < work.count(); ++at) {
        if (!counts(at) || profile.lanes()[work.lane[at]].device != most->first)
            continue;
        pauses.push_back(texts.empty() ? 0 : std::max<std::int64_t>(work.start[at] - end, 0));
        end = texts.empty() ? work.end[at] : std::max(end, work.end[at]);
        texts.push_back(work.name[at]);
    }
    return periodicText(texts, pauses);
}

} // namespace vramscope
