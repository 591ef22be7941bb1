// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/window/preferences.h"

namespace vramscope {

struct Theme;

/// Whether the desktop is dark. To be asked before applyTheme(), which replaces the palette that
/// tells.
[[nodiscard]] bool desktopIsDark();

[[nodiscard]] const Theme &themeFor(Appearance appearance, bool desktopDark);

/// Style, palette and style sheet of the whole application.
void applyTheme(const Theme &theme);

} // namespace vramscope
