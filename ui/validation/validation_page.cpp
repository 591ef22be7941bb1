// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/validation/validation_page.h"

#include "core/validation/shipped.h"
#include "ui/charts/scatter_chart.h"
#include "ui/models/data_table_model.h"
#include "ui/page/head.h"
#include "ui/support/elided_label.h"
#include "ui/support/text.h"
#include "ui/validation/sorted_table.h"
#include "ui/validation/validation_text.h"

#include <QAbstractButton>
#include <QButtonGroup>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPushButton>
#include <QSignalBlocker>
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

void ValidationPage::setUnit(ByteUnit unit)
{
    m_unit = unit;
    m_rows->setUnit(unit);
    m_chart->setUnit(unit);
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
    const QSignalBlocker kind(m_kind);
    const QSignalBlocker text(m_text);
    const QSignalBlocker missed(m_onlyMissed);
    m_kind->setCurrentIndex(static_cast<int>(m_filter.kind));
    if (m_text->text() != m_filter.text)
        m_text->setText(m_filter.text);
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
    m_errorGroups = errorGroups(rows, [grouping = m_filter.grouping](const ComparedFigure &row) {
        return groupOf(row, grouping);
    });
    using Heading = std::pair<std::string, std::string>;
    m_groups->setTable(errorGroupsTable(
        m_errorGroups,
        m_filter.grouping == Grouping::Run
            ? Heading("kind of run", "Training or inference, and by which strategy or engine")
            : Heading("family",
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
    QString text = shownText(shown, m_validation->rows.size());
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
                                  rowToolTip(row, m_unit), rowSentence(row, m_unit)});
    }
    m_chart->setContent(std::move(content));
}

void ValidationPage::showGroup()
{
    chooseRow(m_groupsView, placeOfGroup());
}

void ValidationPage::selectRow(std::optional<std::size_t> row)
{
    if (row == m_selected)
        return;
    m_selected = row;
    showSelection();
    Q_EMIT statusChanged();
}

void ValidationPage::showSelection()
{
    m_open->setEnabled(m_selected.has_value());
    const auto point = m_selected ? std::ranges::find(m_plotted, *m_selected) : m_plotted.end();
    m_chart->setSelected(point == m_plotted.end()
                             ? std::nullopt
                             : std::optional(static_cast<std::size_t>(point - m_plotted.begin())));
    const auto kept = m_selected ? std::ranges::find(m_kept, *m_selected) : m_kept.end();
    chooseRow(m_rowsView, kept == m_kept.end()
                              ? -1
                              : m_rows->placeOf(static_cast<std::size_t>(kept - m_kept.begin())));
}

void ValidationPage::openRow(std::size_t row)
{
    const ComparedFigure &compared = m_validation->rows[row];
    Result<Plan> plan = shippedSetup(compared.row.setup);
    if (!plan)
        return;
    QStringList parts{rowSentence(compared, m_unit)};
    if (plan->name)
        parts << toQString(*plan->name);
    for (const std::string &text : {compared.row.source, compared.row.note})
        if (!text.empty())
            parts << toQString(text);
    plan->name = compared.row.id;
    Q_EMIT planWanted(*plan, parts.join(u" · "_s));
}

QString ValidationPage::headline() const
{
    return m_head->answer();
}

QString ValidationPage::statusText() const
{
    return m_selected ? rowSentence(m_validation->rows[*m_selected], m_unit)
                      : u"Select a figure to see its run; Enter opens its plan."_s;
}

} // namespace vramscope
