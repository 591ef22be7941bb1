// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"
#include "ui/window/preferences.h"

namespace vramscope {

/// Whether the desktop is dark. Call this before applyTheme(), which replaces the palette it reads.
[[nodiscard]] bool desktopIsDark();

[[nodiscard]] const Theme &themeFor(Appearance appearance, bool desktopDark);

} // namespace vramscope
