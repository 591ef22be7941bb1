// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/text.h"

#include "core/base/letters.h"

#include "core/print/cells.h"

namespace vramscope {

QString exactBytesText(Bytes bytes, ByteUnit unit)
{
    return toQString(formatExactBytes(bytes, unit));
}

QString choiceLetter(std::size_t index)
{
    return toQString(letterName(index));
}

QString capitalized(QString text)
{
    if (!text.isEmpty())
        text.front() = text.front().toUpper();
    return text;
}

QString unbroken(QString text)
{
    for (qsizetype at = 1; at + 1 < text.size(); ++at) {
        const QChar before = text[at - 1];
        const QChar after = text[at + 1];
        const bool joins = before == u'×' || (before.isDigit() &&
                                              (after.isLetter() || after == u'%' || after == u'×'));
        if (text[at] == u' ' && joins)
            text[at] = QChar::Nbsp;
    }
    return text;
}

} // namespace vramscope
