// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/text.h"

#include "core/print/cells.h"

namespace vramscope {

QString exactBytesText(Bytes bytes, ByteUnit unit)
{
    return toQString(formatExactBytes(bytes, unit));
}

QString choiceLetter(std::size_t index)
{
    constexpr std::size_t kLetters = 26;
    QString text;
    for (std::size_t rest = index + 1; rest > 0; rest = (rest - 1) / kLetters)
        text.prepend(QChar(static_cast<char16_t>(u'A' + (rest - 1) % kLetters)));
    return text;
}

} // namespace vramscope
