// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/collectives.h"

#include "core/base/bytes.h"
#include "core/base/text.h"

#include <algorithm>
#include <array>
#include <map>
#include <tuple>
#include <unordered_map>

namespace vramscope {

namespace {

struct KindText
{
    std::string_view text;
    CollectiveKind kind;
};

/// In the order in which names are searched: "reducescatter" before "reduce" and "scatter".
constexpr std::array<KindText, 12> kCollectiveKinds{{
    {"reducescatter", CollectiveKind::ReduceScatter},
    {"allreduce", CollectiveKind::AllReduce},
    {"allgather", CollectiveKind::AllGather},
    {"alltoall", CollectiveKind::AllToAll},
    {"broadcast", CollectiveKind::Broadcast},
    {"sendrecv", CollectiveKind::SendReceive},
    {"send", CollectiveKind::Send},
    {"recv", CollectiveKind::Receive},
    {"gather", CollectiveKind::Gather},
    {"scatter", CollectiveKind::Scatter},
    {"barrier", CollectiveKind::Barrier},
    {"reduce", CollectiveKind::Reduce},
}};

struct ElementSize
{
    std::string_view dtype;
    std::int64_t bytes;
};

constexpr std::array<ElementSize, 15> kElementSizes{{
    {"Float", 4},
    {"Int", 4},
    {"Long", 8},
    {"BFloat16", 2},
    {"Half", 2},
    {"Double", 8},
    {"Byte", 1},
    {"Char", 1},
    {"Bool", 1},
    {"Short", 2},
    {"Float8_e4m3fn", 1},
    {"Float8_e5m2", 1},
    {"Float8_e4m3fnuz", 1},
    {"Float8_e5m2fnuz", 1},
    {"ComplexFloat", 8},
}};

std::optional<std::int64_t> messageBytes(CollectiveKind kind, const ProfileCollective &stated,
                                         std::string_view dtype)
{
    if (stated.bytes != kNotStated)
        return stated.bytes;
    const std::optional<std::int64_t> size = elementSize(dtype);
    if (!size || stated.sent == kNotStated || stated.got == kNotStated)
        return std::nullopt;
    std::int64_t count = std::max(stated.sent, stated.got);
    if (kind == CollectiveKind::AllGather)
        count = stated.got;
    else if (kind == CollectiveKind::AllReduce || kind == CollectiveKind::ReduceScatter ||
             kind == CollectiveKind::AllToAll)
        count = stated.sent;
    std::int64_t bytes = 0;
    if (__builtin_mul_overflow(count, *size, &bytes))
        return std::nullopt;
    return bytes;
}

std::optional<double> busFactor(CollectiveKind kind, std::optional<std::int64_t> groupSize)
{
    if (!groupSize || *groupSize == 0 || kind == CollectiveKind::Unknown ||
        kind == CollectiveKind::Barrier)
        return std::nullopt;
    const auto n = static_cast<double>(*groupSize);
    switch (kind) {
    case CollectiveKind::AllReduce:
        return 2 * (n - 1) / n;
    case CollectiveKind::AllGather:
    case CollectiveKind::ReduceScatter:
    case CollectiveKind::AllToAll:
    case CollectiveKind::Gather:
    case CollectiveKind::Scatter:
        return (n - 1) / n;
    default:
        return 1.0;
    }
}

/// Numbers the groups of ranks in order of their first call.
class GroupNames
{
public:
    explicit GroupNames(const Profile &profile)
        : m_profile(profile)
    {
    }

    std::uint32_t of(StringId stated, std::uint32_t lane)
    {
        std::string name(m_profile.text(stated));
        if (stated == StringId::Empty) {
            const auto [found, isNew] = m_lanes.try_emplace(lane, m_lanes.size());
            name = "#" + std::to_string(found->second);
        }
        const auto [found, isNew] =
            m_ids.try_emplace(std::move(name), static_cast<std::uint32_t>(m_names.size()));
        if (isNew)
            m_names.push_back(found->first);
        return found->second;
    }
    [[nodiscard]] std::vector<std::string> names() && { return std::move(m_names); }

private:
    const Profile &m_profile;
    std::unordered_map<std::uint32_t, std::size_t> m_lanes;
    std::unordered_map<std::string, std::uint32_t> m_ids;
    std::vector<std::string> m_names;
};

} // namespace

std::string_view textOf(CollectiveKind kind)
{
    const auto found = std::ranges::find(kCollectiveKinds, kind, &KindText::kind);
    return found == kCollectiveKinds.end() ? "unknown" : found->text;
}

CollectiveKind collectiveKind(std::string_view name)
{
    std::string text = lowered(name);
    std::erase_if(text, [](char c) { return c == '_' || c == ' '; });
    const auto contains = [&](std::string_view part) { return text.find(part) != text.npos; };
    if (contains("all2all"))
        return CollectiveKind::AllToAll;
    const auto found = std::ranges::find_if(
        kCollectiveKinds, [&](const KindText &each) { return contains(each.text); });
    const CollectiveKind kind =
        found == kCollectiveKinds.end() ? CollectiveKind::Unknown : found->kind;
    const bool isPlain = kind == CollectiveKind::Reduce || kind == CollectiveKind::Unknown;
    return isPlain && contains("crossdevicereduce") ? CollectiveKind::AllReduce : kind;
}

bool waitsForAll(CollectiveKind kind)
{
    return kind == CollectiveKind::AllReduce || kind == CollectiveKind::AllGather ||
           kind == CollectiveKind::ReduceScatter || kind == CollectiveKind::AllToAll ||
           kind == CollectiveKind::Barrier;
}

std::optional<std::int64_t> elementSize(std::string_view dtype)
{
    const auto found = std::ranges::find(kElementSizes, dtype, &ElementSize::dtype);
    if (found == kElementSizes.end())
        return std::nullopt;
    return found->bytes;
}

Bandwidth bandwidth(CollectiveKind kind, std::optional<std::int64_t> bytes,
                    std::optional<std::int64_t> groupSize, std::int64_t time)
{
    if (!bytes || *bytes == 0 || time == 0)
        return {};
    Bandwidth result;
    const auto size = static_cast<double>(*bytes);
    const auto duration = static_cast<double>(time);
    result.algorithm = size / duration;
    if (const std::optional<double> factor = busFactor(kind, groupSize))
        result.bus = size * *factor / duration;
    return result;
}

Collectives collectives(const Profile &profile, const WorkClasses &classes)
{
    const WorkColumns &work = profile.work();
    Collectives result;
    GroupNames groups(profile);
    std::unordered_map<StringId, CollectiveKind> kinds;
    const auto kindOf = [&](StringId name) {
        const auto found = kinds.find(name);
        if (found != kinds.end())
            return found->second;
        return kinds[name] = collectiveKind(profile.text(name));
    };
    for (std::uint32_t row = 0; row < work.count(); ++row) {
        if (classes.workClass[row] != WorkClass::Communication)
            continue;
        CollectiveCall call;
        call.work = row;
        StringId group = StringId::Empty;
        if (const std::uint32_t at = classes.collectiveOf(row); at != kNoRow) {
            const ProfileCollective &stated = profile.collectives()[at];
            group = stated.group;
            call.kind = kindOf(stated.name != StringId::Empty ? stated.name : work.name[row]);
            call.bytes = messageBytes(call.kind, stated, profile.text(stated.dtype));
            if (stated.size != kNotStated)
                call.groupSize = stated.size;
            call.dtype = stated.dtype;
            call.ranks = stated.ranks;
            call.number = stated.number;
        } else {
            call.kind = kindOf(work.name[row]);
        }
        call.group = groups.of(group, work.lane[row]);
        result.calls.push_back(call);
    }
    result.groups = std::move(groups).names();
    return result;
}

std::vector<CollectiveRow> collectiveTable(const Profile &profile, const Collectives &collectives,
                                           std::span<const std::int64_t> exposed)
{
    const WorkColumns &work = profile.work();
    std::vector<CollectiveRow> rows;
    using Stated = std::tuple<CollectiveKind, StringId, std::optional<std::int64_t>,
                              std::optional<std::int64_t>, std::uint32_t>;
    std::map<Stated, std::size_t> places; // collectives are few beside other work
    for (const CollectiveCall &call : collectives.calls) {
        const std::int64_t time = work.duration(call.work);
        const auto [found, isNew] = places.try_emplace(
            {call.kind, call.dtype, call.bytes, call.groupSize, call.group}, rows.size());
        if (isNew)
            rows.push_back({call, 0, 0, time, time, 0, {}});
        CollectiveRow &row = rows[found->second];
        ++row.count;
        row.total = wrappingSum(row.total, time);
        row.shortest = std::min(row.shortest, time);
        row.longest = std::max(row.longest, time);
        if (!exposed.empty())
            row.exposed = wrappingSum(row.exposed, exposed[call.work]);
    }
    for (CollectiveRow &row : rows) {
        std::optional<std::int64_t> all = row.first.bytes;
        std::int64_t product = 0;
        if (all)
            all = __builtin_mul_overflow(*all, row.count, &product) ? std::nullopt
                                                                    : std::optional(product);
        row.atLeast = bandwidth(row.first.kind, all, row.first.groupSize, row.total);
    }
    const auto order = [&](const CollectiveRow &row) {
        return std::tuple(-row.total, textOf(row.first.kind), row.first.bytes.value_or(0),
                          std::string_view(collectives.groups[row.first.group]));
    };
    std::ranges::stable_sort(rows, {}, order);
    return rows;
}

} // namespace vramscope
