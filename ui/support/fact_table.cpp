// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/support/fact_table.h"

#include "core/table/table.h"
#include "ui/support/exact_role.h"
#include "ui/support/row_delegate.h"
#include "ui/support/text.h"

#include <QApplication>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QWheelEvent>

#include <algorithm>
#include <numeric>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kCellPadding = 2 * 6 + 6; // of the style sheet, and that of every item
constexpr int kBetweenRows = 8;

/// The bytes of a cell whose text rounds them.
std::optional<qint64> exactBytes(const DataTable::Column &column, const DataTable::Cell &cell)
{
    if (unitOf(column.kind) != "bytes" || !cell.text.empty() || !cell.isKnown)
        return std::nullopt;
    if (const auto *whole = std::get_if<std::int64_t>(&cell.value))
        return *whole;
    const auto *fraction = std::get_if<double>(&cell.value);
    return fraction ? std::optional<qint64>(qRound64(*fraction)) : std::nullopt;
}

FactCell plainCell(const DataTable::Column &column, const DataTable::Cell &cell, ByteUnit unit)
{
    const std::string text = cellText(column, cell, unit);
    const bool isWords = column.isText() || column.kind == DataTable::Kind::Figure;
    return {isWords ? foreignText(text) : numberText(text),
            cell.tip.empty() ? numberText(exactText(column, cell, unit)) : foreignText(cell.tip),
            exactBytes(column, cell)};
}

} // namespace

std::vector<FactRow> plainRows(const DataTable &table, ByteUnit unit)
{
    std::vector<FactRow> rows(table.rows);
    for (std::size_t at = 0; at < table.rows; ++at) {
        for (const DataTable::Column &column : table.columns)
            if (column.isShown)
                rows[at].cells.push_back(plainCell(column, column.cell(at), unit));
        rows[at].strong = table.isStrong && table.isStrong(at);
    }
    return rows;
}

std::vector<FactRow> factRows(const DataTable &table, ByteUnit unit, const QString &button)
{
    std::vector<FactRow> rows = plainRows(table, unit);
    std::vector<bool> isText;
    for (const DataTable::Column &column : table.columns)
        if (column.isShown)
            isText.push_back(column.isText());
    for (std::size_t at = 0; at < rows.size(); ++at) {
        for (std::size_t column = 0; column < isText.size(); ++column) {
            FactCell &cell = rows[at].cells[column];
            if (isText[column])
                cell.text = capitalized(std::move(cell.text));
            cell.tip = capitalized(std::move(cell.tip));
        }
        if (table.target && table.target(at).kind >= 0)
            rows[at].button = button;
    }
    return rows;
}

FactTable::FactTable(const QString &name, QWidget *parent)
    : QTableWidget(parent)
{
    setAccessibleName(name);
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setUpRowTable(*this);
    setWordWrap(true);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Fixed);
    QHeaderView *header = horizontalHeader();
    header->setStretchLastSection(false);
    header->setSectionsClickable(false);
    header->setMinimumSectionSize(0);
    header->setSectionResizeMode(QHeaderView::Fixed);
}

void FactTable::setTable(const DataTable &table, ByteUnit unit, const QString &button)
{
    QStringList titles;
    QStringList tips;
    m_words.clear();
    for (const DataTable::Column &column : table.columns) {
        if (!column.isShown)
            continue;
        if (column.isText())
            m_words.push_back(static_cast<int>(titles.size()));
        titles << toQString(column.title);
        tips << toQString(column.tip);
    }
    setColumnCount(static_cast<int>(titles.size()) + 1);
    setHorizontalHeaderLabels(titles + QStringList{QString()});
    const Qt::Alignment wrapped = Qt::AlignLeft | Qt::Alignment::fromInt(Qt::TextWordWrap);
    for (int column = 0; column < columnCount(); ++column) {
        const bool word = std::ranges::find(m_words, column) != m_words.end();
        QTableWidgetItem *head = horizontalHeaderItem(column);
        head->setTextAlignment((word ? wrapped : Qt::AlignRight) | Qt::AlignVCenter);
        head->setToolTip(tips.value(column));
    }
    setRows(factRows(table, unit, button));
}

void FactTable::setRows(std::vector<FactRow> rows)
{
    if (rows == m_rows)
        return;
    m_rows = std::move(rows);
    const int current = currentRow();
    if (QWidget *focus = QApplication::focusWidget(); focus && isAncestorOf(focus))
        setFocus(); // the button that has it goes
    setRowCount(0); // with its buttons
    setRowCount(static_cast<int>(m_rows.size()));
    for (int row = 0; row < rowCount(); ++row) {
        const FactRow &fact = m_rows[static_cast<std::size_t>(row)];
        for (int column = 0; column < static_cast<int>(fact.cells.size()); ++column) {
            const FactCell &cell = fact.cells[static_cast<std::size_t>(column)];
            const bool word = std::ranges::find(m_words, column) != m_words.end();
            auto *item = new QTableWidgetItem(cell.text);
            item->setToolTip(cell.tip);
            if (cell.exact) {
                item->setData(kExactRole, *cell.exact);
                horizontalHeaderItem(column)->setData(kUnitRole, u"bytes"_s);
            }
            item->setTextAlignment((word ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            QFont ofItem = font();
            ofItem.setBold(fact.strong);
            item->setFont(ofItem);
            setItem(row, column, item);
        }
        if (!fact.button.isEmpty())
            addButton(row);
    }
    if (current >= 0 && current < rowCount())
        setCurrentCell(current, 0, QItemSelectionModel::NoUpdate);
    fitColumns();
}

void FactTable::addButton(int row)
{
    const FactRow &fact = m_rows[static_cast<std::size_t>(row)];
    auto *button = new QPushButton(fact.button);
    button->setProperty("role", u"link"_s);
    button->setAccessibleName(u"%1: %2"_s.arg(fact.button, fact.cells.front().text));
    button->setEnabled(m_enabled);
    button->setToolTip(m_why);
    connect(button, &QPushButton::clicked, this, [this, row] { Q_EMIT buttonPressed(row); });
    setCellWidget(row, columnCount() - 1, button);
}

void FactTable::setButtonsEnabled(bool enabled, const QString &why)
{
    m_enabled = enabled;
    m_why = why;
    for (int row = 0; row < rowCount(); ++row) {
        if (QWidget *button = cellWidget(row, columnCount() - 1)) {
            button->setEnabled(enabled);
            button->setToolTip(why);
        }
    }
}

// Figures and buttons get the width they need, words share the rest by their length, and nothing is
// cut.
void FactTable::fitColumns()
{
    int left = viewport()->width();
    for (int column = 0; column < columnCount(); ++column) {
        if (std::ranges::find(m_words, column) != m_words.end())
            continue;
        QFont bold = font();
        bold.setBold(true);
        const QFontMetrics metrics(bold);
        const QString title = horizontalHeaderItem(column)->text();
        int width = title.isEmpty() ? 0 : fontMetrics().horizontalAdvance(title);
        for (int row = 0; row < rowCount(); ++row) {
            if (const QTableWidgetItem *one = item(row, column))
                width = std::max(width, metrics.horizontalAdvance(one->text()));
            if (const QWidget *button = cellWidget(row, column))
                width = std::max(width, button->sizeHint().width());
        }
        width += width > 0 ? kCellPadding + 4 : 0;
        setColumnWidth(column, width);
        left -= width;
    }
    std::vector<int> least;
    std::vector<int> more;
    for (const int column : m_words) {
        const auto [word, whole] = wordsOf(column);
        least.push_back(word + kCellPadding + 4);
        more.push_back(std::max(whole - word, 1));
        left -= least.back();
    }
    const int all = std::accumulate(more.begin(), more.end(), 0);
    for (std::size_t at = 0; at < m_words.size(); ++at)
        setColumnWidth(m_words[at], least[at] + std::max(left, 0) * more[at] / all);
    fitHeight();
}

std::pair<int, int> FactTable::wordsOf(int column) const
{
    int word = 0;
    int whole = 0;
    for (int row = -1; row < rowCount(); ++row) {
        const QTableWidgetItem *one = row < 0 ? horizontalHeaderItem(column) : item(row, column);
        if (!one)
            continue;
        const QFontMetrics metrics(row < 0 ? font() : one->font());
        if (row >= 0) // a long head breaks rather than take the room of the rows
            whole = std::max(whole, metrics.horizontalAdvance(one->text()));
        for (const QString &each : one->text().split(u' '))
            word = std::max(word, metrics.horizontalAdvance(each));
    }
    return {word, std::max(word, whole)};
}

// What the words take when they are wrapped; the table's own guess forgets the style's padding.
void FactTable::fitHeight()
{
    const auto heightOf = [this](const QString &text, const QFont &font, int column) {
        const QRect room(0, 0, columnWidth(column) - kCellPadding, 10'000);
        return QFontMetrics(font).boundingRect(room, Qt::TextWordWrap, text).height();
    };
    const int line = fontMetrics().height();
    int lines = line; // of the head
    for (const int column : m_words)
        lines = std::max(lines, heightOf(horizontalHeaderItem(column)->text(), font(), column));
    const int head = horizontalHeader()->sizeHint().height() + lines - line;
    horizontalHeader()->setFixedHeight(head);
    int height = head + 2 * frameWidth() + 2;
    for (int row = 0; row < rowCount(); ++row) {
        int most = fontMetrics().height();
        for (const int column : m_words) {
            if (const QTableWidgetItem *one = item(row, column))
                most = std::max(most, heightOf(one->text(), one->font(), column));
        }
        setRowHeight(row, most + kBetweenRows);
        height += rowHeight(row);
    }
    setFixedHeight(height);
}

void FactTable::resizeEvent(QResizeEvent *event)
{
    QTableWidget::resizeEvent(event);
    if (event->size().width() != event->oldSize().width())
        fitColumns();
}

void FactTable::showEvent(QShowEvent *event)
{
    QTableWidget::showEvent(event);
    fitColumns(); // the style sheet has its say only now
}

void FactTable::changeEvent(QEvent *event)
{
    QTableWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange || event->type() == QEvent::StyleChange)
        fitColumns();
}

void FactTable::wheelEvent(QWheelEvent *event)
{
    event->ignore(); // the page scrolls
}

} // namespace vramscope
