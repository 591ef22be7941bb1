// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/text.h"
#include "core/print/presets_report.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

int runPresets(const Arguments &arguments)
{
    PresetQuery query;
    for (const std::string &word : arguments.files)
        query.words += word + ' ';
    query.family = arguments.value("--family");
    const std::vector<std::string> families = presetFamilies();
    if (arguments.has("--family") && std::ranges::none_of(families, [&](const std::string &one) {
            return lowered(one) == lowered(query.family);
        })) {
        std::string list;
        for (const std::string &family : families)
            list += (list.empty() ? "" : ", ") + family;
        return badArguments("presets", "--family: there is no family " + query.family +
                                           "; there are: " + list);
    }
    std::cout << (arguments.has("--json") ? presetsJson(query) + '\n'
                                          : presetsText(query, unitOf(arguments)));
    return kSuccess;
}

constexpr std::array kPresetsOptions{
    Option{"--json", "", "one JSON object"},
    Option{"--family", "NAME", "the models of this family alone"},
    Option{"--gb", "", "sizes in powers of ten (GB) instead of two (GiB)"},
};

constexpr std::string_view kPresetsDetails =
    R"(Words:
  qwen 2025       what has all of them in its name, title, family, year, repository or kind
  8B              of that size by its name, or by its parameters, rounded
  7B-14B          of 7 to 14 billion parameters; ">30B" and "<1B" in quotes
)";

} // namespace

const Subcommand kPresetsCommand{{"presets", "[WORD…]",
                                  "The models and GPUs that plans know by name.", 0, kAnyNumber,
                                  kPresetsOptions, kPresetsDetails},
                                 runPresets};

} // namespace vramscope::cli
