// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QColor>
#include <QIcon>
#include <QPixmap>
#include <QString>

namespace vramscope {

/// The drawing of resources/icons/NAME.svg in one colour. An unknown name gives an empty icon.
[[nodiscard]] QIcon tintedIcon(const QString &name, const QColor &color);

/// The same as a picture of `size` logical pixels at a device pixel ratio.
[[nodiscard]] QPixmap tintedPixmap(const QString &name, const QColor &color, int size,
                                   qreal ratio = 1);

/// The program's own icon.
[[nodiscard]] QIcon applicationIcon();

} // namespace vramscope
