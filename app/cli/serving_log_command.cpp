// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/commands.h"
#include "app/cli/report_files.h"
#include "core/print/serving_log_report.h"
#include "core/serving_logs/read_serving_log.h"

namespace vramscope::cli {

namespace {

int runServingLog(const Arguments &arguments)
{
    return reportFiles(
        arguments, [](const std::string &file) { return readServingLog(file); }, servingLogJson,
        servingLogText);
}

} // namespace

const Subcommand kServingLogCommand{
    {"serving-log", "FILE…",
     "What a serving engine logged while it started: weights, activations, cache, refusals.", 1,
     kAnyNumber, kReportOptions},
    runServingLog};

} // namespace vramscope::cli
