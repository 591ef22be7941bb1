// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deck/pptx.h"

#include <cmath>
#include <cstdint>
#include <string>
#include <string_view>

namespace vramscope {

// The parts of every presentation other than its slides: master, layout and theme, and the master
// of the speaker's notes. Lengths of the files are English metric units.

[[nodiscard]] inline std::int64_t emus(double points)
{
    constexpr double kEach = 12'700;
    return std::llround(points * kEach);
}

inline constexpr std::string_view kXmlHead =
    "<?xml version=\"1.0\" encoding=\"UTF-8\" standalone=\"yes\"?>\n";
inline constexpr std::string_view kNamespaces =
    "xmlns:a=\"http://schemas.openxmlformats.org/drawingml/2006/main\" "
    "xmlns:r=\"http://schemas.openxmlformats.org/officeDocument/2006/relationships\" "
    "xmlns:p=\"http://schemas.openxmlformats.org/presentationml/2006/main\"";
/// The beginning of a tree of shapes.
inline constexpr std::string_view kGroupHead =
    "<p:nvGrpSpPr><p:cNvPr id=\"1\" name=\"\"/><p:cNvGrpSpPr/><p:nvPr/></p:nvGrpSpPr><p:grpSpPr>"
    "<a:xfrm><a:off x=\"0\" y=\"0\"/><a:ext cx=\"0\" cy=\"0\"/><a:chOff x=\"0\" y=\"0\"/>"
    "<a:chExt cx=\"0\" cy=\"0\"/></a:xfrm></p:grpSpPr>";

[[nodiscard]] std::string themeXml(const DeckColors &colors);
[[nodiscard]] std::string masterXml();
[[nodiscard]] std::string layoutXml();
[[nodiscard]] std::string notesMasterXml();

} // namespace vramscope
