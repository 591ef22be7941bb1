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

/// How to export a page from the window.
struct ViewExport
{
    ViewFormat format = ViewFormat::Png;
    double scale = 1;
    QSize size; ///< of the whole picture; empty: as shown
    bool dark = false;
    bool captioned = true;
    QString title; ///< of the caption; empty: the document's
    bool redacted = false;
    bool alone = false; ///< only the chart, without the rest of its page, if there is one
};

/// The content of a page for export, as it is or redacted; the redacted one is made at its first
/// use.
class PageContent
{
public:
    PageContent(const DocumentPage &page, const QString &path);

    [[nodiscard]] const ExportedContent &leaving(bool redacted) const;
    [[nodiscard]] const Redaction &redaction() const;
    /// The date of the file, or of the newest of compared files; invalid without a file.
    [[nodiscard]] QDateTime date() const { return m_date; }
    /// Whether the page has a chart to export alone: the breakdown of a plan, the current view of a
    /// recording.
    [[nodiscard]] bool hasChart() const { return m_hasChart; }

private:
    ExportedContent m_whole;
    QDateTime m_date;
    bool m_hasChart = false;
    mutable std::optional<Redaction> m_redaction;
    mutable std::optional<ExportedContent> m_redacted;
};

using ExportedViewUser = std::function<void(const ExportedView &)>;
/// Prepares an export with these options, and passes it on for the duration of the call.
using ExportedViewMaker = std::function<void(const ViewExport &how, const ExportedViewUser &use)>;

/// A page ready for export. By default it exports what is visible; another size, other colours or
/// redacted names come from a page of the same document in the same state. The page outlives the
/// exhibit. Its colours are the program's, so these must be the wanted ones as long as the exhibit
/// is used; `recolored`: they differ from those the page is shown in.
[[nodiscard]] ExportedView exportedView(const DocumentPage &page, const PageContent &content,
                                        ByteUnit unit, const ViewExport &how, bool recolored);

/// Picture and table of a page for any program that pastes them: an image, a table of HTML, CSV,
/// and text with tabs. The caller takes ownership.
[[nodiscard]] QMimeData *clipping(const DocumentPage &page);
/// The picture of a page with its selection as text; without a selection, the whole clipping, whose
/// text is a plan's document. The caller takes ownership.
[[nodiscard]] QMimeData *clippingOfChosen(const DocumentPage &page);

} // namespace vramscope
