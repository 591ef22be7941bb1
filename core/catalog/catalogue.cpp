// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalogue.h"

#include "core/base/json_text.h"
#include "core/base/shipped_documents.h"
#include "core/catalog/shipped_table.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cassert>

namespace vramscope {

namespace {

template<class Cells>
CatalogueModel published(const Cells &cell)
{
    CatalogueModel model{.name = cell("name"),
                         .title = cell("title"),
                         .family = cell("family"),
                         .year = numberIn<int>(cell("year")),
                         .repository = cell("repository"),
                         .config = shippedDocument("models/configs/" + cell("config")),
                         .source = cell("source"),
                         .note = cell("note")};
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

} // namespace

std::span<const CatalogueModel> catalogueModels()
{
    static const std::vector<CatalogueModel> models = [] {
        std::vector<CatalogueModel> all;
        readShippedTable("models/catalogue.csv",
                         [&](const auto &cell) { all.push_back(published(cell)); });
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
