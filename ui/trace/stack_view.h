// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/trace/trace.h"

#include <QTextBrowser>

#include <memory>

namespace vramscope {

/// A stack as text that can be selected and copied, innermost frame first: the program's own frames
/// strong (a library's if it has none of its own), the rest dimmed, runs of the framework's frames
/// folded into one line unless all are requested. Long names are elided in the middle, and complete
/// in the tooltip. As tall as its text. The place of a frame is a link.
class StackView : public QTextBrowser
{
    Q_OBJECT

public:
    explicit StackView(std::shared_ptr<const Trace> trace, QWidget *parent = nullptr);

    void setStack(StackId stack);
    void setEveryFrame(bool every);

Q_SIGNALS:
    /// A frame's link was followed.
    void placeWanted(const QString &file, int line);

protected:
    void resizeEvent(QResizeEvent *event) override;
    void changeEvent(QEvent *event) override;

private:
    void refresh();
    void fitHeight();
    void addFrame(QTextCursor &cursor, FrameId frame, bool own) const;
    void addFolded(QTextCursor &cursor, int count) const;

    std::shared_ptr<const Trace> m_trace;
    StackId m_stack = StackId::None;
    bool m_every = false;
    int m_width = -1; // the text is made for
};

} // namespace vramscope
