// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/validation/coverage.h"

#include "core/plan/choices.h"
#include "core/validation/shipped.h"

#include <array>

namespace vramscope {

namespace {

// In the order of their choices; training without a strategy is one GPU.
constexpr std::array<std::string_view, 8> kStrategies{
    "DDP",   "ZeRO-1", "ZeRO-2",   "ZeRO-3",
    "FSDP1", "FSDP2",  "Megatron", "Megatron's distributed optimizer"};
constexpr std::array<std::string_view, 7> kEngines{
    "vLLM",   "Hugging Face serving", "llama.cpp", "serving without an engine",
    "SGLang", "TensorRT-LLM",         "MLX"};
static_assert(kStrategies.size() + 1 == choiceTexts<Strategy>.size());
static_assert(kEngines.size() == choiceTexts<Engine>.size());

bool isOf(const ComparedFigure &row, const std::string &kind)
{
    return row.run == kind || row.run.starts_with(kind + ",");
}

} // namespace

Coverage coverageOf(const Validation &validation)
{
    std::vector<std::pair<std::string, std::string_view>> kinds;
    for (std::size_t at = 0; at < kStrategies.size(); ++at)
        kinds.emplace_back("training, " + std::string(choiceTexts<Strategy>[at + 1]),
                           kStrategies[at]);
    for (std::size_t at = 0; at < kEngines.size(); ++at)
        kinds.emplace_back("inference, " + std::string(choiceTexts<Engine>[at]), kEngines[at]);
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
