// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/print/run_table_report.h"

#include "core/base/json_text.h"
#include "core/describe/ranks_tables.h"
#include "core/print/problems_text.h"
#include "core/table/json_rows.h"
#include "core/table/terminal_table.h"

#include <nlohmann/json.hpp>

namespace vramscope {

std::string runTableText(const std::vector<RunRow> &rows)
{
    std::string problems;
    for (const RunRow &row : rows)
        problems += problemsText(row.problems, row.name);
    return problems +
           terminalText(runsTable(rows), {.keys = {"file", "steps", "span", "compute_share",
                                                   "non_compute_share", "idle_share", "overlap",
                                                   "exposed_communication", "peak_allocated"},
                                          .widest = 40}) +
           runTargetsText() + "\n";
}

std::string runTableJson(const std::vector<RunRow> &rows)
{
    nlohmann::ordered_json runs =
        rowsJson(runsTable(rows), {"file", "problems", "device", "steps", "span", "compute",
                                   "non_compute", "idle", "communication", "exposed_communication",
                                   "compute_share", "overlap", "peak_allocated"});
    for (std::size_t at = 0; at < rows.size(); ++at)
        runs[at]["problems"] = problemsJson(rows[at].problems);
    return jsonText(
        {{"runs", std::move(runs)},
         {"targets", {{"compute_share", kComputeTarget}, {"overlap", kOverlapTarget}}}});
}

} // namespace vramscope
