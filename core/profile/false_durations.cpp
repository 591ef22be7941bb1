// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/false_durations.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr int kContradictions = 2; ///< launches inside it; one may be an overlap that is meant
/// Work of a lane that is looked at at once: no stream runs more, and a hostile file costs no more.
constexpr std::size_t kMostOpen = 64;

/// Work that has not ended, as its event says.
struct OpenWork
{
    FalseDuration ifFalse; ///< with the start of the next launch, once there is one
    int inside = 0;        ///< later launches that began and ended meanwhile
    bool hasNext = false;
};

} // namespace

std::vector<FalseDuration> falseDurations(const WorkColumns &work,
                                          std::span<const std::int64_t> correlation)
{
    std::vector<FalseDuration> found;
    std::vector<std::vector<OpenWork>> lanes;
    for (std::uint32_t row = 0; row < work.start.size(); ++row) {
        if (work.lane[row] >= lanes.size())
            lanes.resize(std::size_t(work.lane[row]) + 1);
        std::vector<OpenWork> &open = lanes[work.lane[row]];
        std::erase_if(open, [&](OpenWork &each) {
            const std::uint32_t of = each.ifFalse.row;
            if (work.end[of] <= work.start[row])
                return true;
            const bool isSameLaunch =
                correlation[of] != kNotStated && correlation[of] == correlation[row];
            if (isSameLaunch || work.start[of] == work.start[row])
                return false;
            if (!each.hasNext)
                each.ifFalse.end = work.start[row];
            each.hasNext = true;
            each.inside += work.end[row] < work.end[of] ? 1 : 0;
            if (each.inside < kContradictions)
                return false;
            found.push_back(each.ifFalse);
            return true;
        });
        if (open.size() < kMostOpen)
            open.push_back({{row, 0}});
    }
    std::ranges::sort(found, {}, &FalseDuration::row);
    return found;
}

} // namespace vramscope
