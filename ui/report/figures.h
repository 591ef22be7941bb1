// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/document/html.h"
#include "ui/support/theme.h"

#include <QImage>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace vramscope {

/// A picture of a report that can be painted as wide as it is wanted, in either appearance. It
/// keeps what it is painted from.
struct ReportFigure
{
    /// An image of `width` pixels of the page, twice as fine.
    using Painter = std::function<QImage(int width, const Theme &theme)>;

    std::string id; ///< as Figure has it
    Painter paint;
};

/// Twice as many pixels as it takes, so that a picture is sharp on any screen and on paper.
inline constexpr int kFineness = 2;

/// An image for `paint`, filled with the background.
[[nodiscard]] QImage pageImage(QSize size, const Theme &theme);

/// A widget that is shown nowhere, as it is painted at a size. Needs a QApplication.
[[nodiscard]] QImage widgetImage(QWidget &widget, QSize size, const Theme &theme);

/// The figures as the page of a report takes them, in the colours that it has.
[[nodiscard]] Pictures picturesOf(const std::vector<ReportFigure> &figures, PageColors colors);

} // namespace vramscope
