// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"
#include "ui/export/exported_view.h"
#include "ui/offscreen/redacted.h"

#include <functional>
#include <optional>

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
    bool alone = false; ///< the chart without what is around it on its page, where there is one
};

/// What a page shows, ready to leave as it is and without names; without them it is made when it
/// is asked for first.
class PageContent
{
public:
    PageContent(const DocumentPage &page, const QString &path);

    [[nodiscard]] const ExportedContent &leaving(bool redacted) const;
    [[nodiscard]] const Redaction &redaction() const;
    /// Of the file, or of the newest of those that are compared; invalid where there is none.
    [[nodiscard]] QDateTime date() const { return m_date; }
    /// Whether the page has a chart that can leave alone: of a plan its breakdown, of a recording
    /// the view in front.
    [[nodiscard]] bool hasChart() const { return m_hasChart; }

private:
    ExportedContent m_whole;
    QDateTime m_date;
    bool m_hasChart = false;
    mutable std::optional<Redaction> m_redaction;
    mutable std::optional<ExportedContent> m_redacted;
};

using ExportedViewUser = std::function<void(const ExportedView &)>;
/// Makes ready what is to leave as it is wanted, and hands it over for as long as the call lasts.
using ExportedViewMaker = std::function<void(const ViewExport &how, const ExportedViewUser &use)>;

/// A page ready to leave. What is seen is exported where nothing else is asked for; another size,
/// other colours or taken-out names are those of a page of the same document in the same state.
/// The page outlives the exhibit. Its colours are the program's, so these must be the wanted ones
/// as long as the exhibit is used; `recolored`: they are others than the page is seen in.
[[nodiscard]] ExportedView exportedView(const DocumentPage &page, const PageContent &content,
                                        ByteUnit unit, const ViewExport &how, bool recolored);

/// Picture and table of a page for whatever pastes them: an image, a table of HTML, CSV, and text
/// with tabs. The caller takes it over.
[[nodiscard]] QMimeData *clipping(const DocumentPage &page);
/// The picture of a page with what is chosen in it as text; where nothing is, the whole clipping,
/// whose text is a plan's document. The caller takes it over.
[[nodiscard]] QMimeData *clippingOfChosen(const DocumentPage &page);

} // namespace vramscope
