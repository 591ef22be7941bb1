// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <algorithm>

namespace vramscope {

/// What a QScrollArea scrolls up and down, as wide as its viewport. Its texts are laid out for that
/// width alone, though the area asks for two more answers.
class ScrolledPage : public QWidget
{
public:
    using QWidget::QWidget;

    /// The area gives it the width of the viewport, whatever width it would like.
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }

    /// The area also asks for the width beside a scroll bar that is not there, in case the page
    /// would be low enough: narrower, it is no lower.
    [[nodiscard]] int heightForWidth(int width) const override
    {
        return QWidget::heightForWidth(std::max(width, parentWidget()->width()));
    }
};

} // namespace vramscope
