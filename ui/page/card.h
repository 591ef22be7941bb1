// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/page/layout.h"

#include <QBoxLayout>
#include <QFrame>

class QLabel;

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

} // namespace vramscope
