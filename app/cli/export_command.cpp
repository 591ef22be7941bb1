// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/path_text.h"
#include "core/plan/plan_json.h"
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
        std::string known;
        for (const std::string_view each : kExportFormats)
            known += (known.empty() ? "" : ", ") + std::string(each);
        return badArguments("export", "--as: \"" + std::string(name) + "\" is none of " + known);
    }
    const std::string &file = arguments.files.front();
    const Result<Plan> plan = readPlan(pathOf(file));
    const Result<Exported> exported =
        plan.ok() ? exportPlan(*plan, *format) : Result<Exported>(plan.error());
    if (!exported.ok())
        return unusable(file, exported.error().text());
    if (arguments.has("--json")) {
        std::cout << exportJson(*exported, name) << '\n';
    } else {
        std::cout << exported->text;
        std::cerr << exportNotesText(*exported);
    }
    return kSuccess;
}

constexpr std::array kExportOptions{
    Option{.name = "--as",
           .value = "FORMAT",
           .help = "one of the formats below",
           .words = kExportFormats},
    Option{"--json", "", "one JSON object: the text and the notes"},
};

constexpr std::string_view kExportDetails = R"(formats:
  hf-config       the model as Hugging Face's config.json
  deepspeed       the JSON of DeepSpeed
  torchtitan      the TOML of torchtitan
  megatron        arguments of Megatron-LM
  vllm            the command line of vLLM
  accelerate      the YAML of accelerate config: processes, sharding, precision
  trainer         the YAML of transformers' TrainingArguments, for HfArgumentParser
  trl             the YAML of trl sft --config
  axolotl         the YAML of axolotl train
  llama-factory   the YAML of llamafactory-cli train

What a format cannot say, or says as something else, stands on standard error, a line each. Data,
learning rate and what else bears on no memory is left to you.
)";

} // namespace

const Subcommand kExportCommand{{"export", "PLAN", "A plan in the words of another tool.", 1, 1,
                                 kExportOptions, kExportDetails},
                                runExport};

} // namespace vramscope::cli
