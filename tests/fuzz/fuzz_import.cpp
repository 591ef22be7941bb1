// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/exchange/export.h"
#include "core/plan/plan_json.h"
#include "tests/fuzz/fuzzer.h"

using namespace vramscope;

/// Any bytes are an error or a plan that can be written, read, computed and exported.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    static const Plan base = [] {
        Plan plan;
        plan.model.preset = "llama-3.1-8b";
        plan.hardware.gpus = 16;
        return plan;
    }();
    const auto imported = importInto(base, {reinterpret_cast<const char *>(data), size});
    if (!imported)
        return 0;
    const auto again = parsePlan(planJson(imported->plan));
    if (!again || !(*again == imported->plan))
        std::abort();
    (void)estimate(*again);
    for (std::size_t i = 0; i < kExportFormats.size(); ++i) {
        if (ExportFormat(i) == ExportFormat::Accelerate ||
            ExportFormat(i) == ExportFormat::LlamaFactory)
            continue; // no import reads them
        const auto exported = exportPlan(*again, ExportFormat(i));
        if (exported && !importInto(base, exported->text))
            std::abort();
    }
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    return fuzz::filesOf("tests/data/exchange", "");
}
