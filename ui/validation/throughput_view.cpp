// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/throughput_view.h"

#include "core/base/format.h"
#include "core/base/text.h"
#include "core/describe/validation_tables.h"
#include "core/model/catalogue_search.h"
#include "ui/models/data_table_model.h"
#include "ui/page/head.h"
#include "ui/page/labels.h"
#include "ui/support/elided_label.h"
#include "ui/support/fact_table.h"
#include "ui/support/text.h"
#include "ui/validation/measured_view.h"
#include "ui/validation/validation_text.h"

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
#include <cmath>

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
    m_terms = new FactTable(u"Parts of the projected step"_s);
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
    m_terms->setTable(speedTermsTable(row ? *row : ComparedSpeed()), ByteUnit::Binary);
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

namespace {

QString secondsText(double seconds)
{
    return toQString(formatMicroseconds(std::llround(seconds * 1e6)));
}

QString shareText(const ComparedSpeed &row)
{
    if (row.arithmeticShare <= 0)
        return {};
    const QString share =
        u"%1 % of the dense bf16 rate"_s.arg(100 * row.arithmeticShare, 0, 'f', 1);
    return row.basis == SpeedBasis::Calibrates
               ? u"The published speed makes the arithmetic reach %1; the others of its family "
                 "are predicted with it."_s.arg(share)
               : u"The arithmetic reaches %1, as in %2."_s.arg(share, toQString(row.calibratedOn));
}

QString catalogueFact(const ComparedSpeed &row)
{
    if (!row.computed())
        return {};
    return u"%1 tokens/s a GPU (%2), %3: the published speed lies %4"_s.arg(
        toQString(trainingSpeedText(row.catalogue.likely)), toQString(catalogueText(row)),
        errorText(row.catalogueErrorPercent()),
        row.insideCatalogue() ? u"in this range"_s : u"outside this range"_s);
}

} // namespace

QString speedSentence(const ComparedSpeed &row)
{
    const QString published = u"%1: %2 tokens/s a GPU were published"_s.arg(
        toQString(row.row.id), toQString(trainingSpeedText(row.row.tokensPerGpu)));
    switch (row.basis) {
    case SpeedBasis::Calibrates:
        return u"%1; the run calibrates its family"_s.arg(published);
    case SpeedBasis::Calibrated:
        return u"%1, %2 predicted from the speed of %3 (%4)"_s.arg(
            published, toQString(trainingSpeedText(row.predicted.likely)),
            toQString(row.calibratedOn), errorText(row.errorPercent));
    case SpeedBasis::Catalogue:
        return u"%1, %2 predicted from the catalogue alone (%3)"_s.arg(
            published, toQString(trainingSpeedText(row.predicted.likely)),
            errorText(row.errorPercent));
    case SpeedBasis::None:
        break;
    }
    return u"%1; nothing is predicted: %2"_s.arg(published, toQString(row.whyNot));
}

QString speedFacts(const ComparedSpeed &row)
{
    const QString computed =
        row.computed() ? u"%1, of which %2 wait for data of other GPUs and %3 for the slowest or "
                         "in the pipeline"_s.arg(secondsText(row.time.seconds.likely),
                                                 secondsText(row.time.communication),
                                                 secondsText(row.time.idle))
                       : QString();
    const QString devices = toQString(devicesText(row));
    const QString run = devices.isEmpty() ? toQString(row.row.model)
                                          : u"%1 on %2"_s.arg(toQString(row.row.model), devices);
    return u"<table cellspacing=\"0\" cellpadding=\"1\">%1</table>"_s.arg(
        factLine(u"source"_s, toQString(row.row.source)) +
        factLine(u"note"_s, toQString(row.row.note)) +
        factLine(u"known to miss"_s, toQString(row.row.missed)) +
        factLine(u"not computed"_s, toQString(row.whyNot)) + factLine(u"run"_s, run) +
        factLine(u"layout"_s, toQString(row.layout)) + factLine(u"rate"_s, shareText(row)) +
        factLine(u"catalogue alone"_s, catalogueFact(row)) + factLine(u"step"_s, computed));
}

QString speedHeadline(const SpeedValidation &speeds)
{
    const SpeedSummary all = speedSummary(speeds);
    const auto count = [](std::size_t of) { return countText(static_cast<std::int64_t>(of)); };
    return u"%1 published training speeds: %2 calibrate their family, and from them %3 others are "
           "predicted, half within %4, the worst off by %5. %6 of %7 families stay within their "
           "target."_s.arg(count(all.rows), count(all.calibrating), count(all.calibrated),
                           absoluteErrorText(all.calibratedMedian),
                           absoluteErrorText(all.calibratedWorst), count(all.familiesMet),
                           count(all.families));
}

QString speedExplanation(const SpeedValidation &speeds)
{
    const SpeedSummary all = speedSummary(speeds);
    const auto count = [](std::size_t of) { return countText(static_cast<std::int64_t>(of)); };
    return u"A family is one source, model, GPU and precision; its run of the fewest GPUs sets the "
           "share of the rate that arithmetic reaches.\nTarget: within 5 % where only data "
           "parallelism changes, within 10 % across layouts. The catalogue's rates alone, which a "
           "plan is projected with, predict half of %1 runs within %2; %3 lie in their range. %4 "
           "are not computed, and say why."_s.arg(
               count(all.rows - all.notComputed), absoluteErrorText(all.catalogueMedian),
               count(all.catalogueInside), count(all.notComputed));
}

} // namespace vramscope
