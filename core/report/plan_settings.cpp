// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/report/plan_settings.h"

#include "core/planner/field.h"
#include "core/planner/field_conditions.h"
#include "core/planner/settings.h"

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

TextTable settingsTable(const Plan &plan, bool stated, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Left});
    const ResolvedPlan resolved = resolve(plan);
    for (const Field &field : planFields()) {
        const FieldValue own = field.get(plan);
        const bool isStated = !std::holds_alternative<std::monostate>(own);
        if (isStated != stated || field.path == "name" ||
            (!isStated && !appliesTo(field.path, resolved.settings)))
            continue;
        std::string value =
            std::visit(ValueText{field, unit},
                       isStated ? own : effectiveValue(plan, resolved.settings, field));
        if (value.empty())
            continue;
        if (!appliesTo(field.path, resolved.settings))
            value += " (without effect)";
        table.addRow({std::string(field.label), std::move(value)});
    }
    return table;
}

TextTable differingSettings(std::span<const Plan *const> plans, ByteUnit unit)
{
    std::vector<Align> columns(plans.size() + 1, Align::Left);
    TextTable table(columns);
    std::vector<ResolvedPlan> resolved;
    for (const Plan *plan : plans)
        resolved.push_back(resolve(*plan));
    for (const Field &field : planFields()) {
        const bool matters = std::ranges::any_of(resolved, [&](const ResolvedPlan &plan) {
            return appliesTo(field.path, plan.settings);
        });
        if (!matters || field.path == "name")
            continue;
        std::vector<FieldValue> values;
        std::vector<std::string> row{std::string(field.label)};
        for (std::size_t at = 0; at < plans.size(); ++at) {
            values.push_back(effectiveValue(*plans[at], resolved[at].settings, field));
            const std::string text = std::visit(ValueText{field, unit}, values.back());
            row.push_back(text.empty() ? "-" : text);
        }
        if (std::ranges::any_of(values, [&](const auto &value) { return value != values.front(); }))
            table.addRow(std::move(row));
    }
    return table;
}

} // namespace vramscope
