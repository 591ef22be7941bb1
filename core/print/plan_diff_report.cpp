// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/plan_diff_report.h"

#include "core/base/json_text.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/print/plan_choice_report.h"
#include "core/print/plan_report.h"
#include "core/print/time_report.h"
#include "core/settings/job_text.h"

#include <algorithm>
#include <array>
#include <optional>

namespace vramscope {

namespace {

/// A figure of both plans, or of one.
struct Row
{
    std::string category;
    std::string name;
    std::optional<Bytes> a;
    std::optional<Bytes> b;

    [[nodiscard]] Bytes delta() const { return wrappingDifference(b.value_or(0), a.value_or(0)); }
};

/// Gives A's value to the row of that name, or to a new one.
Row &differenceRow(std::vector<Row> &rows, std::string_view category, const std::string &name)
{
    const auto known = std::ranges::find_if(
        rows, [&](const Row &row) { return row.category == category && row.name == name; });
    if (known != rows.end())
        return *known;
    return rows.emplace_back(Row{std::string(category), name, {}, {}});
}

std::vector<Row> componentRows(const Estimate &a, const Estimate &b)
{
    std::vector<Row> rows;
    for (const Component &part : a.components())
        differenceRow(rows, categoryName(part.category), part.name).a = part.bytes;
    for (const Component &part : b.components())
        differenceRow(rows, categoryName(part.category), part.name).b = part.bytes;
    std::ranges::stable_sort(rows, {}, [](const Row &row) {
        for (std::size_t at = 0; at < kCategoryCount; ++at) {
            if (categoryName(static_cast<Category>(at)) == row.category)
                return at;
        }
        return kCategoryCount;
    });
    return rows;
}

std::vector<Row> momentRows(const Estimate &a, const Estimate &b)
{
    std::vector<Row> rows;
    for (const Moment &moment : a.moments)
        differenceRow(rows, {}, moment.name).a = moment.allocated;
    for (const Moment &moment : b.moments)
        differenceRow(rows, {}, moment.name).b = moment.allocated;
    return rows;
}

constexpr std::array<std::string_view, 4> kLevelKeys{"peak", "reserved", "device", "at_rest"};

std::vector<Row> levelRows(const Estimate &a, const Estimate &b)
{
    return {{"", "peak allocated", a.peakAllocated, b.peakAllocated},
            {"", "peak reserved", a.peakReserved, b.peakReserved},
            {"", "peak on the device", a.peakDevice, b.peakDevice},
            {"", "at rest", a.atRest, b.atRest}};
}

/// With a column of categories where rows have one.
DataTable tableOf(std::string title, const std::vector<Row> &rows)
{
    using enum DataTable::Kind;
    std::vector<std::vector<DataTable::Cell>> cells;
    std::string_view last;
    for (const Row &row : rows) {
        cells.push_back(
            {row.category == last ? "" : row.category, row.name, row.a, row.b, row.delta()});
        last = row.category;
    }
    DataTable table = madeTable(std::move(title),
                                {{"category", ""},
                                 {"name", ""},
                                 {"a", "A", Size, {}, "A"},
                                 {"b", "B", Size, {}, "B"},
                                 {"delta", "B - A", SizeChange, {}, "B - A"}},
                                std::move(cells));
    if (std::ranges::all_of(rows, [](const Row &row) { return row.category.empty(); }))
        table.columns.erase(table.columns.begin());
    return table;
}

std::string planTitle(const char *name, const EstimatedPlan &plan)
{
    std::string title = std::string(name) + "  " + printable(plan.file) + ": " +
                        jobText(plan.plan, *plan.estimate.settings);
    if (!plan.estimate.peakAt.empty())
        title += ", its peak " + momentPhrase(plan.estimate.peakAt);
    return title + "\n";
}

/// Both as they are chosen between.
struct Pair
{
    Pair(const EstimatedPlan &a, const EstimatedPlan &b)
        : plans{PlanToChoose{&a.plan, &a.estimate}, PlanToChoose{&b.plan, &b.estimate}}
        , choice(choosePlan(plans))
    {
    }
    [[nodiscard]] std::string sentence(ByteUnit unit) const
    {
        return choiceSentence(choice, plans, std::array<std::string, 2>{"A", "B"}, unit);
    }

    std::array<PlanToChoose, 2> plans;
    PlanChoice choice;
};

/// The decision and what it rests on, in lines that end.
std::string decisionText(const Pair &both, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Right, Align::Right});
    table.addRow({"", "A", "B"});
    for (const CostFigure &figure : costFigures(both.plans))
        table.addRow({figure.name, figure.values[0], figure.values[1]});
    return both.sentence(unit) + '\n' + (table.rows().size() > 1 ? table.text() : std::string());
}

} // namespace

std::string planDiffJson(const EstimatedPlan &a, const EstimatedPlan &b)
{
    Json json;
    for (const auto &[key, it] : {std::pair("a", &a), std::pair("b", &b)})
        json[key] = {{"file", it->file},
                     {"job", jobText(it->plan, *it->estimate.settings)},
                     {"at", it->estimate.peakAt},
                     {"time", timeJson(it->estimate)}};
    const Pair both(a, b);
    json["chosen"] = both.choice.plan == 0 ? "a" : "b";
    json["reason"] = both.sentence(ByteUnit::Binary);
    const std::vector<Row> levels = levelRows(a.estimate, b.estimate);
    for (std::size_t at = 0; at < levels.size(); ++at) {
        json["a"][std::string(kLevelKeys[at])] = orNull(levels[at].a);
        json["b"][std::string(kLevelKeys[at])] = orNull(levels[at].b);
        json["delta"][std::string(kLevelKeys[at])] = levels[at].delta();
    }
    json["components"] =
        listJson(componentRows(a.estimate, b.estimate), [](const Row &row) -> Json {
            return {{"category", row.category},
                    {"name", row.name},
                    {"a", orNull(row.a)},
                    {"b", orNull(row.b)},
                    {"delta", row.delta()}};
        });
    json["moments"] = listJson(momentRows(a.estimate, b.estimate), [](const Row &row) -> Json {
        return {
            {"name", row.name}, {"a", orNull(row.a)}, {"b", orNull(row.b)}, {"delta", row.delta()}};
    });
    return jsonText(json);
}

DataTable planDiffLevels(const EstimatedPlan &a, const EstimatedPlan &b)
{
    return tableOf("The levels of both", levelRows(a.estimate, b.estimate));
}

DataTable planDiffParts(const EstimatedPlan &a, const EstimatedPlan &b)
{
    std::vector<Row> parts = componentRows(a.estimate, b.estimate);
    parts.push_back({"Allocated", "", a.estimate.peakAllocated, b.estimate.peakAllocated});
    return tableOf("The parts at the peak of each", parts);
}

DataTable planDiffMoments(const EstimatedPlan &a, const EstimatedPlan &b)
{
    return tableOf("Allocated over the step", momentRows(a.estimate, b.estimate));
}

std::string planDiffText(const EstimatedPlan &a, const EstimatedPlan &b, ByteUnit unit)
{
    return planTitle("A", a) + planTitle("B", b) + "\n" + decisionText(Pair(a, b), unit) + "\n" +
           terminalText(planDiffLevels(a, b), unit) + "\nAt the peak of each\n" +
           terminalText(planDiffParts(a, b), unit) + "\nAllocated over the step\n" +
           terminalText(planDiffMoments(a, b), unit);
}

} // namespace vramscope
