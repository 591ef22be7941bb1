// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/other_command.h"
#include "core/base/format.h"
#include "core/base/output_file.h"
#include "core/base/path_text.h"
#include "core/exchange/import.h"
#include "core/plan/plan_json.h"
#include "core/print/exchange_report.h"

#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

/// Applies the files one after another; the notes of each name its file.
Result<ImportedFiles> importAll(const Arguments &arguments, std::string &failed)
{
    ImportedFiles all;
    if (arguments.has("--onto")) {
        failed = arguments.value("--onto");
        const Result<Plan> base = readPlan(pathOf(failed));
        if (!base.ok())
            return base.error();
        all.plan = *base;
    }
    for (const std::string &file : arguments.files) {
        failed = file;
        Result<Imported> imported = importFile(all.plan, pathOf(file));
        if (!imported.ok())
            return imported.error();
        all.plan = std::move(imported->plan);
        all.files.push_back({file, imported->format, std::move(imported->notes)});
    }
    return all;
}

/// Refuses an output that is also an input.
Result<void> checkOutput(const Arguments &arguments)
{
    std::vector<std::filesystem::path> inputs = pathsOf(arguments.files);
    if (arguments.has("--onto"))
        inputs.emplace_back(arguments.value("--onto"));
    return keepInputs(pathOf(arguments.value("--out")), inputs);
}

int runImport(const Arguments &arguments)
{
    const std::string out(arguments.value("--out"));
    if (out == "-" && arguments.has("--json"))
        return badArguments("import",
                            "--out - and --json both take the output; leave one of them out");
    if (const Result<void> kept = checkOutput(arguments); !kept.ok())
        return unusable(out, kept.error().text());
    std::string failed;
    const Result<ImportedFiles> all = importAll(arguments, failed);
    if (!all.ok())
        return unusable(failed, withRightCommand(all.error(), "import", failed).text());
    if (arguments.has("--out")) {
        if (const Result<void> written = writePlan(all->plan, pathOf(out)); !written.ok())
            return unusable(out, written.error().text());
    }
    if (arguments.has("--json")) {
        std::cout << importJson(*all) << '\n';
        return kSuccess;
    }
    if (!arguments.has("--out"))
        std::cout << planJson(all->plan);
    std::cerr << importNotesText(*all);
    return kSuccess;
}

constexpr std::array kImportOptions{
    Option{"--onto", "PLAN", "the plan that the files change; an empty one by default"},
    Option{"--out", "PLAN", "write the plan to this file instead of the output; -: the output"},
    Option{"--json", "", "one JSON object: the plan and the notes"},
};

} // namespace

const Subcommand kImportCommand{
    {"import", "FILE…",
     "A plan from config files or arguments of other tools, or from a local checkpoint.", 1,
     kAnyNumber, kImportOptions},
    runImport};

} // namespace vramscope::cli
