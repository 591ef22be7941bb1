// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace vramscope {

/// The width of a text in Arial, in points: the same on every machine, with or without the font.
[[nodiscard]] double arialWidth(std::string_view text, double points, bool bold);

} // namespace vramscope
