// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPaintEngine>
#include <QPainter>
#include <QVariant>
#include <QWidget>

namespace vramscope {

/// The dynamic property of a window that is painted enlarged into a picture: the factor.
inline constexpr const char *kPixelRatioProperty = "pixelRatio";

/// The pixels of a picture per pixel of a widget that caches what it painted: the ratio of its
/// screen, or the factor that enlarges its window.
[[nodiscard]] inline double pixelRatio(const QWidget &widget)
{
    const QVariant enlarged = widget.window()->property(kPixelRatioProperty);
    return enlarged.isValid() ? enlarged.toDouble() : widget.devicePixelRatioF();
}

/// Enlarges a window by this factor, before it is first painted.
inline void setPixelRatio(QWidget &window, double ratio)
{
    window.setProperty(kPixelRatioProperty, ratio);
}

/// Whether a painter keeps shapes and texts as such, so that a widget should paint them again
/// rather than draw its cached picture.
[[nodiscard]] inline bool keepsVectors(const QPainter &painter)
{
    return painter.paintEngine()->type() == QPaintEngine::User;
}

} // namespace vramscope
