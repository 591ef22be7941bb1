// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_settings.h"

#include "core/base/letters.h"
#include "core/plan/field.h"
#include "core/report/plan_section.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

struct ValueText
{
    const Field &field;
    ByteUnit unit;

    std::string operator()(std::monostate) const { return {}; }
    std::string operator()(bool on) const { return on ? "on" : "off"; }
    std::string operator()(std::int64_t number) const
    {
        return field.kind == FieldKind::Size ? formatBytes(number, unit) : formatCount(number);
    }
    std::string operator()(double number) const { return formatNumber(number); }
    std::string operator()(const std::string &text) const
    {
        return field.kind == FieldKind::Object ? "its own, in the document" : text;
    }
    template<class List>
    std::string operator()(const List &list) const
    {
        std::string text;
        for (const auto &one : list)
            text += (text.empty() ? "" : ", ") + (*this)(one);
        return text;
    }
};

} // namespace

DataTable settingsTable(const Plan &plan, const Settings &settings, bool stated, ByteUnit unit)
{
    RowTable table({}, {{"setting", ""}, {"value", ""}});
    for (const Field &field : planFields()) {
        const FieldValue own = field.get(plan);
        const bool applies = field.applies(settings);
        if (isStated(own) != stated || field.path == "name" || (!stated && !applies))
            continue;
        std::string value =
            std::visit(ValueText{field, unit}, effectiveValue(plan, settings, field));
        if (value.empty())
            continue;
        if (!applies)
            value += " (without effect)";
        table.add({field.label, std::move(value)});
    }
    return std::move(table).table();
}

DataTable differingSettings(std::span<const PlanSubject> plans, ByteUnit unit)
{
    std::vector<DataTable::Column> columns{{"setting", "Setting"}};
    for (std::size_t at = 0; at < plans.size(); ++at)
        columns.push_back({{}, letterName(at), {}, {}, letterName(at)});
    RowTable table("The settings that differ", std::move(columns));
    for (const Field &field : planFields()) {
        const bool matters = std::ranges::any_of(
            plans, [&](const PlanSubject &plan) { return field.applies(*plan.estimate.settings); });
        if (!matters || field.path == "name")
            continue;
        std::vector<FieldValue> values;
        std::vector<DataTable::Cell> row{field.label};
        for (const PlanSubject &plan : plans) {
            values.push_back(effectiveValue(plan.plan, *plan.estimate.settings, field));
            const std::string text = std::visit(ValueText{field, unit}, values.back());
            const bool applies = field.applies(*plan.estimate.settings);
            row.push_back(text.empty() || !applies ? DataTable::Cell() : DataTable::Cell(text));
        }
        if (std::ranges::any_of(values, [&](const auto &value) { return value != values.front(); }))
            table.add(std::move(row));
    }
    return std::move(table).table();
}

} // namespace vramscope
