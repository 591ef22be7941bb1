// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/vllm_logs.h"

#include "core/catalog/shipped_table.h"
#include "core/settings/engines/engine_version.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <vector>

namespace vramscope {

namespace {

struct LoggedRun
{
    EngineVersion release;
    bool everyPatch = false; ///< the row names a minor release
    std::string gpu;
    std::int64_t tensor = 1;
    std::int64_t pipeline = 1;
    Empirical nonTorch;

    [[nodiscard]] bool isOf(const EngineVersion &version) const
    {
        return version.major == release.major && version.minor == release.minor &&
               (everyPatch || version.patch == release.patch);
    }
};

std::vector<LoggedRun> readRuns()
{
    std::vector<LoggedRun> runs;
    readShippedTable("measured/outside_torch/rows.csv", [&](const auto &cell) {
        const std::string &release = cell("release");
        runs.push_back({engineVersion(release).value(),
                        std::ranges::count(release, '.') == 1,
                        cell("gpu"),
                        numberIn(cell("tensor")),
                        numberIn(cell("pipeline")),
                        {"vLLM outside PyTorch", quantityIn(cell("value")), quantityIn(cell("low")),
                         quantityIn(cell("high")), "bytes",
                         "As vLLM " + release + " logged it on this GPU: " + cell("source"),
                         "vLLM " + release}});
    });
    return runs;
}

} // namespace

const Empirical *loggedNonTorch(const Settings &s)
{
    static const std::vector<LoggedRun> runs = readRuns();
    const auto version = engineVersion(s.engineVersion);
    if (!s.gpu || !version)
        return nullptr;
    const auto found = std::ranges::find_if(runs, [&](const LoggedRun &run) {
        return run.isOf(*version) && run.gpu == s.gpu->name && run.tensor == s.tensor &&
               run.pipeline == s.pipeline;
    });
    return found == runs.end() ? nullptr : &found->nonTorch;
}

} // namespace vramscope
