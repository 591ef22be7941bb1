// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/tools.h"

#include "core/base/csv.h"
#include "core/base/parts.h"
#include "core/base/shipped_documents.h"

#include <algorithm>
#include <cassert>

namespace vramscope {

namespace {

std::vector<Tool> readTools()
{
    const auto table = parseCsv(shippedDocument("tools/tools.csv"));
    assert(table);
    std::vector<Tool> tools;
    for (const CsvRow &row : table->rows) {
        const auto &cells = row.cells;
        const auto words = partsOf(cells[3], '|');
        tools.push_back({.name = cells[0],
                         .title = cells[1],
                         .kind = cells[2] == "engine" ? ToolKind::Engine : ToolKind::Trainer,
                         .words = {words.begin(), words.end()},
                         .behavesAs = cells[4],
                         .usualTask = cells[5],
                         .version = cells[6],
                         .launches = !cells[7].empty(),
                         .hubOwner = cells[8]});
    }
    return tools;
}

} // namespace

std::span<const Tool> tools()
{
    static const std::vector<Tool> all = readTools();
    return all;
}

const Tool *toolNamed(std::string_view name)
{
    const auto found = std::ranges::find(tools(), name, &Tool::name);
    return found == tools().end() ? nullptr : &*found;
}

std::span<const std::string_view> trainerNames()
{
    static const std::vector<std::string_view> names = [] {
        std::vector<std::string_view> trainers;
        for (const Tool &tool : tools())
            if (tool.kind == ToolKind::Trainer)
                trainers.emplace_back(tool.name);
        return trainers;
    }();
    return names;
}

} // namespace vramscope
