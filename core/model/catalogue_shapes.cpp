// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/model/catalogue_shapes.h"

#include "core/model/config_shape.h"
#include "core/model/diffusion/pipelines.h"
#include "core/model/flat_json.h"
#include "core/model/parameters.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <cassert>
#include <vector>

namespace vramscope {

namespace {

/// Why a config that the user does not see is refused. The reader's error is "model.config.KEY …";
/// for a file that is no config of a language model it can only name what that lacks.
std::string refusalOf(const CatalogueModel &model, std::string_view refusal)
{
    const std::string place = "In its config.json, ";
    for (const FlatValue &value : flattened(model.config).value_or(std::vector<FlatValue>())) {
        const auto *name = std::get_if<std::string>(&value.value);
        if (name && value.path == "_class_name")
            return place + "_class_name \"" + *name +
                   "\" stands for a part of a diffusion pipeline, which is not computed.";
    }
    constexpr std::string_view kPlace = "model.config.";
    return refusal.starts_with(kPlace) ? place + std::string(refusal.substr(kPlace.size()))
                                       : std::string(refusal);
}

Result<Architecture> readArchitecture(const CatalogueModel &model, const PlanModel &beside)
{
    Result<Architecture> read = shapeOfConfig(std::string(model.config), beside);
    if (!read)
        return Error{read.error().code, refusalOf(model, read.error().detail)};
    return read;
}

CatalogueShape catalogueShapeOf(const CatalogueModel &model)
{
    CatalogueShape shape;
    shape.model = &model;
    if (model.pipeline) {
        const auto pipelines = diffusionPipelines();
        const auto found = std::ranges::find_if(
            pipelines, [&](const auto &pipeline) { return pipeline->id == model.name; });
        assert(found != pipelines.end());
        shape.parameters = shape.active = (*found)->parameters();
        return shape;
    }
    Result<Architecture> read = readArchitecture(model, {});
    if (!read) {
        shape.whyNot = read.error().detail;
        return shape;
    }
    shape.architecture = std::move(read).value();
    const ParameterCounts counts = countParameters(shape.architecture);
    shape.parameters = counts.total;
    shape.active = counts.active;
    return shape;
}

} // namespace

std::span<const CatalogueShape> catalogueShapes()
{
    static const std::vector<CatalogueShape> shapes = [] {
        std::vector<CatalogueShape> all;
        all.reserve(catalogueModels().size());
        std::ranges::transform(catalogueModels(), std::back_inserter(all), catalogueShapeOf);
        return all;
    }();
    return shapes;
}

const CatalogueShape *findCatalogueShape(std::string_view name)
{
    const CatalogueModel *model = findCatalogueModel(name);
    if (!model)
        return nullptr;
    return &catalogueShapes()[static_cast<std::size_t>(model - catalogueModels().data())];
}

Result<Architecture> architectureOf(const CatalogueModel &model, const PlanModel &beside)
{
    const CatalogueShape *shape = findCatalogueShape(model.name);
    // The plan's values may fill in what the config lacks.
    return shape->computed() ? Result<Architecture>(shape->architecture)
                             : readArchitecture(model, beside);
}

std::string CatalogueShape::kind() const
{
    return model->pipeline ? "diffusion" : architectureKind(architecture);
}

std::string architectureKind(const Architecture &architecture)
{
    std::string kind = architecture.moe() ? "MoE" : "dense";
    if (architecture.state.kind != StateKind::None)
        kind += architecture.heads > 0 ? ", hybrid" : ", states alone";
    return architecture.mla() ? kind + ", MLA" : kind;
}

} // namespace vramscope
