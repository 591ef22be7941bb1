// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/appearance.h"

#include "ui/support/theme.h"

#include <QApplication>
#include <QStyleHints>

namespace vramscope {

bool desktopIsDark()
{
#if QT_VERSION >= QT_VERSION_CHECK(6, 5, 0)
    if (QGuiApplication::styleHints()->colorScheme() != Qt::ColorScheme::Unknown)
        return QGuiApplication::styleHints()->colorScheme() == Qt::ColorScheme::Dark;
#endif
    return QGuiApplication::palette().color(QPalette::Window).lightness() < 128;
}

const Theme &themeFor(Appearance appearance, bool desktopDark)
{
    const bool dark =
        appearance == Appearance::Dark || (appearance == Appearance::System && desktopDark);
    return dark ? darkTheme() : lightTheme();
}

} // namespace vramscope
