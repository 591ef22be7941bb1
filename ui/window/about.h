// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QWidget;

namespace vramscope {

/// "0.1.0"
[[nodiscard]] QString programVersion();

/// Version, licence and the libraries used, in a dialog.
void showAbout(QWidget *window);

} // namespace vramscope
