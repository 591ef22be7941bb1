// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/recipes.h"
#include "core/table/text_table.h"

#include <nlohmann/json.hpp>

#include <vector>

namespace vramscope {

namespace {

using Json = nlohmann::ordered_json;

std::vector<std::string> linesOfText(std::string_view text)
{
    std::vector<std::string> lines;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
    }
    return lines;
}

Json json(const Recipe &recipe)
{
    return {{"topic", recipe.topic},     {"title", recipe.title},
            {"needs", recipe.needs},     {"notes", linesOfText(recipe.notes)},
            {"program", recipe.program}, {"lines", recipe.lines}};
}

} // namespace

std::string recipeListText()
{
    TextTable table({Align::Left, Align::Left});
    for (const Recipe &each : recipes())
        table.addRow({std::string(each.topic), std::string(each.title)});
    return "How to record memory, by topic (vramscope-cli recipe TOPIC):\n\n" + table.text();
}

std::string recipeText(const Recipe &recipe)
{
    const std::string mark = recipe.program.empty() ? "" : "# ";
    std::string text = mark + std::string(recipe.title);
    text += recipe.needs.empty() ? "\n" : "; needs " + std::string(recipe.needs) + "\n";
    text += recipe.program.empty() ? "\n" : "#\n";
    for (const std::string &line : linesOfText(recipe.notes))
        text += mark + line + "\n";
    if (!recipe.lines.empty())
        text += "\n" + std::string(recipe.lines);
    return text;
}

std::string recipeJson(const Recipe &recipe)
{
    return json(recipe).dump();
}

std::string recipeListJson()
{
    Json list = Json::array();
    for (const Recipe &each : recipes())
        list.push_back(json(each));
    return list.dump();
}

} // namespace vramscope
