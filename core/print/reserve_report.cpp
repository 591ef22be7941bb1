// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/reserve_report.h"

#include "core/base/json_text.h"
#include "core/describe/allocator_tables.h"
#include "core/plan/plan.h"
#include "core/print/cells.h"
#include "core/print/json_parts.h"
#include "core/table/terminal_table.h"

namespace vramscope {

namespace {

Json settingReserveJson(const PlannedReserve &reserve)
{
    const auto issueJson = [](const SettingIssue &issue) -> Json {
        return {{"key", issue.key}, {"text", issue.text}};
    };
    const SimulationResult &result = reserve.result;
    return {{"configuration", reserve.configuration},
            {"issues", listJson(reserve.issues, issueJson)},
            {"reserved", result.figures.peakReserved},
            {"low", reserve.low},
            {"high", reserve.high},
            {"reserved_factor", reserve.factor},
            {"verdict", reserve.verdict ? Json(verdictKey(*reserve.verdict)) : Json()},
            {"simulator_alone", reserve.simulated},
            {"reserved_at", reserve.peakAt},
            {"stranded", result.strandedAtPeak},
            {"segments", reserve.segments()},
            {"retries", result.figures.retries},
            {"out_of_memory_at", orNull(result.runsOut(), reserve.outOfMemoryAt)}};
}

} // namespace

std::string reserveJson(const Estimate &figures, std::span<const PlannedReserve> reserves,
                        const std::string &file)
{
    return jsonText({{"file", file},
                     {"allocated", figures.peakAllocated},
                     {"factor",
                      {{"reserved", figures.peakReserved},
                       {"low", figures.reservedLow},
                       {"high", figures.reservedHigh}}},
                     {"simulated", listJson(reserves, settingReserveJson)},
                     {"reason", textOrNull(whyNothingReserved(figures, reserves))}});
}

std::string reserveText(const Plan &plan, const Estimate &figures,
                        std::span<const PlannedReserve> reserves, const std::string &file,
                        ByteUnit unit)
{
    const std::string reason = whyNothingReserved(figures, reserves);
    if (!reason.empty())
        return paragraph(printable(file) + ": " + reason);
    constexpr std::size_t kWidest = 200; // settings are copied whole
    const auto found = std::make_shared<const PlanReserves>(
        PlanReserves{{reserves.begin(), reserves.end()}, {}, {}});
    std::string text = paragraph(printable(file) + ", a first and a steady step on a simulated "
                                                   "allocator, by PYTORCH_CUDA_ALLOC_CONF:") +
                       terminalText(reservesTable(found, unit), {.widest = kWidest, .unit = unit});
    for (const PlannedReserve &reserve : reserves)
        for (const SettingIssue &issue : reserve.issues)
            text += paragraph(printable(reserve.configuration) + ": " + issue.text);
    return text +
           paragraph(std::string(plan.overheads.allocConf ? "The first line" : "The default") +
                     " is the plan's own figure, by its factor, which over the published "
                     "runs that ship is as near as the simulation. The simulation says how much of "
                     "the factor's slack each other setting keeps. " +
                     reserveRemark(plan));
}

} // namespace vramscope
