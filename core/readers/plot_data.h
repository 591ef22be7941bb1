// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/readers/byte_source.h"
#include "core/trace/trace_builder.h"

#include <utility>
#include <vector>

namespace vramscope {

/// A text of a page: a frame, or what the page says of the size of an allocation.
struct PlotText
{
    FrameId frame{};
    bool isDescription = false;
};

/// The columns of a page of the memory viewer of 2022 as they stand; an element is an allocation.
/// What is null in the file is -1.
struct PlotData
{
    std::vector<std::int64_t> actions;            ///< elements, in order
    std::vector<std::int64_t> initiallyAllocated; ///< elements
    std::vector<Bytes> sizes;
    std::vector<std::int64_t> infos;                             ///< rows of `suffixes`
    std::vector<std::int64_t> elementCategories;                 ///< into `categories`
    std::vector<std::pair<std::int64_t, std::int64_t>> suffixes; ///< text and next row
    std::vector<PlotText> frames;                                ///< the texts
    std::vector<StringId> categories;
};

/// Reads the object at the cursor; at most eight bytes for each number of the file.
[[nodiscard]] Result<PlotData> readPlotData(ByteWindow &input, TraceBuilder &builder,
                                            const Progress &progress);

} // namespace vramscope
