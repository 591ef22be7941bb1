// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/plan/embedded_plan.h"
#include "core/plan/plan_json.h"
#include "core/report/html.h"
#include "core/report/plan_section.h"
#include "tests/fuzz/fuzzer.h"

using namespace vramscope;

namespace {

/// Fails where the report of a plan does not open as that plan.
void checkReport(const Plan &plan)
{
    const Estimate needs = estimate(plan);
    Report report;
    addPlanSection(report, {plan, needs, "plan.vramplan", 1});
    const std::string page = htmlPage(report, {});
    const auto text = embeddedPlan(page);
    const auto again = text ? parsePlan(*text) : Error{ErrorCode::OtherContent, "no plan"};
    if (!again || !(*again == plan))
        std::abort();
}

} // namespace

/// Any bytes hold the text of a plan, within them, or none; what is a plan survives being written
/// into a report and read from it, whatever its texts are.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t *data, std::size_t size)
{
    const std::string_view page(reinterpret_cast<const char *>(data), size);
    const auto text = embeddedPlan(page);
    if (!text)
        return 0;
    if (text->data() < page.data() || text->data() + text->size() > page.data() + page.size())
        std::abort();
    const auto plan = parsePlan(*text);
    if (plan)
        checkReport(*plan);
    return 0;
}

std::vector<std::string> fuzzSeeds()
{
    std::vector<std::string> seeds;
    for (const std::string &file : fuzz::filesOf("resources/examples", ".vramplan")) {
        Report report;
        report.plans.push_back(parsePlan(file).value());
        const std::string page = htmlPage(report, {});
        seeds.push_back(page.substr(0, page.find("<style>"))); // what comes after is not read
    }
    return seeds;
}
