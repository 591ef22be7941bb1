// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace vramscope {

class Study;

/// Allocations of a recording that a page has unless its writer chooses: all of those of a million
/// events, in some 8 MB.
inline constexpr std::size_t kUsualLargest = 500'000;

struct RecordingDataOptions
{
    std::size_t largest = kUsualLargest; ///< allocations; the others are drawn as one band
    ByteUnit unit = ByteUnit::Binary;
    std::vector<std::string> categoryColors; ///< "#2767d3", in the order of Category
    std::vector<std::string> seriesColors;   ///< of stacks, those with most bytes first
};

/// The memory timeline of a device as the document that a page draws it from. README.md describes
/// it. Needs a history.
[[nodiscard]] std::string recordingData(const Study &study, const RecordingDataOptions &options);

} // namespace vramscope
