// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/offscreen/render.h"

#include <QStringList>

namespace vramscope {

/// Opens the window with these files (none: an example plan and an example trace), waits until each
/// is read and its page painted, and closes it again. Fails with a sentence about the first tab
/// that shows no page. Touches no settings of the user and writes nothing.
[[nodiscard]] Outcome checkWindow(QStringList files);

} // namespace vramscope
