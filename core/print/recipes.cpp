// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/recipes.h"

#include "core/base/shipped_documents.h"
#include "core/print/json_parts.h"
#include "core/table/text_table.h"

#include <algorithm>
#include <vector>

namespace vramscope {

namespace {

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

Json recipeObject(const Recipe &recipe)
{
    return {{"topic", recipe.topic},     {"title", recipe.title},
            {"needs", recipe.needs},     {"notes", linesOfText(recipe.notes)},
            {"program", recipe.program}, {"lines", recipe.lines}};
}

/// Takes the text up to `mark`, and the mark with it; all of the text where the mark is missing.
std::string_view takeTo(std::string_view &text, std::string_view mark)
{
    const std::size_t end = std::min(text.find(mark), text.size());
    const std::string_view taken = text.substr(0, end);
    text.remove_prefix(std::min(end + mark.size(), text.size()));
    return taken;
}

/// A section of recipes.md from its topic on. A file behind the word of the program has its lines.
Recipe recipeOf(std::string_view section)
{
    constexpr std::string_view kFence = "```";
    constexpr std::string_view kNeeds = "\nNeeds: ";
    Recipe recipe;
    recipe.topic = takeTo(section, "\n\n");
    std::string_view head = takeTo(section, "\n\n");
    recipe.title = takeTo(head, kNeeds);
    recipe.needs = head;
    recipe.notes = takeTo(section, "\n\n");
    if (recipe.notes.ends_with('\n')) // of the last line of the file
        recipe.notes.remove_suffix(1);
    if (!section.starts_with(kFence))
        return recipe;
    section.remove_prefix(kFence.size());
    std::string_view program = takeTo(section, "\n");
    recipe.program = takeTo(program, " ");
    recipe.lines = program.empty() ? takeTo(section, kFence)
                                   : shippedDocument("recipes/" + std::string(program));
    return recipe;
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
    return recipeObject(recipe).dump();
}

std::string recipeListJson()
{
    return listJson(recipes(), recipeObject).dump();
}

std::span<const Recipe> recipes()
{
    static const std::vector<Recipe> all = [] {
        constexpr std::string_view kSection = "\n## ";
        std::string_view text = shippedDocument("recipes/recipes.md");
        takeTo(text, kSection);
        std::vector<Recipe> read;
        while (!text.empty())
            read.push_back(recipeOf(takeTo(text, kSection)));
        return read;
    }();
    return all;
}

const Recipe *recipe(std::string_view topic)
{
    const auto all = recipes();
    const auto found = std::ranges::find(all, topic, &Recipe::topic);
    return found == all.end() ? nullptr : &*found;
}

} // namespace vramscope
