// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profile/profile_table_view.h"

#include "ui/support/row_table.h"

#include <QHeaderView>
#include <QSortFilterProxyModel>

#include <algorithm>
#include <numeric>

namespace vramscope {

namespace {

constexpr std::size_t kMeasured = 200; // rows that say how wide a column is
constexpr int kWidestWord = 180;
constexpr int kLeastName = 30; // characters
constexpr int kLeastPadding = 20;
constexpr int kPadding = 32;

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
    m_widths.assign(static_cast<std::size_t>(m_model->columnCount()), 0);
    for (std::size_t at = 1; at < m_widths.size(); ++at) {
        int widest = metrics.horizontalAdvance(table().columns[at].title) + 6;
        for (std::size_t row = 0; row < std::min(table().rows.size(), kMeasured); ++row)
            widest = std::max(widest, metrics.horizontalAdvance(table().rows[row].cells[at].text));
        m_widths[at] = std::min(widest, kWidestWord);
    }
    shareWidth();
}

// The name takes what figures leave. Where that is little, they move together, and then scroll.
void ProfileTableView::shareWidth()
{
    if (m_widths.empty())
        return;
    const int least = kLeastName * fontMetrics().averageCharWidth();
    const auto figures = static_cast<int>(m_widths.size()) - 1;
    const int texts = std::accumulate(m_widths.begin(), m_widths.end(), 0);
    const int room = viewport()->width() - texts - least;
    const int padding = figures == 0 ? 0 : std::clamp(room / figures, kLeastPadding, kPadding);
    for (int column = 1; column <= figures; ++column)
        horizontalHeader()->resizeSection(column,
                                          m_widths[static_cast<std::size_t>(column)] + padding);
    horizontalHeader()->resizeSection(
        0, std::max(viewport()->width() - texts - figures * padding, least));
}

void ProfileTableView::resizeEvent(QResizeEvent *event)
{
    QTableView::resizeEvent(event);
    shareWidth();
}

Table ProfileTableView::exported(qsizetype most) const
{
    return tableOf(*m_sorted, table().title, most);
}

} // namespace vramscope
