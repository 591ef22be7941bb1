// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/solver/fit.h"

#include "core/solver/dimensions.h"
#include "core/solver/plan_evaluator.h"

#include <utility>

namespace vramscope {

namespace {

template<class T>
Result<Fit> with(Fit fit, Result<T> found)
{
    if (!found)
        return found.error();
    fit.found = std::move(found).value();
    return fit;
}

/// The only field, if one, whose largest value is requested: a number that is no degree of a
/// layout; nullptr for layouts.
Result<const Field *> fieldOfAValue(std::span<const std::string_view> vary)
{
    const Field *none = nullptr;
    if (vary.size() != 1 || vary.front() == "parallel" || vary.front() == "activations")
        return none;
    const Result<const Field *> field = fieldToVary(vary.front());
    if (!field)
        return field.error();
    const FieldKind kind = (*field)->kind;
    const bool isNumber =
        kind == FieldKind::Count || kind == FieldKind::Size || kind == FieldKind::Number;
    return isNumber && !isOfGroup((*field)->path, "parallel") ? *field : none;
}

} // namespace

Result<void> checkVariables(std::span<const std::string_view> vary)
{
    const Result<const Field *> value = fieldOfAValue(vary);
    if (!value)
        return value.error();
    if (*value)
        return {};
    const Result<std::vector<const Field *>> fields = fieldsToCompare(vary);
    return fields ? Result<void>() : fields.error();
}

Result<Fit> fit(const Plan &plan, std::span<const std::string_view> vary, std::size_t limit,
                const Progress &progress)
{
    const Result<PlanEvaluator> trial = PlanEvaluator::of(plan);
    if (!trial)
        return trial.error();
    Fit result{{vary.begin(), vary.end()}, trial.value().settings().capacity, {}};
    if (vary.empty()) {
        if (const Result<void> sound = checkComputed(plan); !sound)
            return sound.error();
        result.found = waysToFit(plan);
        result.recommendation = recommend(plan);
        return result;
    }
    if (vary.size() == 1 && vary.front() == "hardware.gpus")
        return with(std::move(result), fewestGpus(plan, progress));
    const Result<const Field *> value = fieldOfAValue(vary);
    if (!value)
        return value.error();
    if (*value && isEngineShare((*value)->path))
        return with(std::move(result), engineShare(plan, **value));
    if (*value)
        return with(std::move(result), largestThatFits(plan, **value));
    return with(std::move(result), layoutsThatFit(plan, vary, limit, progress));
}

} // namespace vramscope
