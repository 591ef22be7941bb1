// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/export/table.h"

#include "core/table/table.h"
#include "ui/support/exact_role.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"

#include <QAbstractItemModel>
#include <QJsonArray>
#include <QJsonDocument>
#include <QRegularExpression>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// Adds the rows below `parent`.
void addRows(const QAbstractItemModel &model, const QModelIndex &parent, int depth, qsizetype most,
             Table &table)
{
    for (int row = 0; row < model.rowCount(parent); ++row) {
        if (std::ssize(table.rows) >= most)
            return;
        std::vector<Table::Cell> cells;
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex index = model.index(row, column, parent);
            const QVariant exact = index.data(kExactRole);
            cells.push_back({index.data().toString(),
                             exact.isValid() ? std::optional(exact.toLongLong()) : std::nullopt,
                             column == 0 ? depth : 0});
        }
        table.rows.push_back(std::move(cells));
        addRows(model, model.index(row, 0, parent), depth + 1, most, table);
    }
}

/// Adds spaces before cells deeper in a tree, as on the screen.
QString indented(const Table::Cell &cell, const QString &step)
{
    return step.repeated(cell.depth) + spreadsheetText(cell.text);
}

QString quoted(QString text)
{
    const bool plain = std::ranges::none_of(text, [](QChar each) {
        return each == u',' || each == u'"' || each == u'\n' || each == u'\r';
    });
    return plain && text.trimmed() == text ? text : u'"' + text.replace(u'"', u"\"\""_s) + u'"';
}

/// Whether a column contains any numbers.
bool isOfNumbers(const Table &table, qsizetype column)
{
    const auto at = static_cast<std::size_t>(column);
    return std::ranges::any_of(table.rows,
                               [at](const auto &row) { return row[at].exact.has_value(); });
}

QString markdownText(QString text)
{
    text.replace(u'&', u"&amp;"_s).replace(u'<', u"&lt;"_s).replace(u'\n', u' ');
    static const QRegularExpression marks(u"([\\\\`*_\\[\\]|])"_s);
    return text.replace(marks, u"\\\\1"_s);
}

/// A text in JSON syntax.
QByteArray jsonText(const QString &text)
{
    const QByteArray array = QJsonDocument(QJsonArray{text}).toJson(QJsonDocument::Compact);
    return array.mid(1, array.size() - 2);
}

QString leftOutText(const Table &table)
{
    return u"… and %1 more"_s.arg(table.leftOut);
}

/// Makes JSON keys distinct: a repeated header gets a number.
QStringList distinct(const QStringList &columns)
{
    QStringList keys;
    for (const QString &column : columns) {
        const QString name = column.isEmpty() ? u"column"_s : column;
        QString key = name;
        for (int next = 2; keys.contains(key); ++next)
            key = name + u' ' + QString::number(next);
        keys += key;
    }
    return keys;
}

} // namespace

Table::Cell sizeCell(Bytes bytes, ByteUnit unit)
{
    return {bytesText(bytes, unit), bytes};
}

Table tableOf(const QAbstractItemModel &model, const QString &title, qsizetype most)
{
    Table table;
    table.title = title;
    for (int column = 0; column < model.columnCount(); ++column) {
        table.columns += model.headerData(column, Qt::Horizontal).toString();
        table.units += model.headerData(column, Qt::Horizontal, kUnitRole).toString();
    }
    addRows(model, {}, 0, most, table);
    const auto topmost = std::ranges::count_if(
        table.rows, [](const auto &row) { return row.empty() || row.front().depth == 0; });
    table.leftOut = std::max<qsizetype>(model.rowCount() - topmost, 0);
    return table;
}

Table tableOf(const DataTable &described, ByteUnit unit, qsizetype most)
{
    Table table;
    table.title = toQString(described.title);
    for (const DataTable::Column &column : described.columns) {
        table.columns += toQString(column.title);
        table.units += toQString(unitOf(column.kind));
    }
    const std::size_t shown = std::min(described.rows, static_cast<std::size_t>(most));
    table.leftOut = static_cast<qsizetype>(described.rows - shown);
    for (const FactRow &row : plainRows(described, unit)) {
        if (table.rows.size() == shown)
            break;
        std::vector<Table::Cell> &cells = table.rows.emplace_back();
        for (const FactCell &cell : row.cells)
            cells.push_back({cell.text, cell.exact});
    }
    return table;
}

QByteArray csv(const Table &table)
{
    QStringList header;
    for (qsizetype column = 0; column < table.columns.size(); ++column) {
        const QString unit = table.units.value(column);
        header += quoted(spreadsheetText(table.columns[column]) +
                         (unit.isEmpty() ? QString() : u" (%1)"_s.arg(unit)));
    }
    QString out = header.join(u',') + u"\r\n"_s;
    for (const auto &row : table.rows) {
        QStringList cells;
        for (const Table::Cell &cell : row)
            cells += cell.exact ? QString::number(*cell.exact) : quoted(indented(cell, u"  "_s));
        out += cells.join(u',') + u"\r\n"_s;
    }
    return out.toUtf8();
}

QByteArray markdown(const Table &table)
{
    QString out;
    if (!table.title.isEmpty())
        out += u"**"_s + markdownText(table.title) + u"**\n\n"_s;
    QString rule;
    for (qsizetype column = 0; column < table.columns.size(); ++column) {
        out += u"| "_s + markdownText(table.columns[column]) + u' ';
        rule += isOfNumbers(table, column) ? u"|---:"_s : u"|---"_s;
    }
    out += u"|\n"_s + rule + u"|\n"_s;
    for (const auto &row : table.rows) {
        for (const Table::Cell &cell : row)
            out +=
                u"| "_s + u"&nbsp;&nbsp;"_s.repeated(cell.depth) + markdownText(cell.text) + u' ';
        out += u"|\n"_s;
    }
    if (table.leftOut > 0)
        out += u'\n' + leftOutText(table) + u'\n';
    return out.toUtf8();
}

// Written by hand: the keys of a row are in the order of the columns.
QByteArray json(const Table &table)
{
    const QStringList keys = distinct(table.columns);
    QByteArray out =
        "{\n\"title\": " + jsonText(table.title) + ",\n\"columns\": " +
        QJsonDocument(QJsonArray::fromStringList(keys)).toJson(QJsonDocument::Compact) +
        (table.leftOut > 0 ? ",\n\"rows_left_out\": " + QByteArray::number(table.leftOut)
                           : QByteArray()) +
        ",\n\"rows\": [";
    for (std::size_t row = 0; row < table.rows.size(); ++row) {
        const auto &cells = table.rows[row];
        out += row == 0 ? "\n{" : ",\n{";
        if (!cells.empty() && cells.front().depth > 0)
            out += "\"depth\": " + QByteArray::number(cells.front().depth) + ", ";
        for (std::size_t at = 0; at < cells.size(); ++at) {
            const Table::Cell &cell = cells[at];
            out += (at == 0 ? "" : ", ") + jsonText(keys[static_cast<qsizetype>(at)]) + ": " +
                   (cell.exact ? QByteArray::number(*cell.exact) : jsonText(cell.text));
        }
        out += '}';
    }
    return out + (table.rows.empty() ? "]\n}\n" : "\n]\n}\n");
}

QString plainText(const Table &table)
{
    QString out = table.columns.join(u'\t');
    for (const auto &row : table.rows) {
        QStringList cells;
        for (const Table::Cell &cell : row)
            cells += indented(cell, u"  "_s);
        out += u'\n' + cells.join(u'\t');
    }
    return out;
}

QString html(const Table &table)
{
    QString out = u"<table>\n<tr>"_s;
    for (const QString &column : table.columns)
        out += u"<th>"_s + column.toHtmlEscaped() + u"</th>"_s;
    out += u"</tr>\n"_s;
    for (const auto &row : table.rows) {
        out += u"<tr>"_s;
        for (const Table::Cell &cell : row)
            out += (cell.exact ? u"<td align=\"right\">"_s : u"<td>"_s) +
                   u"&nbsp;&nbsp;"_s.repeated(cell.depth) +
                   spreadsheetText(cell.text).toHtmlEscaped() + u"</td>"_s;
        out += u"</tr>\n"_s;
    }
    return out + u"</table>\n"_s;
}

} // namespace vramscope
