// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QVBoxLayout;
class QWidget;

namespace vramscope {

/// The width of a page that is read from its top to its bottom.
inline constexpr int kPageTextWidth = 800;

/// What is all of a page, in the middle: at most `width` wide, with a third of the room above it.
[[nodiscard]] QVBoxLayout *centred(QWidget *content, int width = kPageTextWidth);

} // namespace vramscope
