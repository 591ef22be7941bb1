// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/support/theme.h"
#include "ui/support/wrapped_label.h"

#include <QLabel>
#include <QToolButton>

#include <vector>

namespace vramscope {

// Small pieces that the parts of the plan page share. Colours and borders come from the
// application's style sheet by the dynamic properties "role" and "state".

/// The height of every input, in pixels.
inline constexpr int kBoxHeight = 28;

/// Whether an input stands for itself, for a default, or for something objected to.
enum class BoxState { Normal, Warning, Error };

/// Gives an input the look of a state; of a default, its text is greyed.
void setBoxLook(QWidget *box, BoxState state, bool isDefault);

/// A small heading in capitals, as above the groups of the side panels.
[[nodiscard]] QLabel *headingLabel(const QString &text);
/// A label in the secondary colour, wrapping.
[[nodiscard]] WrappedLabel *dimLabel(const QString &text = {});
/// Opens a dialog with a heading and parts below it, of which the last takes the room.
void showDetails(QWidget *parent, const QString &title, const QString &heading,
                 const std::vector<QWidget *> &parts, QSize size);
/// A button that looks like a word.
[[nodiscard]] QToolButton *quietButton(const QString &text);

} // namespace vramscope
