// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/stage/stage_item.h"

#include <QByteArray>
#include <QDateTime>

#include <vector>

namespace vramscope {

/// A presentation that leaves the window: what it would show, one slide an item.
struct Deck
{
    QString title;                ///< in the foot of each slide
    QString source;               ///< what it is about, "a.vramplan"; may be empty
    QDateTime date;               ///< of the source; may be invalid
    std::vector<StageItem> items; ///< in their order; those that are not shown are left out
};

enum class DeckFormat { Pptx, Pdf };

/// "pptx" or "pdf"
[[nodiscard]] QString endingOf(DeckFormat format);
/// By the ending of a file's name; none where it is another.
[[nodiscard]] std::optional<DeckFormat> deckFormatOf(const QString &fileName);
/// What to say of such a name.
[[nodiscard]] QString noDeckFormat(const QString &name);

/// The deck as a file, in the theme in force: a page a slide in 16:9, or a file of PowerPoint with
/// real texts and tables, and charts as pictures. The same bytes for the same items. An error where
/// no item is shown. Works out what each item shows; needs a QApplication.
[[nodiscard]] Result<QByteArray> deckFile(const Deck &deck, DeckFormat format);

} // namespace vramscope
