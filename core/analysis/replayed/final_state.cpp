// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/analysis/replayed/final_state.h"

#include <algorithm>

namespace vramscope {

std::vector<ActiveBlock> activeBlocks(const DeviceTrace &trace)
{
    std::vector<ActiveBlock> found;
    for (const FinalSegment &segment : trace.segments) {
        for (std::uint32_t at = 0; at < segment.blockCount; ++at) {
            const FinalBlock &block = trace.blocks[segment.firstBlock + at];
            if (block.state != BlockState::Inactive)
                found.push_back({block, segment.stream, segment.pool});
        }
    }
    // Backwards and stable, so that the last of equal addresses comes first and stays.
    std::reverse(found.begin(), found.end());
    const auto address = [](const ActiveBlock &active) { return active.block.address; };
    std::ranges::stable_sort(found, {}, address);
    const auto sameAddress = [](const ActiveBlock &a, const ActiveBlock &b) {
        return a.block.address == b.block.address;
    };
    found.erase(std::unique(found.begin(), found.end(), sameAddress), found.end());
    return found;
}

} // namespace vramscope
