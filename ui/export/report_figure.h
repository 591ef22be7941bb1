// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/format.h"
#include "core/page/recording_data.h"
#include "core/report/html.h"
#include "ui/export/drawing.h"
#include "ui/support/theme.h"

#include <functional>
#include <string>
#include <vector>

namespace vramscope {

/// What the figures of a report are made for.
struct FigureOptions
{
    ByteUnit unit = ByteUnit::Binary;
    /// What a page lets its reader explore: allocations, the largest, or slices of a profile, the
    /// longest. 0: nothing, the page is pictures.
    std::size_t largest = kUsualLargest;
};

/// A picture of a report that can be drawn at any width, in either appearance. It keeps the data it
/// is drawn from.
struct ReportFigure
{
    /// A drawing of `width` pixels of the page.
    using Painter = std::function<Drawing(int width, const Theme &theme)>;

    std::string id; ///< the same as in Figure
    Painter paint;
    std::function<std::string()> data = {}; ///< of Picture; empty: none
};

/// Raster parts have twice the pixels they cover, so that they are sharp on any screen and on
/// paper.
inline constexpr double kFineness = 2;

/// Records `paint`, on the colour of a card instead of a window: white on paper, like tables.
[[nodiscard]] Drawing pageDrawing(QSize size, const Theme &theme,
                                  const std::function<void(QPainter &)> &paint);

/// A hidden widget, as painted at a size. Needs a QApplication.
[[nodiscard]] Drawing widgetDrawing(QWidget &widget, QSize size, const Theme &theme);

/// Whether a drawing should stay vectors: not if its shapes take more than twice the space of its
/// pixels.
[[nodiscard]] bool staysVectors(const Drawing &drawing);

/// The figures in the form that the page of a report needs, in its colours.
[[nodiscard]] Pictures picturesOf(const std::vector<ReportFigure> &figures, PageColors colors);

} // namespace vramscope
