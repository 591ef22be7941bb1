// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/describe/catalogue_tables.h"

#include "core/base/text.h"

namespace vramscope {

namespace {

using ModelCell = DataTable::Cell;

/// "131,072" as "128K": contexts are multiples of 1024 or short.
std::string contextText(std::int64_t tokens)
{
    constexpr std::int64_t kMillion = std::int64_t(1024) * 1024;
    if (tokens % kMillion == 0)
        return std::to_string(tokens / kMillion) + 'M';
    return tokens % 1024 == 0 ? std::to_string(tokens / 1024) + 'K' : formatCount(tokens);
}

std::string headsText(const Architecture &shape)
{
    return formatCount(shape.heads) + " / " + (shape.mla() ? "latent" : formatCount(shape.kvHeads));
}

} // namespace

bool hasShape(const CatalogueShape &preset)
{
    return preset.computed() && !preset.model->pipeline;
}

DataTable catalogueTable()
{
    using enum DataTable::Kind;
    TableOf<CatalogueShape> table("Models", catalogueShapes());
    table
        .add({"name", "Model", Text},
             [](const CatalogueShape &preset) {
                 return ModelCell(lowered(preset.model->title)).as(preset.model->title);
             })
        .add({"year", "Year", Text},
             [](const CatalogueShape &preset) {
                 return ModelCell(preset.model->year).as(std::to_string(preset.model->year));
             })
        .add({"kind", "Kind", Text},
             [](const CatalogueShape &preset) {
                 return preset.computed() ? ModelCell(preset.kind())
                                          : ModelCell().as("not computed");
             })
        .add({"parameters", "Parameters", Count},
             [](const CatalogueShape &preset) {
                 return preset.computed()
                            ? ModelCell(preset.parameters).as(formatShortCount(preset.parameters))
                            : ModelCell();
             })
        .add({"active", "Active", Count},
             [](const CatalogueShape &preset) {
                 return hasShape(preset)
                            ? ModelCell(preset.active).as(formatShortCount(preset.active))
                            : ModelCell();
             })
        .add({"layers", "Layers × hidden", Count},
             [](const CatalogueShape &preset) {
                 const Architecture &shape = preset.architecture;
                 return hasShape(preset)
                            ? ModelCell(shape.layers)
                                  .as(formatCount(shape.layers) + " × " + formatCount(shape.hidden))
                            : ModelCell();
             })
        .add(
            {"heads", "Heads / KV", Count},
            [](const CatalogueShape &preset) {
                return hasShape(preset)
                           ? ModelCell(preset.architecture.heads).as(headsText(preset.architecture))
                           : ModelCell();
            })
        .add({"context", "Context", Count}, [](const CatalogueShape &preset) {
            const std::int64_t tokens = preset.architecture.maxPositions;
            return tokens > 0 ? ModelCell(tokens).as(contextText(tokens)) : ModelCell();
        });
    return std::move(table).table();
}

} // namespace vramscope
