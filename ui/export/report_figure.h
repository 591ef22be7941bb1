// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/report/html.h"
#include "ui/export/drawing.h"
#include "ui/support/theme.h"

#include <functional>
#include <string>
#include <vector>

namespace vramscope {

/// A picture of a report that can be drawn as wide as it is wanted, in either appearance. It keeps
/// what it is drawn from.
struct ReportFigure
{
    /// A drawing of `width` pixels of the page.
    using Painter = std::function<Drawing(int width, const Theme &theme)>;

    std::string id; ///< as Figure has it
    Painter paint;
};

/// Of what stays pixels, twice as many as it takes, so that it is sharp on any screen and on paper.
inline constexpr double kFineness = 2;

/// What `paint` paints, on the colour of a card instead of a window: white on paper, as tables are.
[[nodiscard]] Drawing pageDrawing(QSize size, const Theme &theme,
                                  const std::function<void(QPainter &)> &paint);

/// A widget that is shown nowhere, as it is painted at a size. Needs a QApplication.
[[nodiscard]] Drawing widgetDrawing(QWidget &widget, QSize size, const Theme &theme);

/// Whether a drawing is better kept as vectors: not, where it is of so many shapes that they take
/// more than twice the room of its pixels.
[[nodiscard]] bool staysVectors(const Drawing &drawing);

/// The figures as the page of a report takes them, in the colours that it has.
[[nodiscard]] Pictures picturesOf(const std::vector<ReportFigure> &figures, PageColors colors);

} // namespace vramscope
