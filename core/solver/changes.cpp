// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/changes.h"

#include "core/base/counted.h"
#include "core/base/format.h"

namespace vramscope {

std::string titleOf(const Change &change, const Settings &before, const Settings &after)
{
    std::string title(change.title);
    if (change.counted) {
        title.replace(title.find("{}"), 2, formatCount(after.*change.counted));
        if (before.*change.counted > 1)
            title += " (now " + formatCount(before.*change.counted) + ')';
    }
    if (change.share)
        title.replace(title.find("{}"), 2,
                      formatNumber(after.*change.share) + " (now " +
                          formatNumber(before.*change.share) + ')');
    if (const std::int64_t more = after.gpus - before.gpus; more > 0)
        title += ", +" + counted(more, "GPU");
    return title;
}

std::span<const Change> changesOf(const Settings &s)
{
    if (s.diffusion)
        return diffusionChanges();
    return s.workload == Workload::Training ? trainingChanges() : servingChanges();
}

} // namespace vramscope
