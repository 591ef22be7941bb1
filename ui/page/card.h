// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/page/layout.h"

#include <QBoxLayout>
#include <QFrame>
#include <QScrollArea>

class QLabel;
class QPushButton;

namespace vramscope {

/// A card of a page that scrolls: a title over its parts, as wide as its column.
class Card : public QFrame
{
    Q_OBJECT

public:
    explicit Card(const QString &title, std::initializer_list<LaidOut> parts = {});

    void setTitle(const QString &title);

private:
    QLabel *m_title;
};

/// Two columns of cards next to each other; on a narrow page, one below the other.
class CardColumns : public QBoxLayout
{
    Q_OBJECT

public:
    CardColumns(std::initializer_list<LaidOut> left, std::initializer_list<LaidOut> right);

    /// `width` is that of the page.
    void fitTo(int width);
};

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
