// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"

#include <span>
#include <string>

namespace vramscope {

/// One file of an archive.
struct ZipPart
{
    std::string name; ///< with its folders, "ppt/slides/slide1.xml"
    std::string bytes;
};

/// A zip archive of the parts in their order, byte for byte the same for the same parts: every file
/// is dated 1 January 1980, the first day of the format.
[[nodiscard]] Result<std::string> zipped(std::span<const ZipPart> parts);

} // namespace vramscope
