// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "core/print/presets_report.h"

#include <array>
#include <iostream>

namespace vramscope::cli {

namespace {

int runPresets(const Arguments &arguments)
{
    const ByteUnit unit = unitOf(arguments);
    if (arguments.has("--json"))
        std::cout << presetsJson() << '\n';
    else
        std::cout << presetsText(unit);
    return kSuccess;
}

constexpr std::array kPresetsOptions{
    Option{"--json", "", "one JSON object"},
    Option{"--gb", "", "sizes in powers of ten (GB) instead of two (GiB)"},
};

} // namespace

const Subcommand kPresetsCommand{
    {"presets", "", "The models and GPUs that plans know by name.", 0, 0, kPresetsOptions},
    runPresets};

} // namespace vramscope::cli
