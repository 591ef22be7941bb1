// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QString>

namespace vramscope {

/// Any text as a tooltip: it wraps, and its markup is escaped.
[[nodiscard]] inline QString tipHtml(const QString &text)
{
    return QStringLiteral("<p>%1</p>")
        .arg(text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
}

} // namespace vramscope
