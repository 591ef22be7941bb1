// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

QString exactBytesText(Bytes bytes, ByteUnit unit)
{
    if (bytes > -1000 && bytes < 1000)
        return bytes == 1 ? u"1 byte"_s : u"%1 bytes"_s.arg(bytes);
    return u"%1 (%2 bytes)"_s.arg(bytesText(bytes, unit), countText(bytes));
}

} // namespace vramscope
