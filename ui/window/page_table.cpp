// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/page_table.h"

#include "ui/charts/waterfall.h"
#include "ui/compare/compare_page.h"
#include "ui/compare/rank_folder.h"
#include "ui/compare/sites_table.h"
#include "ui/models/estimate_model.h"
#include "ui/models/live_groups_model.h"
#include "ui/planner/allocator_view.h"
#include "ui/planner/breakdown_panel.h"
#include "ui/planner/field_text.h"
#include "ui/planner/layouts_table.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/sweep_view.h"
#include "ui/reconcile/fact_table.h"
#include "ui/reconcile/reconcile_page.h"
#include "ui/series/peaks_table.h"
#include "ui/series/series_page.h"
#include "ui/stacks/call_tree_model.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"
#include "ui/trace/live_table.h"
#include "ui/trace/stacks_view.h"
#include "ui/trace/trace_page.h"
#include "ui/validation/validation_page.h"

#include <QFileInfo>
#include <QTableView>
#include <QTreeWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

Table::Cell sizeCell(Bytes bytes, ByteUnit unit)
{
    return {bytesText(bytes, unit), bytes};
}

Table sweepTable(const SweepView &view, ByteUnit unit)
{
    Table table{
        u"Sweep"_s, {u"Value"_s, u"Device"_s, u"Capacity"_s, u"Verdict"_s, u"Peak at"_s}, {}};
    table.units = {{}, u"bytes"_s, u"bytes"_s};
    if (const Field *field = view.field())
        table.columns[0] = toQString(field->label);
    for (const SweepPoint &point : view.points()) {
        std::vector<Table::Cell> row;
        row.push_back({QString::number(point.value, 'g', 15), {}});
        if (point.refused.empty())
            row.push_back(sizeCell(point.device, unit));
        else
            row.push_back({toQString(point.refused), {}});
        row.push_back(point.capacity ? sizeCell(*point.capacity, unit) : Table::Cell());
        row.push_back({point.verdict ? verdictText(*point.verdict) : QString(), {}});
        row.push_back({toQString(point.at), {}});
        table.rows.push_back(std::move(row));
    }
    return table;
}

Table waterfallTable(const PlansCompareView &view, ByteUnit unit)
{
    Table table{u"From %1 to %2"_s.arg(view.from()->currentText(), view.to()->currentText()),
                {u"Part"_s, u"From"_s, u"To"_s, u"Change"_s},
                {}};
    table.units = {{}, u"bytes"_s, u"bytes"_s, u"bytes"_s};
    for (const WaterfallBar &bar : view.chart()->bars())
        table.rows.push_back({{bar.name, {}},
                              sizeCell(bar.from, unit),
                              sizeCell(bar.to, unit),
                              sizeCell(bar.change(), unit)});
    return table;
}

Table tableOfPlan(const PlanPage &page)
{
    const QWidget *shown = page.charts()->lower()->currentPage();
    if (const auto *sweep = qobject_cast<const SweepView *>(shown))
        return sweepTable(*sweep, page.unit());
    if (const auto *compare = qobject_cast<const PlansCompareView *>(shown))
        return waterfallTable(*compare, page.unit());
    if (const auto *allocator = qobject_cast<const AllocatorView *>(shown))
        return tableOf(*allocator->table()->model(), u"Allocator"_s);
    if (const auto *layouts = qobject_cast<const LayoutsView *>(shown))
        return tableOf(*layouts->findChild<const LayoutsTable *>()->model(), u"Layouts"_s);
    return tableOf(*page.breakdown()->tree()->model(), u"Where it goes"_s);
}

Table tableOfTrace(const TracePage &page, qsizetype most)
{
    const QString title = traceViewTitle(page.view());
    const QWidget *view = page.viewWidget();
    if (const auto *stacks = qobject_cast<const StacksView *>(view)) {
        CallTreeModel model;
        model.setTree(stacks->tree(), stacks->style());
        return tableOf(model, title, most);
    }
    const auto *rows = view ? view->findChild<const QTableView *>() : nullptr;
    if (rows && rows->model())
        return tableOf(*rows->model(), title, most);
    const auto *live = page.findChild<const LiveTable *>();
    return live ? tableOf(*live->model(), u"Live by stack"_s, most) : Table();
}

/// A row a rank.
Table ranksTable(const RankFolder &folder, ByteUnit unit)
{
    Table table{u"Ranks"_s,
                {u"Rank"_s, u"File"_s, u"Peak active"_s, u"Peak reserved"_s, u"Above the median"_s,
                 u"Outlier"_s},
                {}};
    table.units = {{}, {}, u"bytes"_s, u"bytes"_s, u"bytes"_s};
    for (std::size_t at = 0; at < folder.ranks.size(); ++at) {
        const Rank &rank = folder.ranks[at];
        table.rows.push_back({{QString::number(rank.number), rank.number},
                              {QFileInfo(rank.file).fileName(), {}},
                              sizeCell(rank.summary.peakActive, unit),
                              sizeCell(rank.summary.peakReserved, unit),
                              sizeCell(folder.deviation(at), unit),
                              {folder.isOutlier(at) ? u"yes"_s : u"no"_s, {}}});
    }
    return table;
}

} // namespace

Table tableOfPage(const Document &document, const QWidget &page, ByteUnit unit, qsizetype most)
{
    if (const auto *ranks = std::get_if<std::shared_ptr<const RankFolder>>(&document))
        return ranksTable(**ranks, unit);
    if (const auto *plan = qobject_cast<const PlanPage *>(&page))
        return tableOfPlan(*plan);
    if (const auto *trace = qobject_cast<const TracePage *>(&page))
        return tableOfTrace(*trace, most);
    if (const auto *held = qobject_cast<const ReconcilePage *>(&page))
        return tableOf(*held->parts()->model(),
                       u"%1 against %2"_s.arg(held->planTitle(), held->recording().title));
    if (const auto *trust = qobject_cast<const ValidationPage *>(&page))
        return tableOf(*trust->rowsView()->model(), u"Predicted against measured"_s);
    if (const auto *peaks = page.findChild<const PeaksTable *>())
        return tableOf(*peaks->model(), u"Peaks"_s, most);
    if (const auto *sites = page.findChild<const SitesTable *>())
        return tableOf(*sites->view()->model(), u"Sites"_s, most);
    return {};
}

Table breakdownTable(const Estimate &estimate, ByteUnit unit)
{
    EstimateModel model;
    model.setUnit(unit);
    model.setEstimate(estimate, estimate.peakMoment);
    return tableOf(model, u"Where it goes"_s);
}

} // namespace vramscope
