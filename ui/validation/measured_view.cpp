// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/measured_view.h"

#include "ui/models/data_table_model.h"
#include "ui/page/head.h"
#include "ui/page/labels.h"
#include "ui/support/elided_label.h"
#include "ui/support/row_delegate.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QTableView>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

MeasuredView::MeasuredView(PageHead *head, QWidget *parent)
    : QWidget(parent)
    , m_rows(new DataTableModel(this))
    , m_head(head)
{
}

QWidget *MeasuredView::makeRows(const RowsWords &words, int sortedBy, QWidget *more)
{
    m_kind = new QComboBox;
    m_kind->addItems(words.kinds);
    m_kind->setAccessibleName(words.which);
    m_text = searchField(words.filter, 24);
    m_shown = new ElidedLabel(Qt::ElideRight);
    m_shown->setProperty("role", u"dim"_s);
    m_open = new QPushButton(u"Open its plan"_s);
    m_open->setToolTip(words.openTip);
    m_rowsView = makeSortedTable(m_rows, words.table, sortedBy);
    connect(m_rowsView->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = m_rowsView->selectionModel()->selectedRows();
        if (!rows.isEmpty())
            selectRow(m_kept[m_rows->rowAt(rows.front().row())]);
    });
    // Sorting leads to what is chosen.
    connect(m_rows, &QAbstractItemModel::layoutChanged, this, &MeasuredView::showSelection);
    const auto openSelected = [this] {
        if (m_selected)
            openRow(*m_selected);
    };
    connect(m_open, &QPushButton::clicked, this, openSelected);
    connect(m_rowsView, &QTableView::doubleClicked, this, openSelected);
    m_rowsView->installEventFilter(this);
    QHBoxLayout *bar = row({m_kind, m_text, more, {m_shown, 1}, m_open}, 10, {14, 8, 14, 6});
    return panel(column({bar, {m_rowsView, 1}}), u"side"_s);
}

void MeasuredView::showFilter(int kind, const QString &text)
{
    const QSignalBlocker quietKind(m_kind);
    const QSignalBlocker quietText(m_text);
    m_kind->setCurrentIndex(kind);
    if (m_text->text() != text)
        m_text->setText(text);
}

void MeasuredView::selectRow(std::optional<std::size_t> row)
{
    if (row == m_selected)
        return;
    m_selected = row;
    showSelection();
    Q_EMIT statusChanged();
}

void MeasuredView::showSelection()
{
    const auto kept = m_selected ? std::ranges::find(m_kept, *m_selected) : m_kept.end();
    chooseRow(m_rowsView, kept == m_kept.end()
                              ? -1
                              : m_rows->placeOf(static_cast<std::size_t>(kept - m_kept.begin())));
}

QString MeasuredView::headline() const
{
    return m_head->answer();
}

// Enter in the table does what a double click does, on every desktop.
bool MeasuredView::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_rowsView || event->type() != QEvent::KeyPress || !m_selected)
        return false;
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key != Qt::Key_Return && key != Qt::Key_Enter)
        return false;
    openRow(*m_selected);
    return true;
}

QTableView *makeSortedTable(DataTableModel *model, const QString &name, int sortedBy)
{
    auto *view = new QTableView;
    view->setModel(model);
    view->setAccessibleName(name);
    setUpPlainRows(*view);
    view->setTextElideMode(Qt::ElideRight);
    view->setTabKeyNavigation(false);
    QHeaderView *header = view->horizontalHeader();
    header->setMinimumSectionSize(40);
    header->setSortIndicator(sortedBy, Qt::DescendingOrder);
    view->setSortingEnabled(true);
    return view;
}

void fitColumns(QTableView *view, const DataTableModel &model,
                std::initializer_list<std::pair<std::string_view, QString>> widest)
{
    for (const auto &[key, text] : widest)
        view->horizontalHeader()->resizeSection(model.columnOf(key),
                                                view->fontMetrics().horizontalAdvance(text) + 22);
}

void chooseRow(QTableView *view, int row)
{
    if (row < 0)
        return view->clearSelection();
    const QModelIndex index = view->model()->index(row, 0);
    view->selectionModel()->setCurrentIndex(index, QItemSelectionModel::ClearAndSelect |
                                                       QItemSelectionModel::Rows);
    view->scrollTo(index);
}

} // namespace vramscope
