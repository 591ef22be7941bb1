// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"

#include <span>
#include <string>
#include <vector>

namespace vramscope {

/// A recording of a comparison as a page draws it.
struct ComparedLine
{
    std::string figure;          ///< whose document, of kind "recording", the page draws it from
    std::string name;            ///< "A  rank0.pickle"
    std::string color;           ///< "#2767d3"
    std::vector<double> strokes; ///< lengths of strokes and gaps in pixels; none: drawn through
};

/// Recordings on one axis as the document that a page draws lines from. README.md describes it.
[[nodiscard]] std::string comparisonData(std::span<const ComparedLine> lines, ByteUnit unit);

} // namespace vramscope
