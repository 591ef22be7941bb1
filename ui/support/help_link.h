// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

class QPushButton;
class QWidget;

namespace vramscope {

/// A button that looks like a link and opens a page of the help, by name. It sends a
/// QWhatsThisClickedEvent up through its parents to the window.
[[nodiscard]] QPushButton *helpLink(const QString &page);
/// Asks for the page as the link does, in a widget's name.
void askForHelp(QWidget *widget, const QString &page);

} // namespace vramscope
