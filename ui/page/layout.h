// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMargins>
#include <QString>
#include <QStringList>

#include <initializer_list>

class QComboBox;
class QHBoxLayout;
class QLayout;
class QScrollArea;
class QSplitter;
class QVBoxLayout;
class QWidget;

namespace vramscope {

class ElidedLabel;

/// Empty room in a row or a column.
struct EmptyRoom
{
    int stretch = 1;
};

/// Room of a fixed size between two parts, beyond the spacing.
struct Gap
{
    int pixels = 0;
};

/// A part of a row, a column or a splitter: a widget, a layout or room, with its stretch. A null
/// widget or layout is left out.
struct LaidOut
{
    LaidOut(QWidget *part, int share = 0, Qt::Alignment place = {})
        : widget(part)
        , stretch(share)
        , alignment(place)
    {
    }
    LaidOut(QLayout *part, int share = 0)
        : layout(part)
        , stretch(share)
    {
    }
    LaidOut(EmptyRoom room)
        : stretch(room.stretch)
        , isRoom(true)
    {
    }
    LaidOut(Gap room)
        : gap(room.pixels)
    {
    }

    QWidget *widget = nullptr;
    QLayout *layout = nullptr;
    int stretch = 0;
    Qt::Alignment alignment = {};
    bool isRoom = false;
    int gap = 0;
};

/// The spacing of the style, or of the layout around.
inline constexpr int kStyleSpacing = -1;

/// Layouts of their parts, in order: `spacing` pixels between them, `margins` around all.
[[nodiscard]] QVBoxLayout *column(std::initializer_list<LaidOut> parts, int spacing = 0,
                                  const QMargins &margins = {});
[[nodiscard]] QHBoxLayout *row(std::initializer_list<LaidOut> parts, int spacing = 0,
                               const QMargins &margins = {});

/// A widget of its own for a layout. `role` is that of the style sheet, whose background it then
/// has; empty: none.
[[nodiscard]] QWidget *panel(QLayout *layout, const QString &role = {});

/// Parts that can be resized against each other and do not collapse; `sizes` is where they start.
[[nodiscard]] QSplitter *splitter(Qt::Orientation orientation, std::initializer_list<LaidOut> parts,
                                  std::initializer_list<int> sizes = {});

/// An area that scrolls its content up and down, without a frame. `name` is for screen readers.
[[nodiscard]] QScrollArea *scrolled(QWidget *content, const QString &name);

/// Gives a widget a role of the style sheet, which it shows from now on.
void setRole(QWidget &widget, const QString &role);

/// The width of a page that is read from its top to its bottom.
inline constexpr int kPageTextWidth = 800;

/// What is all of a page, in the middle: at most `width` wide, with a third of the room above it.
[[nodiscard]] QVBoxLayout *centred(QWidget *content, int width = kPageTextWidth);

/// One line of plain text, dim, that shrinks with its place.
[[nodiscard]] ElidedLabel *elidedLabel(Qt::TextElideMode mode = Qt::ElideRight);
/// A box to choose one of several items from; `name` is for screen readers.
[[nodiscard]] QComboBox *choiceBox(const QString &name, const QStringList &items = {});

/// Gives a widget that is being made a role of the style sheet, and its background.
void setStyled(QWidget &widget, const QString &role);
/// Takes everything out of a layout and deletes its widgets.
void clear(QLayout &layout);

} // namespace vramscope
