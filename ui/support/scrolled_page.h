// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

#include <algorithm>

namespace vramscope {

/// The content of a QScrollArea that scrolls vertically, as wide as its viewport. Its texts are
/// laid out only for that width, though the area asks for two more.
class ScrolledPage : public QWidget
{
public:
    using QWidget::QWidget;

    /// The area sets the viewport's width, whatever width the page prefers.
    [[nodiscard]] QSize sizeHint() const override { return minimumSizeHint(); }

    /// The area also asks for the width next to a hidden scroll bar, in case the page would be low
    /// enough: narrower, it is no lower.
    [[nodiscard]] int heightForWidth(int width) const override
    {
        return QWidget::heightForWidth(std::max(width, parentWidget()->width()));
    }
};

} // namespace vramscope
