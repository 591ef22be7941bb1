// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/trace/coloring.h"

#include "core/analysis/costs/category_rules.h"
#include "core/analysis/findings/peak.h"
#include "core/analysis/study/study.h"
#include "core/base/format.h"
#include "ui/support/parts.h"
#include "ui/support/text.h"
#include "ui/support/theme.h"

#include <algorithm>
#include <array>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

const std::array<QString, kColorByCount> &colorNames()
{
    static const std::array<QString, kColorByCount> names = {
        u"stack"_s, u"category"_s, u"size"_s, u"age"_s, u"stream"_s, u"pool"_s, u"metadata"_s};
    return names;
}

// The age that allocations reach, by powers of ten; those alive at the end and those from before
// the recording are separate, since their final age is unknown.
Keys keysByAge(const DeviceTrace &device, const Allocations &allocations)
{
    enum : std::uint32_t { Before, Unfreed, Shortest };
    constexpr std::uint32_t kMostPowers = 12;
    const std::vector<std::int64_t> &times = device.events.time;
    const EventIndex count = device.events.count();
    const auto position = [&](EventIndex event) {
        return times.empty()
                   ? std::int64_t(event)
                   : times[static_cast<std::size_t>(std::clamp(event, EventIndex(0), count - 1))];
    };
    const auto text = [&](std::int64_t age) {
        return times.empty() ? counted(age, "event") : formatMicroseconds(age);
    };
    Keys keys;
    keys.keys = {{"from before the recording"}, {"alive at the end"}};
    std::int64_t below = 10;
    for (std::uint32_t power = 0; power < kMostPowers; ++power, below *= 10)
        keys.keys.push_back({"freed within " + text(below)});
    keys.of.reserve(allocations.count());
    for (AllocationIndex at = 0; at < allocations.count(); ++at) {
        std::uint32_t key = Before;
        if (allocations.birth[at] >= 0 && allocations.death[at] >= count) {
            key = Unfreed;
        } else if (allocations.birth[at] >= 0) {
            const std::int64_t age =
                position(allocations.death[at]) - position(allocations.birth[at]);
            std::uint32_t power = 0;
            for (below = 10; age >= below && power + 1 < kMostPowers; below *= 10)
                ++power;
            key = Shortest + power;
        }
        keys.of.push_back(key);
    }
    return keys;
}

} // namespace

QString colorByName(ColorBy by)
{
    return colorNames()[static_cast<std::size_t>(by)];
}

std::optional<ColorBy> colorByNamed(QStringView name)
{
    const auto found = std::ranges::find(colorNames(), name);
    if (found == colorNames().end())
        return std::nullopt;
    return static_cast<ColorBy>(found - colorNames().begin());
}

Keys colorKeys(ColorBy by, const Study &study)
{
    switch (by) {
    case ColorBy::Age:
        return keysByAge(study.device(), study.allocations());
    case ColorBy::Category:
        return keysBy(study.isMade(Study::Part::Categories) ? GroupBy::Category : GroupBy::Stack,
                      study);
    case ColorBy::Size:
        return keysBy(GroupBy::SizeClass, study);
    case ColorBy::Stream:
        return keysBy(GroupBy::Stream, study);
    case ColorBy::Pool:
        return keysBy(GroupBy::Pool, study);
    case ColorBy::Metadata:
        return keysBy(GroupBy::Metadata, study);
    case ColorBy::Stack:
        break;
    }
    return keysBy(GroupBy::Stack, study);
}

ColorBy usualColorBy(const Study &study)
{
    return study.hasHistory() && areCategoriesSure(study.peak()) ? ColorBy::Category
                                                                 : ColorBy::Stack;
}

namespace {

/// A colour a group if all groups are categories; otherwise empty.
std::vector<QRgb> categoryColors(const Keys &groups)
{
    std::vector<QRgb> colors;
    for (const auto &key : groups.keys) {
        const auto category = categoryOfWord(key.text);
        if (!category)
            return {};
        colors.push_back(categoryColor(*category).rgb());
    }
    return colors;
}

} // namespace

Coloring colorGroups(Keys groups, const Allocations &allocations, EventIndex peak)
{
    std::vector<Bytes> bytes(groups.keys.size(), 0);
    for (const AllocationIndex allocation : allocations.liveAfter(peak)) {
        Bytes &sum = bytes[groups.of[allocation]];
        sum = wrappingSum(sum, allocations.size[allocation]);
    }
    std::vector<std::uint32_t> order(bytes.size());
    std::iota(order.begin(), order.end(), 0U);
    std::ranges::stable_sort(order, std::greater(),
                             [&](std::uint32_t group) { return bytes[group]; });
    std::vector<bool> used(bytes.size());
    for (const std::uint32_t group : groups.of)
        used[group] = true;
    Coloring result;
    const std::vector<QRgb> own = categoryColors(groups);
    if (own.empty())
        result.colors.colors.assign(seriesColors().begin(), seriesColors().end());
    else
        result.colors.colors = own;
    const bool isUnique = !own.empty() || order.size() <= kSeriesColorCount;
    result.names.resize(isUnique ? result.colors.colors.size() : 0);
    std::vector<std::uint8_t> colorOf(order.size());
    for (std::size_t rank = 0; rank < order.size(); ++rank) {
        const std::uint32_t group = order[rank];
        const std::size_t color = own.empty() ? rank % kSeriesColorCount : group;
        colorOf[group] = static_cast<std::uint8_t>(color);
        QString name = toQString(groups.keys[group].text);
        if (!own.empty())
            name = toQString(categoryName(*categoryOfWord(groups.keys[group].text)));
        if (isUnique)
            result.names[color] = name;
        if (rank < kSeriesColorCount && (bytes[group] != 0 || used[group]))
            result.entries.push_back({name, result.colors.colors[color], bytes[group], group});
    }
    result.unlisted =
        static_cast<std::size_t>(std::ranges::count(used, true)) - result.entries.size();
    result.colors.of.reserve(groups.of.size());
    for (const std::uint32_t group : groups.of)
        result.colors.of.push_back(colorOf[group]);
    result.groups = std::move(groups);
    return result;
}

BandColors segmentColors(const SegmentLives &segments)
{
    enum : std::uint8_t { Large, Small, Private };
    BandColors result;
    result.colors = {seriesColors()[0], seriesColors()[2], seriesColors()[7]};
    for (const SegmentLife &life : segments.all())
        result.of.push_back(life.pool != PoolId::Default ? Private : life.large ? Large : Small);
    return result;
}

} // namespace vramscope
