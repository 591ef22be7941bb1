// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPaintEngine>
#include <QPainter>
#include <QVariant>
#include <QWidget>

namespace vramscope {

/// The dynamic property of a window that is painted enlarged into a picture: by how much.
inline constexpr const char *kPixelRatioProperty = "pixelRatio";

/// How many pixels of a picture belong to one of a widget that keeps what it painted: as many as on
/// its screen, or as its window is enlarged by.
[[nodiscard]] inline double pixelRatio(const QWidget &widget)
{
    const QVariant enlarged = widget.window()->property(kPixelRatioProperty);
    return enlarged.isValid() ? enlarged.toDouble() : widget.devicePixelRatioF();
}

/// Enlarges a window by so much, before it is painted first.
inline void setPixelRatio(QWidget &window, double ratio)
{
    window.setProperty(kPixelRatioProperty, ratio);
}

/// Whether a painter keeps shapes and texts as such, so that what a widget has as a picture for the
/// screen should be painted anew.
[[nodiscard]] inline bool keepsVectors(const QPainter &painter)
{
    return painter.paintEngine()->type() == QPaintEngine::User;
}

} // namespace vramscope
