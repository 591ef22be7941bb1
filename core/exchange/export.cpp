// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export.h"

#include "core/exchange/outline.h"
#include "core/model/parameters.h"
#include "core/settings/usual_values.h"

#include <algorithm>

namespace vramscope {

namespace {

struct Writer
{
    std::string_view format;
    void (*write)(Outline &);
    Syntax syntax;
    bool trainingOnly = false;
    bool shape = false; ///< it describes the model, with words for plain models only
};

constexpr std::array<Writer, kExportFormats.size()> kWriters = {{
    {"a config.json", writeHfConfig, Syntax::Yaml}, // text, unchanged
    {"a DeepSpeed JSON", writeDeepSpeed, Syntax::Json, true, true},
    {"a torchtitan TOML", writeTorchtitan, Syntax::Toml, true, true},
    {"Megatron-LM's arguments", writeMegatron, Syntax::Options, true, true},
    {"vLLM's arguments", writeVllm, Syntax::Options},
    {"accelerate's YAML", writeAccelerate, Syntax::Yaml, true},
    {"TrainingArguments", writeTrainer, Syntax::Yaml, true},
    {"TRL's YAML", writeTrl, Syntax::Yaml, true},
    {"an axolotl YAML", writeAxolotl, Syntax::Yaml, true},
    {"LLaMA-Factory's YAML", writeLlamaFactory, Syntax::Yaml, true},
}};

} // namespace

Result<Exported> exportPlan(const Plan &plan, ExportFormat format)
{
    const auto architecture = architectureOf(plan.model);
    if (!architecture)
        return architecture.error();
    const Writer &writer = kWriters[static_cast<std::size_t>(format)];
    if (writer.shape && !architecture->isPlain())
        return Error{
            ErrorCode::Unsupported,
            "This model has layers that do not attend, or experts in some layers only; it cannot "
            "be written as " +
                std::string(writer.format) + '.'};
    if (writer.shape && architecture->readsImages())
        return Error{ErrorCode::Unsupported, "This model takes images; it cannot be written as " +
                                                 std::string(writer.format) + '.'};
    if (writer.trainingOnly && plan.workload == Workload::Inference)
        return Error{ErrorCode::Unsupported,
                     "This plan is of inference, and " + std::string(writer.format) +
                         " can only describe training; export it as vllm or hf-config."};
    if (!isAllocConf(plan.overheads.allocConf.value_or("")))
        return Error{ErrorCode::Invalid,
                     "overheads.alloc_conf is no text that PYTORCH_CUDA_ALLOC_CONF may be; correct "
                     "it in the plan."};
    Outline outline(plan);
    writer.write(outline);
    return Exported{outline.text(writer.syntax), outline.notes(writer.format)};
}

std::optional<ExportFormat> findExportFormat(std::string_view name)
{
    const auto found = std::ranges::find(kExportFormats, name);
    if (found == kExportFormats.end())
        return std::nullopt;
    return static_cast<ExportFormat>(found - kExportFormats.begin());
}

} // namespace vramscope
