// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/charts/scatter_chart.h"
#include "ui/models/data_table_model.h"
#include "ui/page/head.h"
#include "ui/page/labels.h"
#include "ui/support/elided_label.h"
#include "ui/validation/sorted_table.h"
#include "ui/validation/strip_delegate.h"
#include "ui/validation/validation_page.h"
#include "ui/validation/validation_text.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPushButton>
#include <QSplitter>
#include <QTableView>

namespace vramscope {

using namespace Qt::StringLiterals;

ValidationPage::ValidationPage(std::shared_ptr<const Validation> validation, QWidget *parent)
    : QWidget(parent)
    , m_validation(std::move(validation))
    , m_groups(new DataTableModel(this))
    , m_rows(new DataTableModel(this))
{
    showGroups();
    m_rows->setTable(measuredTable(m_validation, {}));
    m_rows->setRowTip(
        [this](std::size_t row) { return rowToolTip(m_validation->rows[m_kept[row]], m_unit); });
    m_head = new PageHead({headlineText(*m_validation), {{explanationText(*m_validation)}}});
    setLayout(column(
        {m_head, {splitter(Qt::Vertical, {{makeFigures(), 4}, {makeRows(), 3}}, {400, 300}), 1}}));
    wireFilter();
    wireSelection();
    showGroup();
    showRows();
}

QWidget *ValidationPage::makeFigures()
{
    m_chart = new ScatterChart;
    m_chart->setAccessibleName(u"Predicted against measured sizes"_s);
    QWidget *left = panel(column({m_chart}, 0, {12, 8, 4, 6}));
    return splitter(Qt::Horizontal, {{left, 1}, {makeGroups(), 1}}, {440, 660});
}

QWidget *ValidationPage::makeGroups()
{
    m_groupsView =
        makeSortedTable(m_groups, u"Errors of each group of rows"_s, m_groups->columnOf("median"));
    fitColumns(m_groupsView, *m_groups,
               {{"group", u"litgpt-multi-gpu-inference"_s},
                {"rows", u"0,000"_s},
                {"median", u"0.000 %"_s},
                {"p95", u"0.000 %"_s},
                {"worst", u"0.000 %"_s},
                {"bias", u"−0.000 %"_s}});
    const int strip = m_groups->columnOf("errors");
    m_groupsView->horizontalHeader()->setSectionResizeMode(strip, QHeaderView::Stretch);
    m_groupsView->setItemDelegateForColumn(strip,
                                           new StripDelegate(m_groups, &m_errorGroups, this));
    m_grouping = new QButtonGroup(this);
    QHBoxLayout *bar = tabButtons(*m_grouping, {u"By family"_s, u"By kind of run"_s}, {6, 4, 6, 2});
    bar->addStretch(1);
    return panel(column({bar, {m_groupsView, 1}}), u"side"_s);
}

QWidget *ValidationPage::makeRows()
{
    m_kind = new QComboBox;
    m_kind->addItems({u"all rows"_s, u"published"_s, u"recorded by this project"_s, u"covered"_s,
                      u"not covered"_s, u"quality A"_s, u"quality B"_s,
                      u"quality C: unexplained"_s});
    m_kind->setAccessibleName(u"Which rows"_s);
    m_text = searchField(u"Filter the rows"_s, 24);
    m_onlyMissed = new QCheckBox(u"Only what is not met within 3 %"_s);
    m_shown = new ElidedLabel(Qt::ElideRight);
    m_shown->setProperty("role", u"dim"_s);
    m_shown->setAccessibleName(u"Errors of the rows shown"_s);
    m_open = new QPushButton(u"Open its plan"_s);
    m_open->setToolTip(u"Opens the plan of the selected row's run in a tab, to see why (Enter)"_s);
    setUpRowsView();
    QHBoxLayout *bar =
        row({m_kind, m_text, m_onlyMissed, {m_shown, 1}, m_open}, 10, {14, 8, 14, 6});
    return panel(column({bar, {m_rowsView, 1}}), u"side"_s);
}

void ValidationPage::setUpRowsView()
{
    m_rowsView = makeSortedTable(m_rows, u"Measured figures"_s, m_rows->columnOf("error"));
    fitColumns(m_rowsView, *m_rows,
               {{"id", u"litgpt-resource-tables-001"_s},
                {"figure", u"moments.loss.allocate"_s},
                {"family", u"hf-performance-doc"_s},
                {"measured", u"predicted 0"_s},
                {"predicted", u"predicted 0"_s},
                {"error", u"−0.000 %"_s},
                {"quality", u"quality"_s},
                {"covered", u"covered"_s}});
    QHeaderView *header = m_rowsView->horizontalHeader();
    header->setSectionResizeMode(m_rows->columnOf("source"), QHeaderView::Stretch);
    header->setSectionResizeMode(m_rows->columnOf("note"), QHeaderView::Stretch);
}

void ValidationPage::wireFilter()
{
    const auto changeFilter = [this](auto change) {
        RowFilter filter = m_filter;
        change(filter);
        setFilter(filter);
    };
    connect(m_kind, &QComboBox::currentIndexChanged, this, [this, changeFilter](int kind) {
        changeFilter([&](RowFilter &filter) {
            filter.kind = static_cast<RowKind>(kind);
            if (keptRows(*m_validation, {filter.kind, filter.grouping, filter.group, {}, false})
                    .empty())
                filter.group.clear();
        });
    });
    connect(m_grouping, &QButtonGroup::idClicked, this, [changeFilter](int grouping) {
        changeFilter([&](RowFilter &filter) {
            filter.grouping = static_cast<Grouping>(grouping);
            filter.group.clear();
        });
    });
    connect(m_text, &QLineEdit::textChanged, this, [changeFilter](const QString &text) {
        changeFilter([&](RowFilter &filter) { filter.text = text; });
    });
    connect(m_onlyMissed, &QCheckBox::toggled, this, [changeFilter](bool on) {
        changeFilter([&](RowFilter &filter) { filter.onlyMissed = on; });
    });
    connect(m_groupsView->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this, changeFilter] {
                const QModelIndexList rows = m_groupsView->selectionModel()->selectedRows();
                const std::string group =
                    rows.isEmpty()
                        ? m_filter.group
                        : m_errorGroups[m_groups->rowAt(rows.front().row())].summary.name;
                if (group != m_filter.group)
                    changeFilter([&](RowFilter &filter) { filter.group = group; });
            });
    // Sorting leads to the chosen row.
    connect(m_groups, &QAbstractItemModel::layoutChanged, this, &ValidationPage::showGroup);
}

void ValidationPage::wireSelection()
{
    connect(m_rowsView->selectionModel(), &QItemSelectionModel::selectionChanged, this, [this] {
        const QModelIndexList rows = m_rowsView->selectionModel()->selectedRows();
        if (!rows.isEmpty())
            selectRow(m_kept[m_rows->rowAt(rows.front().row())]);
    });
    connect(m_rows, &QAbstractItemModel::layoutChanged, this, &ValidationPage::showSelection);
    connect(m_chart, &ScatterChart::pointSelected, this,
            [this](std::size_t point) { selectRow(m_plotted[point]); });
    connect(m_chart, &ScatterChart::pointTaken, this,
            [this](std::size_t point) { openRow(m_plotted[point]); });
    const auto openSelected = [this] {
        if (m_selected)
            openRow(*m_selected);
    };
    connect(m_open, &QPushButton::clicked, this, openSelected);
    connect(m_rowsView, &QTableView::doubleClicked, this, openSelected);
    m_rowsView->installEventFilter(this);
}

// Enter in the table does what a double click does, on every desktop.
bool ValidationPage::eventFilter(QObject *watched, QEvent *event)
{
    if (watched != m_rowsView || event->type() != QEvent::KeyPress || !m_selected)
        return false;
    const int key = static_cast<QKeyEvent *>(event)->key();
    if (key != Qt::Key_Return && key != Qt::Key_Enter)
        return false;
    openRow(*m_selected);
    return true;
}

} // namespace vramscope
