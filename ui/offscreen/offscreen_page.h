// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/document/document_page.h"

#include <QSize>
#include <QWidget>

#include <memory>

namespace vramscope {

/// The page of a document laid out on no screen, in the size and in the theme in force, to be
/// painted for a file. Set it up through page(), then finish() it, before it is painted.
class OffscreenPage
{
public:
    /// `pixelRatio`: pixels to each length in parts that views paint pixel by pixel.
    OffscreenPage(const Document &document, const QString &title, const QString &path, QSize size,
                  double pixelRatio);

    [[nodiscard]] DocumentPage &page() const { return *m_page; }
    /// Computes what the page would show a moment later.
    void finish();
    void paint(QPainter &painter) const;

private:
    QWidget m_holder; // outlives its child's owner
    std::unique_ptr<DocumentPage> m_page;
};

} // namespace vramscope
