// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/planner/plan_edit.h"

#include "core/planner/calibration_marks.h"
#include "core/planner/checks.h"
#include "core/planner/degrees.h"
#include "core/planner/settings.h"
#include "ui/support/text.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// Those beside data parallelism and the degrees that are spread inside the others' GPUs.
constexpr std::array<FieldPath, 3> kDegrees = {"parallel.tensor", "parallel.pipeline",
                                               "parallel.context"};

/// GPUs that the degrees multiply to; nothing where they leave 64 bits.
std::optional<std::int64_t> world(const Plan &plan)
{
    return worldSize(resolve(plan).settings);
}

} // namespace

Result<Plan> editedPlan(const Plan &plan, const Field &field, const FieldValue &value)
{
    Plan edited = plan;
    if (field.path == "model.preset" || field.path == "model.config")
        edited.model.checkpoint.reset(); // another model's files
    if (field.path == "model.preset")
        edited.model.config.reset();
    if (field.path == "model.config" && !std::holds_alternative<std::monostate>(value))
        edited.model.preset.reset();
    if (Result<void> set = setField(edited, field, value); !set)
        return set.error();
    if (field.get(edited) != field.get(plan))
        markCalibrated(edited, field.path, {});

    if (std::ranges::find(kDegrees, field.path) != kDegrees.end())
        keepGpus(edited, plan);
    if (field.path == "parallel.data" && plan.hardware.gpus && plan.hardware.gpus == world(plan))
        edited.hardware.gpus = world(edited);
    if (field.path == "hardware.gpus" && edited.hardware.gpus)
        fillGpus(edited.parallel, *edited.hardware.gpus);
    return edited;
}

Plan resetPlan(const Plan &plan, const Plan &opened, const Field &field)
{
    Plan reset = plan;
    if (field.path == "model.preset" || field.path == "model.config") {
        reset.model.preset = opened.model.preset;
        reset.model.config = opened.model.config;
        reset.model.checkpoint = opened.model.checkpoint;
        return reset;
    }
    if (Result<Plan> edited = editedPlan(plan, field, field.get(opened)))
        reset = *edited;
    else
        field.set(reset, field.get(opened)); // the opened document may hold what the form refuses
    markCalibrated(reset, field.path, calibrationFile(opened, field.path));
    return reset;
}

QString editName(const Field &field)
{
    QString name = toQString(field.label);
    const bool word = name.size() > 1 && name[1].isLower(); // and no "GPU", "KV", "MLP"
    return word ? name[0].toLower() + name.mid(1) : name;
}

} // namespace vramscope
