// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_tables.h"

#include "ui/charts/waterfall.h"
#include "ui/models/estimate_model.h"
#include "ui/planner/allocator_view.h"
#include "ui/planner/breakdown_panel.h"
#include "ui/planner/field_text.h"
#include "ui/planner/layouts_view.h"
#include "ui/planner/lower_card.h"
#include "ui/planner/plan_cards.h"
#include "ui/planner/plan_page.h"
#include "ui/planner/plans_compare_view.h"
#include "ui/planner/sweep_view.h"
#include "ui/support/choice_table.h"
#include "ui/support/text.h"
#include "ui/support/verdict_color.h"

#include <QComboBox>
#include <QTableView>
#include <QTreeWidget>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

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

} // namespace

Table planTable(const PlanPage &page)
{
    const QWidget *shown = page.charts()->lower()->currentPage();
    if (shown == page.sweepView())
        return sweepTable(*page.sweepView(), page.unit());
    if (shown == page.compareView())
        return waterfallTable(*page.compareView(), page.unit());
    if (shown == page.allocatorView())
        return tableOf(*page.allocatorView()->table()->model(), u"Allocator"_s);
    if (shown == page.layoutsView())
        return tableOf(*page.layoutsView()->table()->model(), u"Layouts"_s);
    return tableOf(*page.breakdown()->tree()->model(), u"Where it goes"_s);
}

Table breakdownTable(const Estimate &estimate, ByteUnit unit)
{
    EstimateModel model;
    model.setUnit(unit);
    model.setEstimate(estimate, estimate.peakMoment);
    return tableOf(model, u"Where it goes"_s);
}

} // namespace vramscope
