// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/kernel_counters.h"

#include "core/base/bytes.h"
#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/profile/kernel_names.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>

namespace vramscope {

namespace {

using Shape = std::array<std::int64_t, 3>;
using Rows = std::vector<std::uint32_t>; // of kernels, in the order of their launch

bool isStated(const Shape &shape)
{
    return shape[0] != kNotStated;
}

/// Kernels in the order in which they were launched: by their call where one was recorded.
Rows kernelsByLaunch(const Profile &profile)
{
    const WorkColumns &work = profile.work();
    Rows rows;
    for (std::uint32_t row = 0; row < work.count(); ++row) {
        if (work.kind[row] == WorkKind::Kernel)
            rows.push_back(row);
    }
    const auto launched = [&](std::uint32_t row) {
        const std::uint32_t call = work.call[row];
        return std::pair(call == kNoRow ? work.start[row] : profile.calls().start[call],
                         work.start[row]);
    };
    std::ranges::stable_sort(rows, {}, launched);
    return rows;
}

/// Kernels of a recording by what names them, and of those by device, grid and block.
class KernelIndex
{
public:
    struct Group
    {
        Rows rows;
        bool hasShapes = false;
        std::map<std::tuple<std::int64_t, Shape, Shape>, Rows> parts{};
        std::set<std::pair<bool, bool>> made{}; ///< by device, by shape
    };

    explicit KernelIndex(const Profile &profile)
        : m_profile(profile)
    {
        const Rows rows = kernelsByLaunch(profile);
        m_count = static_cast<std::int64_t>(rows.size());
        std::unordered_map<std::uint32_t, KernelNameKey> keys;
        for (const std::uint32_t row : rows) {
            m_devices.insert(deviceOf(row));
            const StringId name = profile.work().name[row];
            const auto [key, isNew] = keys.try_emplace(static_cast<std::uint32_t>(name));
            if (isNew)
                key->second = kernelNameKey(profile.text(name));
            add(m_written[std::string(profile.text(name))], row);
            add(m_whole[key->second.whole], row);
            add(m_base[key->second.base], row);
            if (key->second.isBare())
                add(m_bare[key->second.base], row);
        }
    }

    [[nodiscard]] std::int64_t count() const { return m_count; }

    /// The kernels that a name may mean, by the closest reading of it that any has; null: none.
    [[nodiscard]] Group *named(const std::string &name)
    {
        if (Group *group = find(m_written, name))
            return group;
        const KernelNameKey key = kernelNameKey(name);
        if (Group *group = find(m_whole, key.whole))
            return group;
        return find(key.isBare() ? m_base : m_bare, key.base);
    }

    /// Those of a group that a launch may be; null: none.
    [[nodiscard]] Rows *like(Group &group, const CounterLaunch &launch)
    {
        const bool byDevice = m_devices.size() > 1 && m_devices.contains(launch.device);
        const bool byShape = group.hasShapes && isStated(launch.grid) && isStated(launch.block);
        if (group.made.emplace(byDevice, byShape).second) {
            for (const std::uint32_t row : group.rows) {
                const LaunchShape shape = byShape ? shapeOf(row) : LaunchShape();
                group.parts[{byDevice ? deviceOf(row) : kAny, shape.grid, shape.block}].push_back(
                    row);
            }
        }
        const LaunchShape none;
        const auto part =
            group.parts.find({byDevice ? launch.device : kAny, byShape ? launch.grid : none.grid,
                              byShape ? launch.block : none.block});
        return part == group.parts.end() ? nullptr : &part->second;
    }

private:
    static constexpr std::int64_t kAny = -2; // no device has this number

    using Groups = std::unordered_map<std::string, Group>;

    static Group *find(Groups &groups, const std::string &name)
    {
        const auto found = groups.find(name);
        return found == groups.end() ? nullptr : &found->second;
    }

    void add(Group &group, std::uint32_t row)
    {
        group.rows.push_back(row);
        group.hasShapes = group.hasShapes || isStated(shapeOf(row).grid);
    }

    [[nodiscard]] std::int64_t deviceOf(std::uint32_t row) const
    {
        return m_profile.lanes()[m_profile.work().lane[row]].device;
    }

    [[nodiscard]] LaunchShape shapeOf(std::uint32_t row) const
    {
        const std::uint32_t shape = m_profile.work().shape[row];
        return shape == kNoRow ? LaunchShape() : m_profile.launchShapes()[shape];
    }

    const Profile &m_profile;
    std::int64_t m_count = 0;
    std::set<std::int64_t> m_devices;
    Groups m_written;
    Groups m_whole;
    Groups m_base;
    Groups m_bare;
};

} // namespace

KernelCounters joinCounters(const Profile &profile, std::shared_ptr<const ProfilerTables> tables)
{
    KernelCounters counters;
    counters.launch.assign(profile.work().count(), kNoRow);
    KernelIndex index(profile);
    counters.kernels = index.count();
    std::unordered_map<std::string_view, KernelIndex::Group *> groups; // by name of a launch
    std::unordered_map<const Rows *, std::size_t> next;                // row to look at
    std::unordered_map<const Rows *, std::int64_t> taken;
    for (std::uint32_t at = 0; at < tables->launches.size(); ++at) {
        const CounterLaunch &launch = tables->launches[at];
        const auto [group, isNew] = groups.try_emplace(launch.name);
        if (isNew)
            group->second = index.named(launch.name);
        if (!group->second) {
            ++counters.otherName;
            continue;
        }
        const Rows *rows = index.like(*group->second, launch);
        if (!rows) {
            ++counters.otherShape;
            continue;
        }
        std::size_t &row = next[rows];
        while (row < rows->size() && counters.launch[(*rows)[row]] != kNoRow)
            ++row;
        if (row == rows->size()) {
            ++counters.tooMany;
            continue;
        }
        counters.launch[(*rows)[row]] = at;
        ++counters.joined;
        ++taken[rows];
    }
    for (const auto &[rows, count] : taken) {
        const bool isPart = std::ranges::any_of(
            *rows, [&](std::uint32_t row) { return counters.launch[row] == kNoRow; });
        counters.assumedFirst += isPart ? count : 0;
    }
    counters.tables = std::move(tables);
    return counters;
}

std::vector<std::string> joinSentences(const KernelCounters &counters)
{
    const auto all = static_cast<std::int64_t>(counters.tables->launches.size());
    if (all == 0)
        return {"The table of " + std::string(textOf(counters.tables->tool)) +
                " holds no single launches, so nothing of it is joined."};
    std::vector<std::string> sentences;
    if (counters.joined > 0)
        sentences.push_back("Nsight Compute's counters of " + formatCount(counters.joined) +
                            " of " + counted(all, "launch") + " are joined to as many of the " +
                            counted(counters.kernels, "kernel") +
                            " recorded here, by name, grid, block and order of launch.");
    else
        sentences.push_back("Nothing of Nsight Compute's " + counted(all, "launch") +
                            " is joined to the " + counted(counters.kernels, "kernel") +
                            " recorded here.");
    std::string why;
    const auto add = [&](std::int64_t count, const std::string &reason) {
        if (count > 0)
            why += (why.empty() ? "Left out: " : "; ") + counted(count, "launch") + ' ' + reason;
    };
    add(counters.otherName, "of kernels that were not recorded here");
    add(counters.otherShape, "with a grid, block or device that their kernel does not have here");
    add(counters.tooMany, "more than were recorded here");
    if (!why.empty())
        sentences.push_back(why + '.');
    if (counters.joined == 0)
        return sentences;
    if (counters.joined < counters.kernels)
        sentences.push_back(counted(counters.kernels - counters.joined, "kernel") +
                            (counters.kernels - counters.joined == 1 ? " has" : " have") +
                            " no counters: Nsight Compute profiles those that "
                            "--kernel-name, --launch-skip and --launch-count leave.");
    if (counters.assumedFirst > 0)
        sentences.push_back("The table does not say which launches were skipped: of " +
                            formatCount(counters.assumedFirst) +
                            " the first of their kind are taken.");
    constexpr std::array kAll{KernelCounter::Occupancy, KernelCounter::SmThroughput,
                              KernelCounter::DramThroughput};
    for (const KernelCounter counter : kAll) {
        const auto states = [counter](const CounterLaunch &launch) {
            return launch.values[static_cast<std::size_t>(counter)].has_value();
        };
        const char *section = counter == KernelCounter::Occupancy ? "Occupancy" : "SpeedOfLight";
        if (std::ranges::none_of(counters.tables->launches, states))
            sentences.push_back("The table has no " + std::string(textOf(counter)) +
                                "; ncu --section " + section + " collects it.");
    }
    sentences.push_back(std::string(kCounterTimes) +
                        " Means are weighted by the times recorded here.");
    return sentences;
}

void CounterMeans::add(const CounterLaunch &launch, std::int64_t duration)
{
    ++m_joined;
    const auto weight = static_cast<double>(std::max<std::int64_t>(duration, 1));
    for (std::size_t at = 0; at < kKernelCounters; ++at) {
        if (!launch.values[at])
            continue;
        m_sums[at] += *launch.values[at] * weight;
        m_weights[at] += weight;
    }
}

std::optional<double> CounterMeans::mean(KernelCounter counter) const
{
    const auto at = static_cast<std::size_t>(counter);
    return m_weights[at] > 0 ? std::optional(m_sums[at] / m_weights[at]) : std::nullopt;
}

std::vector<CountedKernel> countedKernels(const ProfilerTables &tables)
{
    std::vector<CountedKernel> kernels;
    std::unordered_map<std::string_view, std::size_t> places;
    for (const CounterLaunch &launch : tables.launches) {
        const auto [place, isNew] = places.try_emplace(launch.name, kernels.size());
        if (isNew)
            kernels.push_back({launch.name});
        CountedKernel &kernel = kernels[place->second];
        const bool hasTime = launch.duration != kNotStated;
        kernel.time = wrappingSum(kernel.time, hasTime ? launch.duration : 0);
        kernel.hasTime = kernel.hasTime || hasTime;
        kernel.means.add(launch, hasTime ? launch.duration : 0);
    }
    std::ranges::stable_sort(kernels, std::ranges::greater(), &CountedKernel::time);
    return kernels;
}

} // namespace vramscope
