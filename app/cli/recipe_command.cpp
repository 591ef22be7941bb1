// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/nearest.h"
#include "core/print/recipes.h"

#include <array>
#include <iostream>
#include <vector>

namespace vramscope::cli {

namespace {

int runRecipe(const Arguments &arguments)
{
    const bool json = arguments.has("--json");
    if (arguments.files.empty()) {
        std::cout << (json ? recipeListJson() + "\n" : recipeListText());
        return kSuccess;
    }
    const std::string &topic = arguments.files.front();
    const Recipe *found = recipe(topic);
    if (found == nullptr) {
        std::vector<std::string_view> topics;
        for (const Recipe &each : recipes())
            topics.push_back(each.topic);
        return badArguments("recipe", "no recipe for " + topic + didYouMean(topic, topics) +
                                          "; see vramscope-cli recipe");
    }
    std::cout << (json ? recipeJson(*found) + "\n" : recipeText(*found));
    return kSuccess;
}

constexpr std::array kRecipeOptions{
    Option{"--json", "", "one JSON object; without TOPIC a list of all"},
};

} // namespace

const Subcommand kRecipeCommand{
    {"recipe", "[TOPIC]", "The lines that record memory, and that summarise runs of many ranks.", 0,
     1, kRecipeOptions},
    runRecipe};

} // namespace vramscope::cli
