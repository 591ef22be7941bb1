// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/print/seeds_report.h"

#include <algorithm>
#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

int runSeeds(const Arguments &arguments)
{
    const std::vector<SeedTable> tables = seedTables();
    std::cout << (arguments.has("--json") ? seedsJson(tables) + '\n' : seedsText(tables));
    const bool complete = std::ranges::all_of(tables, [](const SeedTable &table) {
        return std::ranges::all_of(table.rows,
                                   [](const SeedRow &row) { return row.recomputed.ok(); });
    });
    return complete ? kSuccess : kUnusableFile;
}

constexpr std::array kSeedsOptions{
    Option{"--json", "", "one JSON object"},
};

} // namespace

const Subcommand kSeedsCommand{{"seeds", "",
                                "Published claims about GPU memory, as written and as recomputed.",
                                0, 0, kSeedsOptions},
                               runSeeds};

} // namespace vramscope::cli
