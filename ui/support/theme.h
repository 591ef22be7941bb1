// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/estimate/estimate.h"

#include <QColor>
#include <QFont>
#include <QPalette>
#include <QString>

#include <array>

class QWidget;

namespace vramscope {

/// The colours of one appearance, light or dark. Surfaces are calm; data has the only strong
/// colours. The categorical colours are the same in both (Paul Tol's bright scheme, which
/// colour-blind people can distinguish).
struct Theme
{
    bool dark = false;
    QColor window; ///< behind everything
    QColor card;   ///< raised surfaces, side panels
    QColor line;   ///< hairlines and tracks
    QColor text;
    QColor dim;    ///< secondary text
    QColor accent; ///< the one accent: focus, selection, sliders
    QColor good;
    QColor warn;
    QColor bad;

    /// Accent mixed into the card colour: a selected row or button.
    [[nodiscard]] QColor selection() const;
    /// Between line and dim: scroll bars, borders under the mouse.
    [[nodiscard]] QColor track() const;
    /// Text of disabled items.
    [[nodiscard]] QColor faint() const;
    /// Text on the accent.
    [[nodiscard]] QColor onAccent() const;
};

[[nodiscard]] const Theme &lightTheme();
[[nodiscard]] const Theme &darkTheme();
/// The theme that a widget's palette belongs to.
[[nodiscard]] const Theme &themeOf(const QWidget *widget);

[[nodiscard]] QPalette themePalette(const Theme &theme);
/// Style sheet of the whole application: only what a palette cannot express (borders, spacing,
/// hover). Widgets name their part with the dynamic property "role": labels "title", "heading",
/// "section", "dim", "bad"; frames "card", "notice", "dropzone"; buttons "primary", "row".
[[nodiscard]] QString themeStyleSheet(const Theme &theme);

/// The colour of a category, the same in every view, print and export.
[[nodiscard]] QColor categoryColor(Category category);

/// Colours for stacks, streams and so on, by index; neighbours differ in hue and lightness.
inline constexpr std::size_t kSeriesColorCount = 12;
[[nodiscard]] const std::array<QRgb, kSeriesColorCount> &seriesColors();

/// The font of code and stack frames, at the size of the application's font.
[[nodiscard]] QFont monospaceFont();

/// Style, palette and style sheet of the whole application.
void applyTheme(const Theme &theme);

} // namespace vramscope
