// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/other_command.h"
#include "app/cli/trace_input.h"
#include "app/cli/trace_sources.h"
#include "core/base/json_text.h"
#include "core/base/path_text.h"
#include "core/base/written_size.h"
#include "core/llama_cpp/llama_fit.h"
#include "core/print/split_report.h"
#include "core/print/weights_report.h"

#include <nlohmann/json.hpp>

#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

// The names of llama.cpp, so that its command lines carry over.
constexpr std::array kSplitOptions{
    Option{"--n-gpu-layers", "N", "layers on the devices, the output among them; all", false,
           "-ngl"},
    Option{"--tensor-split", "SHARES", "shares of the devices, such as 3,1; by free memory", false,
           "-ts"},
    Option{"--split-mode", "MODE", "none, layer or row", false, "-sm"},
    Option{"--main-gpu", "N", "the device of -sm none, and of small tensors of row", false, "-mg"},
    Option{"--override-tensor", "PATTERN=BUFFER", "tensors on CPU, or on CUDA0, CUDA1, …", true,
           "-ot"},
    Option{"--cpu-moe", "", "all experts on the host"},
    Option{"--n-cpu-moe", "N", "the experts of the first N layers on the host"},
    Option{"--cache-type-k", "TYPE", "f16, q8_0, q4_0, …", false, "-ctk"},
    Option{"--cache-type-v", "TYPE", "the same of values", false, "-ctv"},
    Option{"--ctx-size", "N", "cells of context in all; as the model was trained", false, "-c"},
    Option{"--ubatch-size", "N", "tokens of a micro-batch; 512", false, "-ub"},
    Option{"--parallel", "N", "sequences at once; 1", false, "-np"},
    Option{"--flash-attn", "WORD", "on, off or auto", false, "-fa"},
    Option{"--no-kv-offload", "", "the cache on the host"},
    Option{"--kv-unified", "", "one cache for all sequences"},
    Option{"--swa-full", "", "the whole context for layers with a sliding window"},
};

constexpr std::array kWeightsOnly{
    Option{"--json", "", "one JSON object"},
    kRedactOption,
    Option{"--devices", "LIST", "divide it as llama.cpp does: \"24GiB, 24GiB, host 64GiB\""},
    Option{"--fit", "", "shorten the context and move layers until it fits, as its --fit"},
    Option{"--fit-target", "SIZE", "what --fit leaves free on each device; 1GiB"},
    Option{"--mmproj", "FILE", "a projector beside the model"},
    Option{"--model-draft", "FILE", "a draft model beside it", false, "-md"},
};

constexpr auto kWeightsOptions = joined(kWeightsOnly, kSplitOptions);

/// The model divided over devices, with the result of --fit.
struct DividedModel
{
    LlamaMachine machine;
    LlamaSettings settings;
    LlamaSplit split;
    std::optional<LlamaFit> fit;
};

Result<LlamaSettings> settingsOf(const Arguments &arguments)
{
    LlamaSettings settings;
    for (const Arguments::Given &given : arguments.options) {
        const auto *const option = std::ranges::find(kSplitOptions, given.name, &Option::name);
        if (option == kSplitOptions.end())
            continue;
        const std::string_view name = option->shortName.empty() ? option->name : option->shortName;
        if (const auto set = setLlamaFlag(settings, name, given.value); !set)
            return set.error();
    }
    if (arguments.has("--mmproj")) {
        const auto projector = readWeights(pathOf(arguments.value("--mmproj")));
        if (!projector || !projector->table)
            return projector ? vramscope::invalid("--mmproj has no tensors.") : projector.error();
        settings.projector = projector->table->bytes();
    }
    if (arguments.has("--model-draft")) {
        const auto read = readWeights(pathOf(arguments.value("--model-draft")));
        if (!read)
            return read.error();
        auto draft = llamaModel(*read);
        if (!draft)
            return draft.error();
        settings.draft = std::make_shared<const LlamaModel>(std::move(draft).value());
    }
    return settings;
}

Result<DividedModel> divided(const Checkpoint &checkpoint, const Arguments &arguments)
{
    DividedModel it;
    const auto model = llamaModel(checkpoint);
    if (!model)
        return model.error();
    auto machine = parseMachine(arguments.value("--devices"));
    if (!machine)
        return machine.error();
    it.machine = std::move(machine).value();
    auto settings = settingsOf(arguments);
    if (!settings)
        return settings.error();
    it.settings = std::move(settings).value();
    if (arguments.has("--fit")) {
        LlamaFitTargets targets;
        if (arguments.has("--fit-target")) {
            const auto margin = writtenBytes(arguments.value("--fit-target"));
            if (!margin)
                return vramscope::invalid("--fit-target takes a size, such as 1GiB.");
            targets.margin = *margin;
        }
        it.fit = fitModel(*model, it.settings, it.machine.devices, targets);
        it.settings = it.fit->settings;
    }
    it.split = splitModel(*model, it.settings, it.machine.devices);
    return it;
}

int runWeights(const Arguments &arguments)
{
    const std::string &file = arguments.files.front();
    const bool redact = arguments.has("--redact");
    Result<Checkpoint> checkpoint = readWeights(pathOf(file));
    if (!checkpoint.ok())
        return complainOf(file, withRightCommand(checkpoint.error(), "weights", file).text(),
                          redact);
    if (redact) {
        Redaction names;
        names.gatherFileName(file);
        gatherNames(names, *checkpoint);
        checkpoint = redacted(*checkpoint, names);
    }
    std::optional<DividedModel> model;
    if (arguments.has("--devices")) {
        auto read = divided(*checkpoint, arguments);
        if (!read) {
            complainOf(file, read.error().text(), redact);
            return read.error().code == ErrorCode::Invalid ? kBadArguments : kUnusableFile;
        }
        model = std::move(read).value();
    } else if (std::ranges::any_of(arguments.options, [](const Arguments::Given &given) {
                   return given.name != "--json" && given.name != "--redact";
               }))
        return badArguments("weights",
                            "options of llama.cpp need --devices, such as --devices 24GiB");
    if (arguments.has("--json")) {
        auto json = weightsJson(*checkpoint);
        if (model) {
            json["split"] = splitJson(model->split, model->settings, model->machine);
            if (model->fit)
                json["fit"] = {{"fits", model->fit->fits}, {"steps", model->fit->steps}};
        }
        std::cout << jsonText(json) << '\n';
        return kSuccess;
    }
    std::cout << weightsText(*checkpoint);
    if (model) {
        std::cout << '\n';
        if (model->fit)
            for (const std::string &step : model->fit->steps)
                std::cout << "Fit: " << step << '\n';
        std::cout << splitText(model->split, model->settings, model->machine);
    }
    return kSuccess;
}

} // namespace

const Subcommand kWeightsCommand{
    {"weights", "FILE",
     "Bytes of a GGUF or safetensors model by type and layer, from its header alone.", 1, 1,
     kWeightsOptions,
     "A folder, an index, a .safetensors or a .gguf file; of a split GGUF any part.\n"},
    runWeights};

} // namespace vramscope::cli
