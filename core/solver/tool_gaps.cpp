// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/tool_gaps.h"

#include "core/base/parts.h"
#include "core/catalog/shipped_table.h"
#include "core/plan/choices.h"
#include "core/plan/field.h"
#include "core/settings/checks.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace vramscope {

namespace {

using Words = std::vector<std::string>;

/// A row of the table: values of a field that some tools lack.
struct ToolGap
{
    Words tools;      ///< "*": all
    Words strategies; ///< empty: under all
    const Field *field = nullptr;
    Words values; ///< empty: all that ask for something
};

Words wordsOf(const std::string &cell)
{
    const auto parts = partsOf(cell, '|');
    return {parts.begin(), parts.end()};
}

bool holds(const Words &words, std::string_view word)
{
    return std::ranges::find(words, word) != words.end();
}

std::span<const ToolGap> toolGaps()
{
    static const std::vector<ToolGap> all = [] {
        std::vector<ToolGap> gaps;
        readShippedTable("tools/lacks.csv", [&](const auto &cell) {
            gaps.push_back({wordsOf(cell("tools")), wordsOf(cell("strategies")),
                            findField(cell("field")), wordsOf(cell("values"))});
            assert(gaps.back().field && gaps.back().field->inForce);
        });
        return gaps;
    }();
    return all;
}

std::string_view toolOf(const Plan &plan, const Settings &settings)
{
    if (settings.workload == Workload::Inference)
        return traitsOf(settings.engine).word;
    return plan.trainer ? std::string_view(*plan.trainer) : std::string_view();
}

bool isLacking(const ToolGap &gap, const Settings &before, const Settings &after)
{
    const FieldValue value = gap.field->inForce(after);
    const FieldValue replaced = gap.field->inForce(before);
    if (value == replaced)
        return false;
    if (gap.values.empty())
        return asksForSomething(value) && !asksForSomething(replaced);
    const auto *word = std::get_if<std::string>(&value);
    return word && holds(gap.values, *word);
}

} // namespace

bool toolOffers(const Plan &plan, const Settings &before, const Settings &after)
{
    const std::string_view tool = toolOf(plan, after);
    const std::string_view strategy = choiceText(after.strategy);
    return std::ranges::none_of(toolGaps(), [&](const ToolGap &gap) {
        return (holds(gap.tools, "*") || holds(gap.tools, tool)) &&
               (gap.strategies.empty() || holds(gap.strategies, strategy)) &&
               isLacking(gap, before, after);
    });
}

} // namespace vramscope
