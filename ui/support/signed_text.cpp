// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/signed_text.h"

#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

// The sign of a number is no hyphen.
QString withSign(Bytes bytes, QString text)
{
    text.replace(u'-', u'−');
    return bytes > 0 ? u'+' + text : text;
}

} // namespace

QString signedBytesText(Bytes bytes, ByteUnit unit)
{
    return withSign(bytes, bytesText(bytes, unit));
}

QString signedExactBytesText(Bytes bytes, ByteUnit unit)
{
    return withSign(bytes, exactBytesText(bytes, unit));
}

} // namespace vramscope
