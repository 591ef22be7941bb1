// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/throughput_view.h"

#include "core/base/text.h"
#include "core/describe/validation_tables.h"
#include "core/model/catalogue_search.h"
#include "ui/models/data_table_model.h"
#include "ui/page/head.h"
#include "ui/page/labels.h"
#include "ui/support/elided_label.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"
#include "ui/validation/sorted_table.h"
#include "ui/validation/throughput_text.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QHeaderView>
#include <QItemSelectionModel>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QStringList>
#include <QTableView>

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

bool isOfSpeedKind(const ComparedSpeed &row, const SpeedValidation &speeds, SpeedFilterKind kind)
{
    switch (kind) {
    case SpeedFilterKind::Calibrated:
        return row.basis == SpeedBasis::Calibrated;
    case SpeedFilterKind::Calibrates:
        return row.basis == SpeedBasis::Calibrates;
    case SpeedFilterKind::Catalogue:
        return row.basis == SpeedBasis::Catalogue;
    case SpeedFilterKind::NotComputed:
        return row.basis == SpeedBasis::None;
    case SpeedFilterKind::Missed:
        return isMissed(row, speeds);
    case SpeedFilterKind::All:
        break;
    }
    return true;
}

} // namespace

std::vector<std::size_t> keptSpeeds(const SpeedValidation &speeds, const SpeedFilter &filter)
{
    std::vector<std::size_t> kept;
    for (std::size_t at = 0; at < speeds.rows.size(); ++at) {
        const ComparedSpeed &row = speeds.rows[at];
        if (!isOfSpeedKind(row, speeds, filter.kind) ||
            (!filter.family.empty() && row.row.family != filter.family))
            continue;
        const std::string text = row.row.id + '\n' + row.row.family + '\n' + row.row.model + '\n' +
                                 row.layout + '\n' + row.row.source + '\n' + row.row.note + '\n' +
                                 row.whyNot + '\n' + devicesText(row) + '\n' + basisText(row);
        if (holdsWords(filter.text.toStdString(), lowered(text)))
            kept.push_back(at);
    }
    return kept;
}

ThroughputView::ThroughputView(std::shared_ptr<const SpeedValidation> speeds, QWidget *parent)
    : MeasuredView(new PageHead({speedHeadline(*speeds), {{speedExplanation(*speeds)}}}), parent)
    , m_speeds(std::move(speeds))
    , m_families(new DataTableModel(this))
{
    m_families->setTable(speedFamiliesTable(*m_speeds));
    m_rows->setTable(speedsTable(m_speeds, {}));
    m_rows->setRowTip([this](std::size_t at) {
        const ComparedSpeed &row = m_speeds->rows[m_kept[at]];
        return u"<b>%1</b><br>%2"_s.arg(toQString(row.row.id).toHtmlEscaped(), speedFacts(row));
    });
    QSplitter *above =
        splitter(Qt::Horizontal, {{makeFamilies(), 1}, {makeDetail(), 1}}, {670, 590});
    setLayout(
        column({m_head, {splitter(Qt::Vertical, {{above, 1}, {makeRuns(), 1}}, {360, 340}), 1}}));
    wire();
    showFamily();
    showRows();
}

QWidget *ThroughputView::makeFamilies()
{
    m_familiesView =
        makeSortedTable(m_families, u"Families of runs"_s, m_families->columnOf("worst"));
    fitColumns(m_familiesView, *m_families,
               {{"name", u"llama-405b-h100-pipeline"_s},
                {"kind", u"strong scaling"_s},
                {"calibrated_on", u"nanotron-000"_s},
                {"predicted", u"predicted"_s},
                {"worst", u"+000.0 %"_s}});
    m_familiesView->horizontalHeader()->setStretchLastSection(true);
    return m_familiesView;
}

QWidget *ThroughputView::makeDetail()
{
    m_name = textLabel();
    setBold(*m_name);
    m_facts = textLabel();
    m_facts->setTextFormat(Qt::RichText);
    for (QLabel *label : {m_name, m_facts}) // a long word must not push the ends of all lines out
        label->setMinimumWidth(1);
    m_terms = new FactTable(u"Parts of the projected step"_s,
                            {u"part of the step"_s, u"time"_s, u"share"_s, u"rate"_s}, {0, 3});
    const QStringList tips{u"What the step's time goes to, one after the other"_s,
                           u"Of the likely step, what the others do not hide"_s,
                           u"Of the whole step's time"_s,
                           u"What is computed or moved, and at what rate; the source of the rate "
                           "stands in each row's tip"_s};
    for (int column = 0; column < tips.size(); ++column)
        m_terms->horizontalHeaderItem(column)->setToolTip(tips[column]);
    QVBoxLayout *parts = column({m_name, m_terms, m_facts, EmptyRoom()}, 8, {14, 8, 14, 8});
    return scrolled(panel(parts, u"side"_s), u"The selected run"_s);
}

QWidget *ThroughputView::makeRuns()
{
    QWidget *runs =
        makeRows({{u"all runs"_s, u"predicted from another run"_s, u"calibrating their family"_s,
                   u"from the catalogue alone"_s, u"not computed"_s, u"beyond target or range"_s},
                  u"Which runs"_s,
                  u"Filter the runs"_s,
                  u"Published training speeds"_s,
                  u"Opens the plan of the selected run in a tab (Enter)"_s},
                 -1); // by family
    // Names of models and GPUs have room for the bold type of runs that calibrate.
    fitColumns(m_rowsView, *m_rows,
               {{"id", u"nanotron-0000"_s},
                {"model", u"llama-1b-nanotron 00"_s},
                {"gpus", u"000 × H100 SXM5 96 GB 00"_s},
                {"published", u"published"_s},
                {"predicted", u"predicted"_s},
                {"error", u"+000.0 %"_s},
                {"outcome", u"outside the range "_s},
                {"basis", u"calibrated on nanotron-000"_s},
                {"catalogue", u"00,000 to 000,000, outside 0"_s}});
    QHeaderView *header = m_rowsView->horizontalHeader();
    header->setSectionResizeMode(m_rows->columnOf("layout"), QHeaderView::Stretch);
    m_rowsView->hideColumn(
        m_rows->columnOf("source")); // beside the families, and in what is exported
    return runs;
}

void ThroughputView::wire()
{
    const auto changeFilter = [this](auto change) {
        SpeedFilter filter = m_filter;
        change(filter);
        setFilter(filter);
    };
    connect(m_kind, &QComboBox::currentIndexChanged, this, [changeFilter](int kind) {
        changeFilter(
            [&](SpeedFilter &filter) { filter.kind = static_cast<SpeedFilterKind>(kind); });
    });
    connect(m_text, &QLineEdit::textChanged, this, [changeFilter](const QString &text) {
        changeFilter([&](SpeedFilter &filter) { filter.text = text; });
    });
    connect(m_familiesView->selectionModel(), &QItemSelectionModel::selectionChanged, this,
            [this, changeFilter] {
                const QModelIndexList rows = m_familiesView->selectionModel()->selectedRows();
                const std::string family =
                    rows.isEmpty() ? m_filter.family : familyAt(rows.front().row());
                if (family != m_filter.family)
                    changeFilter([&](SpeedFilter &filter) { filter.family = family; });
            });
    // Sorting leads to what is chosen.
    connect(m_families, &QAbstractItemModel::layoutChanged, this, &ThroughputView::showFamily);
}

void ThroughputView::setFilter(const SpeedFilter &filter)
{
    m_filter = filter;
    showFilter(static_cast<int>(m_filter.kind), m_filter.text);
    showFamily();
    showRows();
}

void ThroughputView::showFamily()
{
    int place = 0;
    while (place < m_families->rowCount() && familyAt(place) != m_filter.family)
        ++place;
    chooseRow(m_familiesView, place < m_families->rowCount() ? place : -1);
}

/// The family of a row; empty for that of all runs.
std::string ThroughputView::familyAt(int row) const
{
    const std::size_t at = m_families->rowAt(row);
    return at == 0 ? std::string() : m_speeds->families[at - 1].name;
}

void ThroughputView::showRows()
{
    m_kept = byFamily(*m_speeds, keptSpeeds(*m_speeds, m_filter));
    if (!m_selected || std::ranges::find(m_kept, *m_selected) == m_kept.end())
        m_selected.reset();
    m_shown->setFullText(u"%1 of %2; speeds are tokens a second and GPU"_s.arg(
        countText(std::ssize(m_kept)), countedText(std::ssize(m_speeds->rows), "run")));
    m_rows->setTable(speedsTable(m_speeds, m_kept));
    if (!m_selected && m_rows->rowCount() > 0) // a run is always explained beside the families
        m_selected = m_kept[m_rows->rowAt(0)];
    showSelection();
    Q_EMIT statusChanged();
}

void ThroughputView::showSelection()
{
    showDetail();
    MeasuredView::showSelection();
}

void ThroughputView::showDetail()
{
    const ComparedSpeed *row = m_selected ? &m_speeds->rows[*m_selected] : nullptr;
    m_open->setEnabled(row && row->row.whyNot.empty());
    m_name->setText(row ? speedSentence(*row) : u"The filter leaves no run."_s);
    m_facts->setText(row ? speedFacts(*row) : QString());
    m_terms->setRows(row ? termRows(*row) : std::vector<FactRow>());
    m_terms->setVisible(row && row->computed());
}

void ThroughputView::openRow(std::size_t row)
{
    const ComparedSpeed &speed = m_speeds->rows[row];
    if (!speed.row.whyNot.empty())
        return;
    QStringList parts{speedSentence(speed)};
    for (const std::string &text : {speed.row.source, speed.row.note})
        if (!text.empty())
            parts << toQString(text);
    Q_EMIT planWanted(speed.row.plan, parts.join(u" · "_s));
}

QString ThroughputView::statusText() const
{
    return m_selected ? speedSentence(m_speeds->rows[*m_selected])
                      : u"Select a run to see the parts of its step; Enter opens its plan."_s;
}

} // namespace vramscope
