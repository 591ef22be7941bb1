// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/coverage.h"

#include "core/plan/choices.h"
#include "core/validation/shipped.h"

namespace vramscope {

namespace {

bool isOf(const ComparedFigure &row, const std::string &kind)
{
    return row.run == kind || row.run.starts_with(kind + ",");
}

} // namespace

Coverage coverageOf(const Validation &validation)
{
    std::vector<std::pair<std::string, std::string_view>> kinds;
    constexpr auto kDistributed = static_cast<std::size_t>(Strategy::MegatronDistributedOptimizer);
    for (std::size_t at = 1; at < choiceTexts<Strategy>.size(); ++at) // 0, without one: one GPU
        kinds.emplace_back("training, " + std::string(choiceTexts<Strategy>[at]),
                           at == kDistributed ? "Megatron's distributed optimizer"
                                              : choiceTitles<Strategy>[at]);
    for (const EngineTraits &engine : kEngineTraits)
        kinds.emplace_back("inference, " + std::string(engine.word),
                           engine.word == "hf"      ? "Hugging Face serving"
                           : engine.word == "plain" ? "serving without an engine"
                                                    : engine.name());
    Coverage coverage;
    for (const auto &[kind, name] : kinds) {
        std::size_t rows = 0;
        std::size_t recorded = 0;
        for (const ComparedFigure &row : validation.rows) {
            if (!isOf(row, kind))
                continue;
            ++rows;
            recorded += isRecorded(row.row) ? 1U : 0U;
        }
        if (rows == 0)
            coverage.never.emplace_back(name);
        else if (rows == recorded)
            coverage.onlyRecorded.emplace_back(name);
    }
    return coverage;
}

} // namespace vramscope
