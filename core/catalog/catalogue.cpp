// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalogue.h"

#include "core/base/csv.h"
#include "core/base/json_text.h"
#include "core/base/shipped_documents.h"
#include "core/catalog/model_names.h"
#include "core/catalog/models.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>
#include <charconv>

namespace vramscope {

namespace {

CatalogueModel builtIn(const ModelPreset &preset)
{
    return {.name = preset.name,
            .title = preset.title,
            .family = preset.family,
            .year = preset.year,
            .repository = std::string(repositoryOf(preset.name)),
            .architecture = &preset.architecture,
            .source = preset.source};
}

CatalogueModel published(const CsvTable &table, const CsvRow &row)
{
    const auto cell = [&](std::string_view column) {
        return row.cells[table.column(column).value()];
    };
    CatalogueModel model{.name = cell("name"),
                         .title = cell("title"),
                         .family = cell("family"),
                         .repository = cell("repository"),
                         .config = shippedDocument("models/configs/" + cell("config")),
                         .source = cell("source"),
                         .note = cell("note")};
    const std::string year = cell("year");
    std::from_chars(year.data(), year.data() + year.size(), model.year);
    assert(!model.config.empty());
    return model;
}

constexpr std::string_view kPipelines = "diffusion/";

CatalogueModel pipelineOf(const ShippedDocument &document)
{
    const auto json = parsedJson(document.text);
    CatalogueModel model{.name = std::string(document.path.substr(kPipelines.size())),
                         .title = json.value("label", ""),
                         .family = "Diffusion",
                         .year = json.value("year", 0),
                         .repository = json.value("hub", ""),
                         .config = document.text,
                         .source = "diffusers 0.42, counted by its classes "
                                   "(tests/measure/record_diffusion.py)",
                         .pipeline = true};
    model.name.resize(model.name.rfind('.'));
    return model;
}

/// Behind the last of its family, which may be new.
void addToFamily(std::vector<CatalogueModel> &models, CatalogueModel model)
{
    const auto last = std::find_if(models.rbegin(), models.rend(), [&](const CatalogueModel &one) {
        return one.family == model.family;
    });
    models.insert(last == models.rend() ? models.end() : last.base(), std::move(model));
}

} // namespace

std::span<const CatalogueModel> catalogueModels()
{
    static const std::vector<CatalogueModel> models = [] {
        std::vector<CatalogueModel> all;
        std::ranges::transform(modelPresets(), std::back_inserter(all), builtIn);
        const auto table = parseCsv(shippedDocument("models/catalogue.csv"));
        assert(table);
        for (const CsvRow &row : table->rows)
            addToFamily(all, published(*table, row));
        for (const ShippedDocument &document : shippedDocuments())
            if (document.path.starts_with(kPipelines))
                all.push_back(pipelineOf(document));
        return all;
    }();
    return models;
}

const CatalogueModel *findCatalogueModel(std::string_view name)
{
    const auto models = catalogueModels();
    const auto found = std::ranges::find(models, name, &CatalogueModel::name);
    return found == models.end() ? nullptr : &*found;
}

} // namespace vramscope
