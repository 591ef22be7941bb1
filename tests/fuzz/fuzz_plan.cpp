// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/estimate.h"
#include "core/plan/plan_json.h"
#include "core/print/plan_report.h"
#include "tests/fuzz/fuzzer.h"

using namespace vramscope;

/// Any bytes are an error or a plan; a plan survives being written and read, and has an estimate
/// that can be shown.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const auto plan = parsePlan({reinterpret_cast<const char *>(data), size});
    if (!plan)
        return 0;
    const auto again = parsePlan(planJson(*plan));
    if (!again || !(*again == *plan))
        std::abort();
    const Estimate result = estimate(*plan);
    if (planEstimateJson(*plan, result, "plan").empty() ||
        planEstimateText(*plan, result, "plan").empty())
        std::abort();
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    return fuzz::filesOf("resources/examples", ".vramplan");
}
