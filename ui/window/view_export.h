// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/export/exhibit.h"
#include "ui/window/document_page.h"

class QMimeData;

namespace vramscope {

/// How a page is to leave the window.
struct ViewExport
{
    ViewFormat format = ViewFormat::Png;
    double scale = 1;
    QSize size; ///< of the whole picture; empty: as shown
    bool dark = false;
    bool captioned = true;
    QString title; ///< of the caption; empty: the document's
    bool redacted = false;
};

/// A page ready to leave. What is seen is exported where nothing else is asked for; another size,
/// other colours or taken-out names are those of a page of the same document in the same state.
/// The page outlives the exhibit. Its colours are the program's, so these must be the wanted ones
/// as long as the exhibit is used.
[[nodiscard]] Exhibit exhibitOf(const DocumentPage &page, const QString &path, ByteUnit unit,
                                const ViewExport &how);

/// Picture and table of a page for whatever pastes them: an image, a table of HTML, CSV, and text
/// with tabs. The caller takes it over.
[[nodiscard]] QMimeData *clipping(const DocumentPage &page, ByteUnit unit);
/// The picture of a page with what is chosen in it as text; where nothing is, the whole clipping,
/// whose text is a plan's document. The caller takes it over.
[[nodiscard]] QMimeData *clippingOfChosen(const DocumentPage &page, ByteUnit unit);

} // namespace vramscope
