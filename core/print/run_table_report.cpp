// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/run_table_report.h"

#include "core/base/durations.h"
#include "core/base/format.h"
#include "core/base/json_text.h"
#include "core/base/text.h"
#include "core/print/cells.h"
#include "core/print/problems_text.h"
#include "core/print/profile_json_parts.h"
#include "core/print/profile_text_parts.h"
#include "core/table/text_table.h"

#include <nlohmann/json.hpp>

namespace vramscope {

namespace {

constexpr std::size_t kNameWidth = 40;

std::string targetText(std::optional<bool> reached)
{
    return !reached ? "" : *reached ? " ok" : " low";
}

} // namespace

std::string runTargetsText()
{
    return "Compute should be more than " + formatPercent(kComputeTarget) +
           " of the span, and overlap more than " + formatPercent(kOverlapTarget) +
           " of communication.";
}

std::string runTableText(const std::vector<RunRow> &rows)
{
    TextTable table({Align::Left, Align::Left, Align::Right, Align::Right, Align::Right,
                     Align::Right, Align::Right, Align::Right, Align::Right});
    table.addRow({"run", "of", "span", "compute", "non-compute", "idle", "overlap", "exp. comm.",
                  "peak memory"});
    for (const RunRow &row : rows) {
        const TimeBreakdown &times = row.times;
        const auto share = [&](std::int64_t part) { return formatTimeShare(part, times.span); };
        table.addRow({elided(printable(row.name), kNameWidth),
                      row.isOfSteps ? counted(row.steps, "step") : "everything",
                      formatNanoseconds(times.span),
                      share(times.compute) + targetText(row.reachesCompute()),
                      share(row.nonCompute()), share(times.idle),
                      times.communication > 0
                          ? formatTimeShare(times.overlappedCommunication, times.communication) +
                                targetText(row.reachesOverlap())
                          : "-",
                      formatNanoseconds(times.exposedCommunication),
                      row.peakAllocated ? formatBytes(*row.peakAllocated) : "?"});
    }
    std::string problems;
    for (const RunRow &row : rows)
        problems += problemsText(row.problems, row.name);
    return problems + table.text() + runTargetsText() + "\n";
}

std::string runTableJson(const std::vector<RunRow> &rows)
{
    nlohmann::ordered_json runs = nlohmann::ordered_json::array();
    for (const RunRow &row : rows) {
        const TimeBreakdown &times = row.times;
        nlohmann::ordered_json run{{"file", row.name},
                                   {"problems", problemsJson(row.problems)},
                                   {"device", row.device},
                                   {"steps", row.steps},
                                   {"span", times.span},
                                   {"compute", times.compute},
                                   {"non_compute", row.nonCompute()},
                                   {"idle", times.idle},
                                   {"communication", times.communication},
                                   {"exposed_communication", times.exposedCommunication},
                                   {"compute_share", rateJson(times.computeEfficiency())},
                                   {"overlap", rateJson(times.overlap())}};
        run["peak_allocated"] = row.peakAllocated ? nlohmann::ordered_json(*row.peakAllocated)
                                                  : nlohmann::ordered_json();
        runs.push_back(std::move(run));
    }
    return jsonText(
        {{"runs", std::move(runs)},
         {"targets", {{"compute_share", kComputeTarget}, {"overlap", kOverlapTarget}}}});
}

} // namespace vramscope
