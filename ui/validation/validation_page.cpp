// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/validation_page.h"

#include "core/describe/validation_story.h"
#include "core/validation/shipped.h"
#include "ui/charts/scatter_chart.h"
#include "ui/models/data_table_model.h"
#include "ui/page/head.h"
#include "ui/page/labels.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"
#include "ui/validation/measured_view.h"
#include "ui/validation/strip_delegate.h"
#include "ui/validation/validation_text.h"

#include <QAbstractButton>
#include <QBoxLayout>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSplitter>
#include <QTableView>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// By how much is known of it: whose figure, and how well its run is known.
PointMark markOf(const MeasuredRow &row)
{
    if (isRecorded(row))
        return PointMark::Circle;
    return row.quality == "A"   ? PointMark::Square
           : row.quality == "B" ? PointMark::Diamond
                                : PointMark::Triangle;
}

} // namespace

void ValidationPage::takeUnit()
{
    m_rows->setUnit(m_unit);
    m_chart->setUnit(m_unit);
    showChart();
    showSelection();
    Q_EMIT statusChanged();
}

void ValidationPage::setFilter(const RowFilter &filter)
{
    const bool otherGroups = filter.kind != m_filter.kind || filter.grouping != m_filter.grouping;
    m_filter = filter;
    if (otherGroups)
        showGroups();
    showFilter(static_cast<int>(m_filter.kind), m_filter.text);
    const QSignalBlocker missed(m_onlyMissed);
    m_onlyMissed->setChecked(m_filter.onlyMissed);
    m_grouping->button(static_cast<int>(m_filter.grouping))->setChecked(true);
    showGroup();
    showRows();
}

void ValidationPage::showRuns(const std::string &run)
{
    setFilter({RowKind::All, Grouping::Run, run, {}, false});
}

void ValidationPage::showGroups()
{
    std::vector<ComparedFigure> rows;
    for (const ComparedFigure &row : m_validation->rows)
        if (isOfKind(row.row, m_filter.kind))
            rows.push_back(row);
    const Grouping grouping = m_filter.grouping;
    m_errorGroups = errorGroups(
        rows, [grouping](const ComparedFigure &row) { return groupOf(row, grouping); },
        [grouping](const ComparedFigure &row) { return errorOf(row, grouping); });
    using Heading = std::pair<std::string, std::string>;
    m_groups->setTable(errorGroupsTable(
        m_errorGroups,
        grouping == Grouping::Run
            ? Heading("Kind of run", "Training or inference, and by which strategy or engine")
            : Heading("Family",
                      "What the figures were published in, or what the recordings are about")));
}

int ValidationPage::placeOfGroup() const
{
    const auto group = std::ranges::find(m_errorGroups, m_filter.group,
                                         [](const ErrorGroup &each) { return each.summary.name; });
    return group == m_errorGroups.end()
               ? -1
               : m_groups->placeOf(static_cast<std::size_t>(group - m_errorGroups.begin()));
}

void ValidationPage::showRows()
{
    m_kept = keptRows(*m_validation, m_filter);
    std::vector<ComparedFigure> shown;
    for (const std::size_t row : m_kept)
        shown.push_back(m_validation->rows[row]);
    const auto counts = std::ranges::count_if(
        shown, [](const ComparedFigure &row) { return !isBytes(row.row.figure); });
    QString text = toQString(shownErrors(shown, m_validation->rows.size()));
    if (counts > 0)
        text += u"; %1 in the table alone: %2"_s.arg(
            countText(counts), counts == 1 ? u"a count, not bytes"_s : u"counts, not bytes"_s);
    m_shown->setFullText(text);
    m_rows->setTable(measuredTable(m_validation, m_kept));
    if (m_selected && std::ranges::find(m_kept, *m_selected) == m_kept.end())
        m_selected.reset();
    showChart();
    showSelection();
    Q_EMIT statusChanged();
}

QString ValidationPage::emptyText() const
{
    if (placeOfGroup() < 0)
        return u"No figure was measured in a run like this: %1."_s.arg(toQString(m_filter.group));
    return m_kept.empty() ? u"The filter leaves no row."_s
                          : u"What the filter leaves are counts, not bytes: see the table."_s;
}

void ValidationPage::showChart()
{
    ScatterPoints content{{},
                          {u"recorded by this project"_s, u"published, A"_s, u"published, B"_s,
                           u"published, C: unexplained"_s},
                          u"measured"_s,
                          u"predicted"_s,
                          emptyText()};
    m_plotted.clear();
    for (const std::size_t at : m_kept) {
        const ComparedFigure &row = m_validation->rows[at];
        if (!isBytes(row.row.figure) || row.predicted <= 0)
            continue;
        m_plotted.push_back(at);
        content.points.push_back({row.row.value, row.predicted, markOf(row.row),
                                  rowToolTip(row, m_unit),
                                  toQString(measuredSentence(row, m_unit))});
    }
    m_chart->setContent(std::move(content));
}

void ValidationPage::showGroup()
{
    chooseRow(m_groupsView, placeOfGroup());
}

void ValidationPage::showSelection()
{
    m_open->setEnabled(m_selected.has_value());
    const auto point = m_selected ? std::ranges::find(m_plotted, *m_selected) : m_plotted.end();
    m_chart->setSelected(point == m_plotted.end()
                             ? std::nullopt
                             : std::optional(static_cast<std::size_t>(point - m_plotted.begin())));
    MeasuredView::showSelection();
}

void ValidationPage::openRow(std::size_t row)
{
    const ComparedFigure &compared = m_validation->rows[row];
    Result<Plan> plan = shippedSetup(compared.row.setup);
    if (!plan)
        return;
    QStringList parts{toQString(measuredSentence(compared, m_unit))};
    if (plan->name)
        parts << toQString(*plan->name);
    for (const std::string &text : {compared.row.source, compared.row.note})
        if (!text.empty())
            parts << toQString(text);
    plan->name = compared.row.id;
    Q_EMIT planWanted(*plan, parts.join(u" · "_s));
}

QString ValidationPage::statusText() const
{
    return m_selected ? toQString(measuredSentence(m_validation->rows[*m_selected], m_unit))
                      : u"Select a figure to see its run; Enter opens its plan."_s;
}

ValidationPage::ValidationPage(std::shared_ptr<const Validation> validation, QWidget *parent)
    : MeasuredView(new PageHead({unbroken(toQString(validationAnswer(*validation))),
                                 {{toQString(validationExplanation(*validation))}}}),
                   parent)
    , m_validation(std::move(validation))
    , m_groups(new DataTableModel(this))
{
    showGroups();
    m_rows->setTable(measuredTable(m_validation, {}));
    m_rows->setRowTip(
        [this](std::size_t row) { return rowToolTip(m_validation->rows[m_kept[row]], m_unit); });
    setLayout(column(
        {m_head,
         {splitter(Qt::Vertical, {{makeFigures(), 4}, {makeMeasured(), 3}}, {400, 300}), 1}}));
    wireFilter();
    showGroup();
    showRows();
}

QWidget *ValidationPage::makeFigures()
{
    m_chart = new ScatterChart;
    m_chart->setAccessibleName(u"Predicted against measured sizes"_s);
    connect(m_chart, &ScatterChart::pointSelected, this,
            [this](std::size_t point) { selectRow(m_plotted[point]); });
    connect(m_chart, &ScatterChart::pointTaken, this,
            [this](std::size_t point) { openRow(m_plotted[point]); });
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
    QHBoxLayout *bar = tabButtons(
        *m_grouping, {u"By family"_s, u"By kind of run"_s, u"At first sight"_s}, {6, 4, 6, 2});
    bar->addStretch(1);
    return panel(column({bar, {m_groupsView, 1}}), u"side"_s);
}

QWidget *ValidationPage::makeMeasured()
{
    m_onlyMissed = new QCheckBox(u"Only what is not met within 3 %"_s);
    QWidget *measured =
        makeRows({{u"all rows"_s, u"published"_s, u"recorded by this project"_s, u"covered"_s,
                   u"not covered"_s, u"quality A"_s, u"quality B"_s, u"quality C: unexplained"_s},
                  u"Which rows"_s,
                  u"Filter the rows"_s,
                  u"Measured figures"_s,
                  u"Opens the plan of the selected row's run in a tab, to see why (Enter)"_s},
                 m_rows->columnOf("error"), m_onlyMissed);
    m_shown->setAccessibleName(u"Errors of the rows shown"_s);
    fitColumns(m_rowsView, *m_rows,
               {{"id", u"litgpt-resource-tables-001"_s},
                {"figure", u"moments.loss.allocate"_s},
                {"family", u"hf-performance-doc"_s},
                {"measured", u"predicted 0"_s},
                {"predicted", u"predicted 0"_s},
                {"error", u"−0.000 %"_s},
                {"first_sight", u"first sight"_s},
                {"quality", u"quality"_s},
                {"covered", u"covered"_s}});
    QHeaderView *header = m_rowsView->horizontalHeader();
    header->setSectionResizeMode(m_rows->columnOf("source"), QHeaderView::Stretch);
    header->setSectionResizeMode(m_rows->columnOf("note"), QHeaderView::Stretch);
    return measured;
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

} // namespace vramscope
