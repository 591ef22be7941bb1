// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/base/counted.h"
#include "core/base/format.h"

#include <QString>

#include <string>
#include <string_view>

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

} // namespace vramscope
