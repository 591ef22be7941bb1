// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/ranks/run_study.h"
#include "ui/profile/breakdown_bar.h"

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

namespace vramscope {

/// Where the time of each rank went, a bar each; of profiler traces that are read whole one for
/// each device. Of more ranks than `most` the late one and outliers come before others. `kept`,
/// by rank, leaves out others; empty: none.
[[nodiscard]] std::vector<BarTimes>
rankBars(const RunStudy &study, std::size_t most = std::numeric_limits<std::size_t>::max(),
         std::span<const std::uint8_t> kept = {});

} // namespace vramscope
