// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/planner/plan_json.h"
#include "core/print/exchange_report.h"

#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

int runExport(const Arguments &arguments)
{
    const std::string_view name = arguments.value("--as");
    const auto format = findExportFormat(name);
    if (!format) {
        complain("export", "--as: \"" + std::string(name) +
                               "\" is none of hf-config, deepspeed, torchtitan, megatron, vllm");
        return kBadArguments;
    }
    const std::string &file = arguments.files.front();
    const Result<Plan> plan = readPlan(file);
    const Result<Exported> exported =
        plan.ok() ? exportPlan(*plan, *format) : Result<Exported>(plan.error());
    if (!exported.ok()) {
        complain(file, exported.error().text());
        return kUnusableFile;
    }
    if (arguments.has("--json")) {
        std::cout << exportJson(*exported, name) << '\n';
    } else {
        std::cout << exported->text;
        std::cerr << exportNotesText(*exported);
    }
    return kSuccess;
}

constexpr std::array kExportOptions{
    Option{"--as", "FORMAT", "hf-config, deepspeed, torchtitan, megatron or vllm"},
    Option{"--json", "", "one JSON object: the text and the notes"},
};

} // namespace

const Subcommand kExportCommand{
    {"export", "PLAN", "A plan in the words of another tool.", 1, 1, kExportOptions}, runExport};

} // namespace vramscope::cli
