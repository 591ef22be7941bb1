// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_document.h"

#include "core/catalog/gpus.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan_json.h"
#include "core/report/redacted_plan.h"
#include "ui/charts/waterfall.h"
#include "ui/export/exported_view.h"
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

#include <algorithm>

namespace vramscope {

using namespace Qt::StringLiterals;

namespace {

/// "H100 SXM5 80 GB, 79.2 GiB".
QString capacityText(const Plan &plan, ByteUnit unit)
{
    const std::optional<Bytes> capacity = estimate(plan).capacity;
    if (!capacity)
        return {};
    const auto &name = plan.hardware.gpu;
    const GpuPreset *gpu = name ? findGpuPreset(*name) : nullptr;
    const QString size = bytesText(*capacity, unit);
    return gpu ? u"%1, %2"_s.arg(toQString(gpu->title), size) : size;
}

class PlanAsDocument : public Document
{
public:
    explicit PlanAsDocument(Plan plan)
        : m_made{std::move(plan), {}, {}}
    {
    }
    explicit PlanAsDocument(Imported imported)
        : m_made(std::move(imported))
        , m_isImported(true)
    {
    }

    [[nodiscard]] std::unique_ptr<DocumentPage> makePage(const QString &title, const QString &,
                                                         QWidget *parent) const override
    {
        auto page = std::make_unique<PlanPage>(parent);
        page->setPlan(m_made.plan, title);
        return page;
    }
    [[nodiscard]] const Plan *plan() const override { return &m_made.plan; }
    [[nodiscard]] const Imported *imported() const override
    {
        return m_isImported ? &m_made : nullptr;
    }
    [[nodiscard]] Caption caption(const QString &title, const QString &file,
                                  ByteUnit unit) const override
    {
        const auto &name = m_made.plan.name;
        Caption caption =
            captionOf(name && !name->empty() ? toQString(*name) : title, file, kind().source);
        caption.capacity = capacityText(m_made.plan, unit);
        return caption;
    }
    [[nodiscard]] DocumentKind kind() const override
    {
        return {u"Plan of VRAMscope"_s, u"plan"_s,
                u"This is a plan; its views are plan, plan/VIEW and breakdown."_s, true};
    }
    [[nodiscard]] QString unfitText(const QString &view) const override
    {
        return view == u"breakdown"_s ? QString() : Document::unfitText(view);
    }
    void gatherNames(Redaction &redaction) const override { gatherPlan(redaction, m_made.plan); }
    [[nodiscard]] DocumentPointer withoutNames(const Redaction &redaction,
                                               const Progress &) const override
    {
        auto result = std::make_shared<PlanAsDocument>(*this);
        result->m_made.plan = redactedPlan(redaction, m_made.plan);
        return result;
    }
    [[nodiscard]] std::vector<Replaced> replacements(const Redaction &redaction) const override
    {
        return changedLines(m_made.plan, redaction);
    }

private:
    Imported m_made;
    bool m_isImported = false;
};

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

DocumentPointer planDocument(Plan plan)
{
    return std::make_shared<const PlanAsDocument>(std::move(plan));
}

DocumentPointer planDocument(Imported imported)
{
    return std::make_shared<const PlanAsDocument>(std::move(imported));
}

std::vector<Replaced> changedLines(const Plan &plan, const Redaction &redaction)
{
    const QStringList before = toQString(planJson(plan)).split(u'\n');
    const QStringList after = toQString(planJson(redactedPlan(redaction, plan))).split(u'\n');
    std::vector<Replaced> lines;
    for (qsizetype at = 0; at < std::min(before.size(), after.size()); ++at) {
        if (before[at] != after[at])
            lines.emplace_back(before[at].trimmed(), after[at].trimmed());
    }
    return lines;
}

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
