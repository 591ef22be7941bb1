// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/comparison/compare.h"

#include "core/analysis/costs/frame_rules.h"
#include "core/analysis/replayed/usage_curve.h"
#include "core/analysis/study/study.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace vramscope {

namespace {

/// A stack as numbers that refer to the same texts in both recordings.
using Key = std::u32string;

/// Gives the texts of two recordings common numbers.
class CommonTexts
{
public:
    char32_t numberOf(std::string_view text)
    {
        return static_cast<char32_t>(static_cast<std::uint32_t>(m_texts.intern(text)));
    }

private:
    StringPool m_texts;
};

/// The groups of one recording that no site has taken yet.
class Leftover
{
public:
    Leftover(const Trace &trace, std::span<const LiveGroup> groups, CommonTexts &texts)
        : m_trace(trace)
        , m_groups(groups)
        , m_texts(texts)
        , m_taken(groups.size())
    {
    }

    /// The remaining groups by the part that has to agree.
    std::unordered_map<Key, std::vector<std::size_t>> byKey(SiteMatch match)
    {
        std::unordered_map<Key, std::vector<std::size_t>> places;
        for (std::size_t at = 0; at < m_groups.size(); ++at) {
            if (m_taken[at])
                continue;
            Key key = keyOf(m_groups[at].stack, match);
            // Without a user frame nothing can agree.
            if (match == SiteMatch::Exact || !key.empty())
                places[std::move(key)].push_back(at);
        }
        return places;
    }

    /// Adds groups to a site: to the stack, bytes and count of this side.
    void take(std::span<const std::size_t> places, StackId &stack, Bytes &bytes,
              std::int64_t &count)
    {
        stack = m_groups[places.front()].stack; // the largest group comes first
        for (const std::size_t at : places) {
            bytes = wrappingSum(bytes, m_groups[at].bytes);
            count += m_groups[at].count;
            m_taken[at] = true;
        }
    }

    /// The places of the remaining groups, in order.
    [[nodiscard]] std::vector<std::size_t> rest() const
    {
        std::vector<std::size_t> places;
        for (std::size_t at = 0; at < m_taken.size(); ++at) {
            if (!m_taken[at])
                places.push_back(at);
        }
        return places;
    }

private:
    Key keyOf(StackId stack, SiteMatch match)
    {
        Key key;
        for (const FrameId id : m_trace.stack(stack)) {
            const FrameNumbers &numbers = numbersOf(id);
            if (match == SiteMatch::UserCode && !numbers.user)
                continue;
            key += numbers.name;
            key += match == SiteMatch::Exact ? numbers.path : numbers.file;
            if (match == SiteMatch::Exact)
                key += static_cast<char32_t>(static_cast<std::uint32_t>(m_trace.frame(id).line));
        }
        return key;
    }

    struct FrameNumbers
    {
        char32_t name = 0;
        char32_t path = 0;
        char32_t file = 0; ///< without folders
        bool user = false;
    };

    const FrameNumbers &numbersOf(FrameId id)
    {
        const auto [place, isNew] = m_frames.try_emplace(id);
        if (isNew) {
            const Frame &frame = m_trace.frame(id);
            const std::string_view path = m_trace.text(frame.file);
            place->second = {m_texts.numberOf(m_trace.text(frame.name)), m_texts.numberOf(path),
                             m_texts.numberOf(fileName(path)),
                             frameOrigin(m_trace, id) == FrameOrigin::User};
        }
        return place->second;
    }

    const Trace &m_trace;
    std::span<const LiveGroup> m_groups;
    CommonTexts &m_texts;
    std::vector<bool> m_taken;
    std::unordered_map<FrameId, FrameNumbers> m_frames;
};

std::uint64_t magnitude(Bytes bytes)
{
    const auto positive = static_cast<std::uint64_t>(bytes);
    return bytes < 0 ? 0 - positive : positive;
}

ComparedSide sideOf(const RecordedMoment &moment, std::vector<LiveGroup> &groups)
{
    const UsageCurve &curve = moment.study.curve();
    const Allocations &allocations = moment.study.allocations();
    const std::vector<AllocationIndex> live = allocations.liveAfter(moment.event);
    groups = groupByStack(allocations, live);
    return {moment.event, curve.active(moment.event), curve.reserved(moment.event),
            static_cast<std::int64_t>(live.size()), moment.study.summary()};
}

} // namespace

std::vector<ComparedSite> compareSites(const Trace &a, std::span<const LiveGroup> groupsA,
                                       const Trace &b, std::span<const LiveGroup> groupsB)
{
    CommonTexts texts;
    Leftover left(a, groupsA, texts);
    Leftover right(b, groupsB, texts);
    std::vector<ComparedSite> sites;
    for (const SiteMatch match : {SiteMatch::Exact, SiteMatch::Function, SiteMatch::UserCode}) {
        const auto placesA = left.byKey(match);
        const auto placesB = right.byKey(match);
        for (const auto &[key, inA] : placesA) {
            const auto inB = placesB.find(key);
            if (inB == placesB.end())
                continue;
            ComparedSite &site = sites.emplace_back();
            site.match = match;
            left.take(inA, site.stackA, site.bytesA, site.countA);
            right.take(inB->second, site.stackB, site.bytesB, site.countB);
        }
    }
    for (const std::size_t at : left.rest()) {
        ComparedSite &site = sites.emplace_back();
        left.take({&at, 1}, site.stackA, site.bytesA, site.countA);
    }
    for (const std::size_t at : right.rest()) {
        ComparedSite &site = sites.emplace_back();
        right.take({&at, 1}, site.stackB, site.bytesB, site.countB);
    }
    // Stacks are numbered in file order, so this order is always the same.
    std::ranges::sort(sites, [](const ComparedSite &x, const ComparedSite &y) {
        const auto rank = [](const ComparedSite &site) {
            return std::tuple(~magnitude(site.delta()), ~magnitude(site.bytesB), site.countA == 0,
                              site.stackA, site.stackB);
        };
        return rank(x) < rank(y);
    });
    return sites;
}

RecordedMoment peakMoment(const Study &study)
{
    return {study, study.curve().peakActiveEvent()};
}

std::vector<ComparedSite> compareSites(const RecordedMoment &a, const RecordedMoment &b,
                                       const Progress &progress)
{
    const auto groups = [](const RecordedMoment &moment, const Progress &part) {
        const Allocations &allocations = moment.study.allocations();
        return groupByStack(allocations, allocations.liveAfter(moment.event), part);
    };
    const std::vector<LiveGroup> groupsA = groups(a, partOf(progress, 0, 0.3));
    const std::vector<LiveGroup> groupsB = groups(b, partOf(progress, 0.3, 0.6));
    if (progress && !progress(0.6))
        return {};
    return compareSites(a.study.trace(), groupsA, b.study.trace(), groupsB);
}

std::vector<SettingDifference> compareSettings(const Trace &a, const Trace &b)
{
    std::map<std::string, SettingDifference, std::less<>> byName;
    for (const Setting &setting : a.settings())
        byName[setting.name].a = setting.value;
    for (const Setting &setting : b.settings())
        byName[setting.name].b = setting.value;
    std::vector<SettingDifference> differences;
    for (auto &[name, values] : byName) {
        if (values.a != values.b)
            differences.push_back({name, std::move(values.a), std::move(values.b)});
    }
    return differences;
}

Comparison compareTraces(const RecordedMoment &a, const RecordedMoment &b)
{
    std::vector<LiveGroup> groupsA;
    std::vector<LiveGroup> groupsB;
    Comparison comparison{sideOf(a, groupsA), sideOf(b, groupsB), {}, {}};
    comparison.sites = compareSites(a.study.trace(), groupsA, b.study.trace(), groupsB);
    comparison.settings = compareSettings(a.study.trace(), b.study.trace());
    return comparison;
}

namespace {

struct Sized
{
    std::int64_t size = 0;
    Bytes active = 0; ///< at the peak
    Bytes reserved = 0;
};

/// The size at which a line through two others reaches `room`, rounded down.
std::int64_t sizeAt(const Sized &small, const Sized &large, Bytes Sized::*bytes, Bytes room)
{
    constexpr long double kMost = 1e15L; // sizes and bytes come from the file
    const auto first = static_cast<long double>(small.*bytes);
    const long double each =
        (static_cast<long double>(large.*bytes) - first) /
        (static_cast<long double>(large.size) - static_cast<long double>(small.size));
    if (each <= 0)
        return large.*bytes <= room ? static_cast<std::int64_t>(kMost) : 0;
    const long double size =
        static_cast<long double>(small.size) + (static_cast<long double>(room) - first) / each;
    return static_cast<std::int64_t>(std::clamp(std::floor(size), 0.0L, kMost));
}

} // namespace

std::optional<LargestSize> largestSize(const Trace &a, const DeviceSummary &ofA, const Trace &b,
                                       const DeviceSummary &ofB)
{
    const auto first = rehearsalOf(a);
    const auto second = rehearsalOf(b);
    if (!first || !second || first->sizeName.empty() || first->sizeName != second->sizeName ||
        first->gpu != second->gpu || first->allocatorBytes != second->allocatorBytes ||
        first->rank != second->rank || first->worldSize != second->worldSize ||
        !first->ended.empty() || !second->ended.empty() || first->allocatorBytes < 0 ||
        !ofA.isReservedKnown || !ofB.isReservedKnown)
        return {};
    Sized small{first->size, ofA.peakActive, ofA.peakReserved};
    Sized large{second->size, ofB.peakActive, ofB.peakReserved};
    if (large.size < small.size)
        std::swap(small, large);
    if (small.size <= 0 || small.size == large.size || large.active <= small.active)
        return {};
    LargestSize result{first->sizeName,       first->gpu, small.size, large.size, 0,
                       first->allocatorBytes, 0,          0};
    result.each = std::max<Bytes>(1, wrappingDifference(large.active, small.active) /
                                         (large.size - small.size));
    result.most = sizeAt(small, large, &Sized::active, result.room);
    result.expected = std::min(result.most, sizeAt(small, large, &Sized::reserved, result.room));
    return result;
}

} // namespace vramscope
