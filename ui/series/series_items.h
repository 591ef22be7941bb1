// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "ui/series/series_document.h"
#include "ui/stage/stage_item.h"

#include <optional>
#include <vector>

namespace vramscope {

/// A recording of curves over time, as its page shows it.
struct StagedSeries
{
    std::shared_ptr<const SeriesDocument> document;
    std::optional<std::size_t> device; ///< index into its devices; none: the use of every device
    ByteUnit unit = ByteUnit::Binary;
};

/// What can be shown of it: the peaks, the curves, and those of every device, which are not shown
/// before somebody wants them. Of a recording without memory nothing.
[[nodiscard]] std::vector<StageItem> seriesItems(StagedSeries series);

} // namespace vramscope
