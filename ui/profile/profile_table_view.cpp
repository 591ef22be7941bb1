// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_table_view.h"

#include "ui/support/row_table.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>

namespace vramscope {

namespace {

constexpr std::size_t kMeasured = 200; // rows that say how wide a column is
constexpr int kWidestWord = 180;
constexpr int kLeastName = 36; // characters

} // namespace

ProfileTableView::ProfileTableView(const QString &name, QWidget *parent)
    : QTableView(parent)
    , m_model(new ProfileTableModel(this))
    , m_sorted(new QSortFilterProxyModel(this))
{
    m_sorted->setSourceModel(m_model);
    m_sorted->setSortRole(ProfileTableModel::kOrderRole);
    m_sorted->setFilterCaseSensitivity(Qt::CaseInsensitive);
    m_sorted->setFilterKeyColumn(0);
    setUpRowTable(*this);
    setModel(m_sorted);
    setAccessibleName(name);
    setSortingEnabled(true);
    horizontalHeader()->setStretchLastSection(false);
    horizontalHeader()->setSortIndicatorClearable(true);
    horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
    const auto choose = [this](const QModelIndex &index) {
        const auto row = static_cast<std::size_t>(m_sorted->mapToSource(index).row());
        Q_EMIT rowChosen(table().rows[row]);
    };
    connect(this, &QTableView::clicked, this, choose);
    connect(this, &QTableView::activated, this, choose);
}

void ProfileTableView::setSearch(const QString &text)
{
    m_sorted->setFilterFixedString(text);
}

void ProfileTableView::setTable(ProfileTable table)
{
    const bool sameColumns =
        table.title == this->table().title && table.columns.size() == this->table().columns.size();
    m_model->setTable(std::move(table));
    if (!sameColumns) {
        m_sorted->sort(-1);
        horizontalHeader()->setSortIndicator(-1, Qt::DescendingOrder);
        fitColumns();
    }
}

void ProfileTableView::fitColumns()
{
    const QFontMetrics metrics = fontMetrics();
    m_figuresWidth = 0;
    for (int column = 1; column < m_model->columnCount(); ++column) {
        const auto at = static_cast<std::size_t>(column);
        int widest = metrics.horizontalAdvance(table().columns[at].title) + 6;
        for (std::size_t row = 0; row < std::min(table().rows.size(), kMeasured); ++row)
            widest = std::max(widest, metrics.horizontalAdvance(table().rows[row].cells[at].text));
        horizontalHeader()->resizeSection(column, std::min(widest, kWidestWord) + 32);
        m_figuresWidth += horizontalHeader()->sectionSize(column);
    }
    fitName();
}

// The name takes what figures leave; where that is little, the figures scroll.
void ProfileTableView::fitName()
{
    if (m_model->columnCount() == 0)
        return;
    const int least = kLeastName * fontMetrics().averageCharWidth();
    horizontalHeader()->resizeSection(0, std::max(viewport()->width() - m_figuresWidth, least));
}

void ProfileTableView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    fitName();
}

Table ProfileTableView::exported(qsizetype most) const
{
    return tableOf(*m_sorted, table().title, most);
}

} // namespace vramscope
