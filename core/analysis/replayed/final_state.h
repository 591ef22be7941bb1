// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <vector>

namespace vramscope {

/// A block in use at the end of the recording, with its segment.
struct ActiveBlock
{
    FinalBlock block;
    StreamId stream{};
    PoolId pool = PoolId::Default;
};

/// The blocks of the final state that are not inactive, by address; if a file lists an address
/// twice, the last counts.
[[nodiscard]] std::vector<ActiveBlock> activeBlocks(const DeviceTrace &trace);

} // namespace vramscope
