// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/tools.h"

#include "core/base/parts.h"
#include "core/catalog/shipped_table.h"

#include <algorithm>

namespace vramscope {

namespace {

std::vector<Tool> readTools()
{
    std::vector<Tool> tools;
    readShippedTable("tools/tools.csv", [&](const auto &cell) {
        const auto words = partsOf(cell("words"), '|');
        tools.push_back({.name = cell("name"),
                         .title = cell("title"),
                         .kind = cell("kind") == "engine" ? ToolKind::Engine : ToolKind::Trainer,
                         .words = {words.begin(), words.end()},
                         .behavesAs = cell("behaves_as"),
                         .usualTask = cell("task"),
                         .version = cell("version"),
                         .launches = !cell("launches").empty(),
                         .hubOwner = cell("hub")});
    });
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
