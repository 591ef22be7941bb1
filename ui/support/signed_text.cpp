// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/signed_text.h"

#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

QString withSign(Bytes bytes, const std::string &text)
{
    return bytes > 0 ? u'+' + numberText(text) : numberText(text);
}

} // namespace

QString signedBytesText(Bytes bytes, ByteUnit unit)
{
    return withSign(bytes, formatBytes(bytes, unit));
}

QString signedExactBytesText(Bytes bytes, ByteUnit unit)
{
    return withSign(bytes, formatExactBytes(bytes, unit));
}

} // namespace vramscope
