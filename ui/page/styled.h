// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

class QComboBox;
class QLayout;
class QWidget;

namespace vramscope {

class ElidedLabel;

/// One line of plain text, dim, that shrinks with its place.
[[nodiscard]] ElidedLabel *elidedLabel(Qt::TextElideMode mode = Qt::ElideRight);
/// A box to choose one of several items from; `name` is for screen readers.
[[nodiscard]] QComboBox *choiceBox(const QString &name, const QStringList &items = {});

/// Gives a widget that is being made a role of the style sheet, and its background.
void setStyled(QWidget &widget, const QString &role);
/// Takes everything out of a layout and deletes its widgets.
void clear(QLayout &layout);

} // namespace vramscope
