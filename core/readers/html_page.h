// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/progress.h"
#include "core/readers/byte_source.h"

namespace vramscope {

/// The content of a page of PyTorch's memory viewer.
enum class Embedded {
    Base64File,     ///< since June 2023: a whole snapshot
    AllocationPlot, ///< before: the data of a plot as JSON
};

/// Finds the data in an HTML page, wherever its scripts have it, and leaves the cursor at the first
/// character of the base64 or of the JSON. For a page without data an Error says what it is.
[[nodiscard]] Result<Embedded> findEmbedded(ByteWindow &page, const Progress &progress);

} // namespace vramscope
