// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/validation_text.h"

#include "core/describe/validation_story.h"
#include "core/table/table.h"
#include "ui/support/text.h"

namespace vramscope {

using namespace Qt::StringLiterals;

QString factLine(const QString &name, const QString &text)
{
    return text.isEmpty() ? QString()
                          : u"<tr><td style=\"white-space:nowrap\">%1&nbsp;&nbsp;&nbsp;</td>"
                            "<td>%2</td></tr>"_s.arg(name, text.toHtmlEscaped());
}

QString absoluteErrorText(double percent)
{
    return toQString(formatErrorSize(percent));
}

QString errorText(double percent)
{
    return numberText(formatError(percent));
}

QString rowToolTip(const ComparedFigure &compared, ByteUnit unit)
{
    QString lines;
    for (const auto &[name, text] : measuredFacts(compared, unit))
        lines += factLine(toQString(name), toQString(text));
    return u"<b>%1</b><table>%2</table>"_s.arg(toQString(compared.row.id).toHtmlEscaped(), lines);
}

} // namespace vramscope
