// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "core/base/json_text.h"
#include "core/print/weights_report.h"

#include <nlohmann/json.hpp>

#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

int runWeights(const Arguments &arguments)
{
    const std::string &file = arguments.files.front();
    const Result<Checkpoint> checkpoint = readWeights(file);
    if (!checkpoint.ok()) {
        complain(file, checkpoint.error().text());
        return kUnusableFile;
    }
    if (arguments.has("--json"))
        std::cout << jsonText(weightsJson(*checkpoint)) << '\n';
    else
        std::cout << weightsText(*checkpoint);
    return kSuccess;
}

constexpr std::array kWeightsOptions{
    Option{"--json", "", "one JSON object"},
};

} // namespace

const Subcommand kWeightsCommand{
    {"weights", "FILE",
     "Bytes of a GGUF or safetensors model by type and layer, from its header alone.", 1, 1,
     kWeightsOptions,
     "A folder, an index, a .safetensors or a .gguf file; of a split GGUF any part.\n"},
    runWeights};

} // namespace vramscope::cli
