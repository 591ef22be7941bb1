// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/opened_plan.h"

#include "core/catalog/gpus.h"
#include "core/planner/estimate.h"
#include "core/planner/plan_json.h"
#include "core/report/redacted_plan.h"
#include "ui/export/exported_view.h"
#include "ui/planner/plan_document_page.h"
#include "ui/support/text.h"

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

} // namespace

OpenedPlan::OpenedPlan(Plan plan)
    : m_made{std::move(plan), {}, {}}
{
}

OpenedPlan::OpenedPlan(Imported imported)
    : m_made(std::move(imported))
    , m_isImported(true)
{
}

std::unique_ptr<DocumentPage> OpenedPlan::makePage(const QString &title, const QString &,
                                                   QWidget *parent) const
{
    return std::make_unique<PlanDocumentPage>(shared_from_this(), title, parent);
}

Caption OpenedPlan::caption(const QString &title, const QString &file, ByteUnit unit) const
{
    const auto &name = m_made.plan.name;
    Caption caption =
        captionOf(name && !name->empty() ? toQString(*name) : title, file, u"Plan of VRAMscope"_s);
    caption.capacity = capacityText(m_made.plan, unit);
    return caption;
}

QString OpenedPlan::unfitText(RenderView view) const
{
    return view == RenderView::Plan || view == RenderView::Breakdown
               ? QString()
               : u"This is a plan; its views are plan, plan/VIEW and breakdown."_s;
}

void OpenedPlan::gatherNames(Redaction &redaction) const
{
    gatherPlan(redaction, m_made.plan);
}

DocumentPointer OpenedPlan::withoutNames(const Redaction &redaction, const Progress &) const
{
    auto result = std::make_shared<OpenedPlan>(*this);
    result->m_made.plan = redactedPlan(redaction, m_made.plan);
    return result;
}

std::vector<Replaced> OpenedPlan::replacements(const Redaction &redaction) const
{
    return changedLines(m_made.plan, redaction);
}

Result<std::vector<ReportSource>> OpenedPlan::reportSources(const QString &file) const
{
    return std::vector<ReportSource>{{file, shared_from_this()}};
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

} // namespace vramscope
