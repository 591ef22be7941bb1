// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/page/layout.h"

#include <QScrollArea>

class QLabel;
class QPushButton;

namespace vramscope {

/// The panel at the side of a page that explains what is selected: a title with a button that
/// copies the content, then its parts. It scrolls up and down.
class SidePanel : public QScrollArea
{
    Q_OBJECT

public:
    /// The content as plain text; empty without content.
    [[nodiscard]] virtual QString text() const = 0;

protected:
    /// `name` is for screen readers.
    SidePanel(const QString &title, const QString &name, QWidget *parent);

    void setTitle(const QString &title);
    [[nodiscard]] QPushButton *copyButton() const { return m_copy; }
    /// Lays the parts out below the title, once.
    void setParts(std::initializer_list<LaidOut> parts, int spacing = 6);

private:
    QLabel *m_title;
    QPushButton *m_copy;
};

} // namespace vramscope
