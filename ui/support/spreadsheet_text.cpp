// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/spreadsheet_text.h"

#include <QRegularExpression>

namespace vramscope {

using namespace Qt::StringLiterals;

QString spreadsheetText(const QString &text)
{
    static const QRegularExpression number(
        u"^[-+][0-9][0-9.,]*( ?(%|[a-zA-Zµ]{1,3}(·[a-z]+)?))?$"_s);
    const bool begins = text.size() > 1 && u"=+-@\t\r"_s.contains(text.front());
    return begins && !number.match(text).hasMatch() ? u'\'' + text : text;
}

} // namespace vramscope
