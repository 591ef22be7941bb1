// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/models/data_table_view.h"

#include "ui/support/row_delegate.h"
#include "ui/support/text.h"

#include <QHeaderView>

#include <algorithm>
#include <iterator>
#include <numeric>

namespace vramscope {

namespace {

constexpr std::size_t kMeasured = 200; // rows that say how wide a column is
constexpr int kWidestWord = 180;
constexpr int kLeastName = 30; // characters, of a longer one
constexpr int kLeastPadding = 20;
constexpr int kPadding = 32;

} // namespace

DataTableView::DataTableView(const QString &name, QWidget *parent)
    : QTableView(parent)
    , m_model(new DataTableModel(this))
{
    setUpRowTable(*this);
    setModel(m_model);
    setAccessibleName(name);
    setSortingEnabled(true);
    horizontalHeader()->setStretchLastSection(false);
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    const auto choose = [this](const QModelIndex &index) {
        Q_EMIT rowChosen(m_model->rowAt(index.row()));
    };
    connect(this, &QTableView::clicked, this, choose);
    connect(this, &QTableView::activated, this, choose);
}

void DataTableView::setTable(DataTable table, ByteUnit unit)
{
    const bool sameColumns =
        table.title == this->table().title && table.columns.size() == this->table().columns.size();
    if (!sameColumns)
        sortByColumn(-1, Qt::DescendingOrder);
    m_model->setUnit(unit);
    m_model->setTable(std::move(table));
    if (!sameColumns)
        fitColumns();
}

void DataTableView::fitColumns()
{
    const QFontMetrics metrics = fontMetrics();
    m_widths.assign(static_cast<std::size_t>(m_model->columnCount()), 0);
    for (std::size_t at = 0; at < m_widths.size(); ++at) {
        const DataTable::Column &column = table().columns[at];
        int widest = metrics.horizontalAdvance(foreignText(column.title)) + 6;
        for (std::size_t row = 0; row < std::min(table().rows, kMeasured); ++row)
            widest = std::max(widest, metrics.horizontalAdvance(
                                          shownText(column, column.cell(row), m_model->unit())));
        m_widths[at] =
            at == 0 ? std::min(widest + kLeastPadding, kLeastName * metrics.averageCharWidth())
                    : std::min(widest, kWidestWord);
    }
    shareWidth();
}

// The name takes what figures leave. Where that is little, they move together, and then scroll.
void DataTableView::shareWidth()
{
    if (m_widths.empty())
        return;
    const int least = m_widths.front();
    const auto figures = static_cast<int>(m_widths.size()) - 1;
    const int texts = std::accumulate(std::next(m_widths.begin()), m_widths.end(), 0);
    const int room = viewport()->width() - texts - least;
    const int padding = figures == 0 ? 0 : std::clamp(room / figures, kLeastPadding, kPadding);
    for (int column = 1; column <= figures; ++column)
        horizontalHeader()->resizeSection(column,
                                          m_widths[static_cast<std::size_t>(column)] + padding);
    horizontalHeader()->resizeSection(
        0, std::max(viewport()->width() - texts - figures * padding, least));
}

void DataTableView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    shareWidth();
}

} // namespace vramscope
