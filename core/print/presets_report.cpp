// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/presets_report.h"

#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/catalog/gpus.h"
#include "core/model/catalogue_search.h"
#include "core/print/json_parts.h"
#include "core/table/text_table.h"

namespace vramscope {

namespace {

std::vector<const CatalogueShape *> modelsOf(const PresetQuery &query)
{
    const CatalogueSearch search(query.words);
    const std::string family = lowered(query.family);
    std::vector<const CatalogueShape *> found;
    for (const CatalogueShape &shape : catalogueShapes()) {
        if ((family.empty() || lowered(shape.model->family) == family) && search.finds(shape))
            found.push_back(&shape);
    }
    return found;
}

std::vector<const GpuPreset *> gpusOf(const PresetQuery &query)
{
    std::vector<const GpuPreset *> found;
    if (!query.family.empty())
        return found;
    for (const GpuPreset &gpu : gpuPresets()) {
        if (holdsWords(query.words, lowered(gpu.name + ' ' + gpu.title)))
            found.push_back(&gpu);
    }
    return found;
}

Json knownFigure(Bytes figure)
{
    return orNull(figure > 0, figure);
}

Json modelJson(const CatalogueShape &shape)
{
    const CatalogueModel &model = *shape.model;
    Json json{{"name", model.name},
              {"title", model.title},
              {"family", model.family},
              {"year", model.year},
              {"repository", model.repository},
              {"parameters", nullptr},
              {"layers", nullptr},
              {"hidden", nullptr},
              {"heads", nullptr},
              {"kv_heads", nullptr},
              {"vocabulary", nullptr},
              {"source", model.source},
              {"note", textOrNull(model.note)},
              {"not_computed", textOrNull(shape.whyNot)}};
    if (!shape.computed())
        return json;
    const Architecture &it = shape.architecture;
    json["parameters"] = {{"total", shape.parameters}, {"active", shape.active}};
    json["layers"] = it.layers;
    json["hidden"] = it.hidden;
    json["heads"] = it.heads;
    json["kv_heads"] = it.kvHeads;
    json["vocabulary"] = it.vocab;
    return json;
}

Json gpuJson(const GpuPreset &gpu)
{
    return {{"name", gpu.name},
            {"title", gpu.title},
            {"vendor", vendorName(gpu.vendor())},
            {"generation", generationName(gpu.generation)},
            {"unified", gpu.unified()},
            {"capacity", knownFigure(gpu.capacity)},
            {"driver_total", knownFigure(gpu.driverTotal)},
            {"memory_bandwidth", knownFigure(gpu.memoryBandwidth)},
            {"host_link", knownFigure(gpu.hostLink)},
            {"bf16_flops", knownFigure(gpu.bf16Flops)},
            {"source", gpu.source}};
}

// "7.62 B": billions of parameters.
std::string billions(std::int64_t count)
{
    return formatGiga(count, ByteUnit::Decimal, 2) + " B";
}

std::string modelsText(const std::vector<const CatalogueShape *> &models)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right});
    table.addRow({"model", "", "year", "parameters", "active", "layers", "hidden"});
    for (const CatalogueShape *shape : models) {
        const CatalogueModel &model = *shape->model;
        const std::string year = std::to_string(model.year);
        if (shape->computed())
            table.addRow({model.name, model.title, year, billions(shape->parameters),
                          shape->active == shape->parameters ? "" : billions(shape->active),
                          model.pipeline ? "" : formatCount(shape->architecture.layers),
                          model.pipeline ? "" : formatCount(shape->architecture.hidden)});
        else
            table.addRow({model.name, model.title, year, "not computed", "", "", ""});
    }
    return table.text();
}

/// Why models are not computed; of all models, how many these are.
std::string reasonsText(const std::vector<const CatalogueShape *> &models, bool searched)
{
    constexpr std::size_t kWidth = 98;
    std::string text;
    std::string first;
    std::int64_t count = 0;
    for (const CatalogueShape *shape : models) {
        if (shape->computed())
            continue;
        first = count++ == 0 ? shape->model->name : first;
        text += '\n' + wrapped(shape->model->name + ": " + shape->whyNot, kWidth);
    }
    if (count == 0)
        return {};
    if (searched)
        return text + '\n';
    return "\nNot computed: " + formatCount(count) +
           ". A search for one of them says why: vramscope-cli presets " + first + '\n';
}

std::string gpusText(const std::vector<const GpuPreset *> &gpus, ByteUnit unit)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Left});
    table.addRow({"gpu", "", "capacity", "bandwidth", "memory"});
    for (const GpuPreset *gpu : gpus)
        table.addRow({gpu->name, gpu->title,
                      gpu->capacity > 0 ? formatBytes(gpu->capacity, unit) : "unknown",
                      gpu->memoryBandwidth > 0
                          ? formatBytes(gpu->memoryBandwidth, ByteUnit::Decimal) + "/s"
                          : "",
                      gpu->unified() ? "one with the host" : ""});
    return table.text();
}

} // namespace

std::string presetsJson(const PresetQuery &query)
{
    return jsonText(
        {{"models", listJson(modelsOf(query), [](auto *shape) { return modelJson(*shape); })},
         {"gpus", listJson(gpusOf(query), [](auto *gpu) { return gpuJson(*gpu); })}});
}

std::string presetsText(const PresetQuery &query, ByteUnit unit)
{
    const auto models = modelsOf(query);
    const auto gpus = gpusOf(query);
    const bool searched = !query.family.empty() || !trimmed(query.words).empty();
    std::string text;
    if (!models.empty())
        text += modelsText(models) + reasonsText(models, searched);
    if (!gpus.empty())
        text += (text.empty() ? "" : "\n") + gpusText(gpus, unit);
    return text.empty() ? "No model and no GPU of that name or size is known.\n" : text;
}

std::vector<std::string> presetFamilies()
{
    std::vector<std::string> families;
    for (const CatalogueModel &model : catalogueModels()) {
        if (families.empty() || families.back() != model.family)
            families.push_back(model.family);
    }
    return families;
}

} // namespace vramscope
