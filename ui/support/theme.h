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
/// colours, which are the same in both.
struct Theme
{
    bool dark = false;
    QColor window;  ///< behind everything
    QColor card;    ///< panels and cards
    QColor raised;  ///< tab bar, tracks, boxes of code
    QColor line;    ///< hairlines between rows
    QColor border;  ///< edges of fields and buttons
    QColor control; ///< what alone shows a control, such as its check box
    QColor text;
    QColor dim;       ///< labels and prose
    QColor hint;      ///< units, shares, hints
    QColor accent;    ///< links, focus, sliders
    QColor selection; ///< a selected row or block
    QColor good;
    QColor warn;
    QColor bad;
    QColor goodFill; ///< surfaces behind a verdict
    QColor warnFill;
    QColor badFill;

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

/// The colour of a category, the same in every view, theme, print and export. People with any sight
/// can tell any two of them apart (tst_theme measures it).
[[nodiscard]] QColor categoryColor(Category category);
/// White or ink, whichever can be read better on a colour.
[[nodiscard]] QColor textOn(const QColor &color);

/// Colours for stacks, streams and so on, by index; neighbours differ in hue and lightness.
inline constexpr std::size_t kSeriesColorCount = 12;
[[nodiscard]] const std::array<QRgb, kSeriesColorCount> &seriesColors();

/// The sizes of type, of which there is no sixth: the start page's question; the headline of a
/// page; its subject and the title of a panel; controls, tables and prose; axes, notes, column
/// heads.
enum class Type { Hero, Head, Lead, Body, Small };
/// In pixels at 96 dots per inch: 32, 24, 15, 13, 12.
[[nodiscard]] int typePixels(Type type);
/// The font of the application: Inter with tabular figures, or the nearest that is there.
[[nodiscard]] QFont typeFont(Type type = Type::Body, bool bold = false);
/// The same, as much larger as the widget's own font is than body.
[[nodiscard]] QFont typeFont(const QWidget *widget, Type type, bool bold = false);
/// The font of code and stack frames, as large as small type.
[[nodiscard]] QFont monospaceFont();

/// Style, palette, font and style sheet of the whole application.
void applyTheme(const Theme &theme);

} // namespace vramscope
