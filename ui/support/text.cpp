// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/text.h"

#include "core/base/letters.h"
#include "core/print/cells.h"

#include <QRegularExpression>
#include <QStringList>
#include <QTableView>

namespace vramscope {

using namespace Qt::StringLiterals;

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

QString shortCountText(std::int64_t count)
{
    return toQString(formatShortCount(count));
}

QString shareText(std::int64_t part, std::int64_t whole)
{
    if (whole <= 0)
        return {};
    return toQString(formatFraction(static_cast<double>(part) / static_cast<double>(whole)));
}

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

QString rowsText(const QTableView &table)
{
    QStringList lines;
    for (const QModelIndex &row : table.selectionModel()->selectedRows()) {
        QStringList cells;
        for (int column = 0; column < table.model()->columnCount(); ++column)
            cells += spreadsheetText(row.siblingAtColumn(column).data().toString());
        lines += cells.join(u'\t');
    }
    return lines.join(u'\n');
}

QString spreadsheetText(const QString &text)
{
    static const QRegularExpression number(
        u"^[-+][0-9][0-9.,]*( ?(%|[a-zA-Zµ]{1,3}(·[a-z]+)?))?$"_s);
    const bool begins = text.size() > 1 && u"=+-@\t\r"_s.contains(text.front());
    return begins && !number.match(text).hasMatch() ? u'\'' + text : text;
}

} // namespace vramscope
