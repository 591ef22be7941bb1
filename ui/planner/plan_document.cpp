// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_document.h"

#include "core/catalog/gpus.h"
#include "core/estimate/estimate.h"
#include "core/plan/plan_json.h"
#include "core/report/redacted_plan.h"
#include "ui/export/exported_view.h"
#include "ui/planner/plan_page.h"
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

} // namespace vramscope
