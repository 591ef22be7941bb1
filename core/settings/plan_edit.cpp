// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/plan_edit.h"

#include "core/base/text.h"
#include "core/catalog/catalogue.h"
#include "core/settings/calibration_marks.h"
#include "core/settings/checks.h"
#include "core/settings/degrees.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// The degrees that divide GPUs, except data parallelism.
constexpr std::array<FieldPath, 3> kDegrees = {"parallel.tensor", "parallel.pipeline",
                                               "parallel.context"};

/// One of the fields of which a plan has one.
bool namesModel(FieldPath path)
{
    return path == "model.preset" || path == "model.config" || path == "model.pipeline" ||
           path == "model.components";
}

/// GPUs that the degrees multiply to; nothing where they leave 64 bits.
std::optional<std::int64_t> world(const Plan &plan)
{
    return worldSize(resolve(plan).settings);
}

} // namespace

Result<Plan> editedPlan(const Plan &plan, const Field &field, const FieldValue &value)
{
    Plan edited = plan;
    if (namesModel(field.path))
        edited.model.checkpoint.reset(); // another model's files
    if (namesModel(field.path) &&
        (field.path == "model.preset" || !std::holds_alternative<std::monostate>(value))) {
        edited.model.preset.reset();
        edited.model.config.reset();
        edited.model.pipeline.reset();
        edited.model.components.reset();
    }
    // The list of models holds pipelines, too.
    if (const auto *name = std::get_if<std::string>(&value); name && field.path == "model.preset") {
        const CatalogueModel *known = findCatalogueModel(*name);
        if (known && known->pipeline)
            return editedPlan(edited, fieldAt("model.pipeline"), value);
    }
    if (field.path == "inference.speculative.model")
        edited.inference.speculative.config.reset();
    if (field.path == "inference.speculative.config" &&
        !std::holds_alternative<std::monostate>(value))
        edited.inference.speculative.model.reset();
    if (Result<void> set = setField(edited, field, value); !set)
        return set.error();
    if (field.get(edited) != field.get(plan))
        markCalibrated(edited, field.path, {});

    if (edited.adapters.kind == AdapterKind::Lora && field.path == "adapters.kind") {
        edited.adapters.rank = edited.adapters.rank.value_or(16); // what most adapters have
        edited.adapters.targets = edited.adapters.targets.value_or(TextList{"all-linear"});
    }
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
    if (namesModel(field.path)) {
        reset.model.preset = opened.model.preset;
        reset.model.config = opened.model.config;
        reset.model.checkpoint = opened.model.checkpoint;
        reset.model.pipeline = opened.model.pipeline;
        reset.model.components = opened.model.components;
        return reset;
    }
    if (field.path == "inference.speculative.model" ||
        field.path == "inference.speculative.config") {
        reset.inference.speculative.model = opened.inference.speculative.model;
        reset.inference.speculative.config = opened.inference.speculative.config;
        return reset;
    }
    if (Result<Plan> edited = editedPlan(plan, field, field.get(opened)))
        reset = *edited;
    else
        field.set(reset, field.get(opened)); // the opened document may hold what the form refuses
    markCalibrated(reset, field.path, calibrationFile(opened, field.path));
    return reset;
}

std::string editName(const Field &field)
{
    std::string name(field.label);
    const bool isWord =
        name.size() > 1 && name[1] >= 'a' && name[1] <= 'z'; // no "GPU", "KV", "MLP"
    return isWord ? lowered(name.substr(0, 1)) + name.substr(1) : name;
}

} // namespace vramscope
