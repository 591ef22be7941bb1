// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenuBar>

class QMainWindow;

namespace vramscope {

/// A menu bar that takes no room but while the keyboard is in it: Alt brings it, and Alt with a
/// letter opens one of its menus. A button elsewhere has the same menus. Where the desktop shows
/// the menus itself it stays with that.
class FoldingMenuBar : public QMenuBar
{
    Q_OBJECT

public:
    using QMenuBar::QMenuBar;

    [[nodiscard]] int heightForWidth(int width) const override;
    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;

protected:
    void actionEvent(QActionEvent *event) override;
    void focusInEvent(QFocusEvent *event) override;
    void focusOutEvent(QFocusEvent *event) override;
    void leaveEvent(QEvent *event) override;

private:
    void fold();

    bool m_isOpen = false;
};

/// Gives the window one.
[[nodiscard]] FoldingMenuBar *foldingMenuBar(QMainWindow &window);

} // namespace vramscope
