// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/bytes.h"
#include "core/base/counted.h"
#include "core/base/format.h"

#include <QString>

#include <cstdint>
#include <string>
#include <string_view>

class QTableView;

namespace vramscope {

[[nodiscard]] inline QString toQString(std::string_view text)
{
    return QString::fromUtf8(text.data(), static_cast<qsizetype>(text.size()));
}

/// Text from a file as a label shows it, on one line: printable().
[[nodiscard]] inline QString foreignText(std::string_view text)
{
    return toQString(printable(text));
}

/// A number of the core as text of a label: its sign is no hyphen.
[[nodiscard]] inline QString numberText(std::string_view number)
{
    return foreignText(number).replace(u'-', u'−');
}

/// formatBytes() as a QString.
[[nodiscard]] inline QString bytesText(Bytes bytes, ByteUnit unit = ByteUnit::Binary)
{
    return toQString(formatBytes(bytes, unit));
}

/// "71.3 GiB (76,557,291,520 bytes)": tooltips always show exact bytes.
[[nodiscard]] QString exactBytesText(Bytes bytes, ByteUnit unit = ByteUnit::Binary);

/// What a choice in a list is called in its chart: "A", "B", … "Z", "AA".
[[nodiscard]] QString choiceLetter(std::size_t index);

[[nodiscard]] inline QString countText(std::int64_t count)
{
    return toQString(formatCount(count));
}

/// With a capital at the beginning.
[[nodiscard]] QString capitalized(QString text);

/// A text that breaks between no number and its unit, for labels that wrap.
[[nodiscard]] QString unbroken(QString text);

/// "1 stack", "2,000 stacks"
[[nodiscard]] inline QString countedText(std::int64_t count, std::string_view one)
{
    return toQString(counted(count, one));
}

/// Any text as a tooltip: it wraps, and its markup is escaped.
[[nodiscard]] inline QString tipHtml(const QString &text)
{
    return QStringLiteral("<p>%1</p>")
        .arg(text.toHtmlEscaped().replace(u'\n', QStringLiteral("<br>")));
}

/// A count of parameters for a narrow place, with three digits: "70.6B", "355M", "512". Show the
/// exact count with it.
[[nodiscard]] QString shortCountText(std::int64_t count);

/// A part of a whole: "70.0 %", "6.5 %", "<0.1 %"; empty where the whole is nothing.
[[nodiscard]] QString shareText(std::int64_t part, std::int64_t whole);

/// A change: "+13.9 GiB", "−2.00 GiB", "0 B".
[[nodiscard]] QString signedBytesText(Bytes bytes, ByteUnit unit);
/// "−2.00 GiB (−2,147,483,648 bytes)"
[[nodiscard]] QString signedExactBytesText(Bytes bytes, ByteUnit unit);

/// The chosen rows of a table as lines, with cells separated by tabs; empty if no row is chosen.
[[nodiscard]] QString rowsText(const QTableView &table);

/// A cell for a spreadsheet: a text that it would run as a formula is prefixed with ', because
/// names in a recording are untrusted. A number with its sign and unit is not a formula.
[[nodiscard]] QString spreadsheetText(const QString &text);

} // namespace vramscope
