// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/kernel_table.h"

#include "core/base/bytes.h"
#include "core/profile/pair_ids.h"

#include <algorithm>

namespace vramscope {

KernelTable kernelTable(const Profile &profile, const WorkClasses &classes, WorkRows rows,
                        std::span<const std::int64_t> exposed, const KernelCounters *counters)
{
    const WorkColumns &work = profile.work();
    KernelTable table;
    PairIds ids;
    std::vector<std::uint32_t> place(classes.groups.size(), kNoRow); // of a group
    for (const std::uint32_t row : rows) {
        std::uint32_t &at = place[classes.group[row]];
        const WorkGroup &group = classes.groupOf(row);
        if (at == kNoRow)
            at = ids.id(static_cast<std::uint32_t>(group.name),
                        static_cast<std::uint32_t>(group.workClass));
        const std::int64_t time = work.duration(row);
        if (at == table.rows.size())
            table.rows.push_back(
                {group.name, group.workClass, group.family, group.rule, 0, 0, time, time});
        KernelRow &kernel = table.rows[at];
        ++kernel.count;
        kernel.total = wrappingSum(kernel.total, time);
        kernel.shortest = std::min(kernel.shortest, time);
        kernel.longest = std::max(kernel.longest, time);
        if (!exposed.empty())
            kernel.exposed = wrappingSum(kernel.exposed, exposed[row]);
        if (work.bytes[row] != kNotStated)
            kernel.bytes = wrappingSum(kernel.bytes, work.bytes[row]);
        if (counters && counters->launch[row] != kNoRow)
            kernel.counters.add(counters->tables->launches[counters->launch[row]], time);
        if (work.shape[row] == kNoRow)
            continue;
        const std::int64_t occupancy = profile.launchShapes()[work.shape[row]].occupancy;
        if (occupancy != kNotStated) {
            kernel.occupancySum = wrappingSum(kernel.occupancySum, occupancy);
            ++kernel.occupancyCount;
        }
    }
    for (const KernelRow &each : table.rows)
        table.total = wrappingSum(table.total, each.total);
    std::ranges::stable_sort(table.rows, [&](const KernelRow &a, const KernelRow &b) {
        return a.total != b.total ? a.total > b.total : profile.text(a.name) < profile.text(b.name);
    });
    return table;
}

} // namespace vramscope
