// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/profile_builder.h"

#include <optional>
#include <vector>

namespace vramscope {

/// Adds a device to `curves` for each whose memory changed, by device, with what was allocated and
/// reserved at each event and the innermost operator that ran then; and gives the peaks of each.
/// Bytes are sizes of blocks, not of requests. Where events state no totals (before PyTorch 1.9),
/// allocated is the sum of the changes from the first event on, and a problem says so. Nothing
/// where tick() said to stop.
[[nodiscard]] std::optional<std::vector<ProfileMemory>>
addMemoryCurves(SeriesBuilder &curves, std::vector<ProfileMemoryEvent> events,
                const Profile &profile, const Tick &tick);

} // namespace vramscope
