// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/result.h"
#include "ui/stage/stage_item.h"

#include <QByteArray>
#include <QDateTime>

#include <vector>

namespace vramscope {

/// A presentation for export: its content, one slide an item.
struct Deck
{
    QString title;                ///< in the foot of each slide
    QString source;               ///< its subject, "a.vramplan"; may be empty
    QDateTime date;               ///< of the source; may be invalid
    std::vector<StageItem> items; ///< in order; hidden items are left out
};

enum class DeckFormat { Pptx, Pdf };

/// "pptx" or "pdf"
[[nodiscard]] QString endingOf(DeckFormat format);
/// The format for the ending of a file's name; empty for any other ending.
[[nodiscard]] std::optional<DeckFormat> deckFormatOf(const QString &fileName);
/// The error message for such a name.
[[nodiscard]] QString noDeckFormat(const QString &name);

/// The deck as a file, in the current theme: a page a slide in 16:9, or a PowerPoint file with real
/// texts and tables, and charts as pictures. The same bytes for the same items. An error if all
/// items are hidden. Computes the scene of each item; needs a QApplication.
[[nodiscard]] Result<QByteArray> deckFile(const Deck &deck, DeckFormat format);

} // namespace vramscope
