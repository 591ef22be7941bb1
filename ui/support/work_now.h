// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

class QWidget;

namespace vramscope {

/// A view that computes its content after it is shown.
class LateView
{
public:
    /// Works it out at once: for pictures without an event loop.
    virtual void workNow() = 0;

protected:
    ~LateView() = default;
};

/// Computes now what a page, or a part of it, would show a moment later: lists and trees of the
/// visible views.
void workNow(QWidget &page);

} // namespace vramscope
