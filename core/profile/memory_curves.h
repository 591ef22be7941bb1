// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile.h"
#include "core/profile/profile_builder.h"

#include <optional>
#include <vector>

namespace vramscope {

/// The innermost operator that runs at moments of threads, asked in order of thread and time: one
/// pass over the operators in all.
class OperatorWalk
{
public:
    explicit OperatorWalk(const OperatorColumns &operators)
        : m_operators(operators)
    {
    }

    /// The row of the operator; kNoRow where none runs. An operator runs from its start on and no
    /// more at its end.
    [[nodiscard]] std::uint32_t innermost(std::uint32_t thread, std::int64_t time);

private:
    const OperatorColumns &m_operators;
    std::uint32_t m_next = 0;
    std::uint32_t m_open = kNoRow; // the innermost; its parents are open too
};

/// Adds a device to `curves` for each whose memory changed, by device, with what was allocated and
/// reserved at each event and the innermost operator that ran then; and gives the peaks of each.
/// Bytes are sizes of blocks, not of requests. Where events state no totals (before PyTorch 1.9),
/// allocated is the sum of the changes from the first event on, and a problem says so. Nothing
/// where tick() said to stop.
[[nodiscard]] std::optional<std::vector<ProfileMemory>>
addMemoryCurves(SeriesBuilder &curves, std::vector<ProfileMemoryEvent> events,
                const Profile &profile, const Tick &tick);

} // namespace vramscope
