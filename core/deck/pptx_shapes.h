// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/deck/slide_layout.h"

#include <string>
#include <string_view>

namespace vramscope {

// The elements of a slide's XML.

/// A place on a slide, in points.
struct SlideBox
{
    double x = 0;
    double y = 0;
    double width = 0;
    double height = 0;
};

/// Outside of placeholders some programs use a typeface of their own.
constexpr std::string_view kFace = "<a:latin typeface=\"+mn-lt\"/>";

[[nodiscard]] std::string emu(double points);
[[nodiscard]] std::string transform(const SlideBox &box, std::string_view element = "a:xfrm");
/// In a colour of the theme.
[[nodiscard]] std::string fill(std::string_view color);
[[nodiscard]] std::string_view toneColor(SlideTone tone);
[[nodiscard]] std::string run(std::string_view text, double points, std::string_view color,
                              bool bold = false);
/// One paragraph per line of the text.
[[nodiscard]] std::string paragraphs(std::string_view text, double points, std::string_view color);
[[nodiscard]] std::string placeholder(int id, std::string_view name, std::string_view type,
                                      const SlideBox &box, const std::string &body);
[[nodiscard]] std::string textBox(int id, std::string_view name, const SlideBox &box,
                                  const std::string &body);
/// A table with its upper left corner at that of a box, and the bars of its column of sizes.
[[nodiscard]] std::string tableShapes(const SlideTable &table, const TableLayout &layout,
                                      const SlideBox &box);

} // namespace vramscope
