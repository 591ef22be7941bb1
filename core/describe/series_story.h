// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/finding.h"
#include "core/base/format.h"
#include "core/trace/series.h"

#include <vector>

namespace vramscope {

/// What curves over time tell of these devices, of all where none is given: which was fullest, when
/// and of what size, and the allocations that failed.
[[nodiscard]] Story seriesStory(const Series &series, ByteUnit unit = ByteUnit::Binary,
                                std::vector<const SeriesDevice *> devices = {});

} // namespace vramscope
