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

} // namespace vramscope
