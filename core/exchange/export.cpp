// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/export.h"

#include "core/exchange/outline.h"
#include "core/planner/parameters.h"
#include "core/planner/usual_values.h"

#include <algorithm>

namespace vramscope {

namespace {

struct Writer
{
    std::string_view format;
    std::string (*text)(Outline &);
    bool trainingOnly = false;
    bool shape = false; ///< it describes the model, by words that only plain ones have
};

constexpr std::array<Writer, kExportFormats.size()> kWriters = {{
    {"a config.json", hfConfigText},
    {"a DeepSpeed JSON", deepSpeedText, true, true},
    {"a torchtitan TOML", torchtitanText, true, true},
    {"Megatron-LM's arguments", megatronText, true, true},
    {"vLLM's arguments", vllmText},
    {"accelerate's YAML", accelerateText, true},
    {"TrainingArguments", trainerText, true},
    {"TRL's YAML", trlText, true},
    {"an axolotl YAML", axolotlText, true},
    {"LLaMA-Factory's YAML", llamaFactoryText, true},
}};

/// isAllocConf() texts hold no quote; a shell reads brackets and ">" by itself.
std::string shellSetting(const std::string &conf)
{
    const bool plain = conf.find_first_of("[]> ") == conf.npos;
    return "export PYTORCH_CUDA_ALLOC_CONF=" + (plain ? conf : '\'' + conf + '\'');
}

} // namespace

Outline::Outline(const Plan &plan)
    : m_plan(plan)
    , m_resolved(resolve(plan))
{
    said({"name", "workload", "model.known_as"});
}

void Outline::said(std::initializer_list<FieldPath> fields)
{
    for (const FieldPath field : fields)
        m_said.insert(field);
}

void Outline::saidGroup(std::string_view group)
{
    for (const Field &field : planFields()) {
        if (isOfGroup(field.path, group))
            m_said.insert(field.path);
    }
}

bool Outline::states(FieldPath field)
{
    m_said.insert(field);
    return isStated(fieldAt(field).get(m_plan));
}

std::string Outline::allocatorLine()
{
    said({"overheads.alloc_conf"});
    const std::string &conf = settings().allocConf;
    return conf.empty() ? std::string() : shellSetting(conf);
}

void Outline::changed(FieldPath field, std::string text)
{
    m_changed[field] = std::move(text);
}

std::vector<ImportNote> Outline::notes(std::string_view format) const
{
    std::vector<ImportNote> notes;
    for (const Field &field : planFields()) {
        if (const auto change = m_changed.find(field.path); change != m_changed.end()) {
            notes.push_back({std::string(field.path), change->second});
            continue;
        }
        if (!isStated(field.get(m_plan)) || m_said.contains(field.path))
            continue;
        if (field.path == "overheads.alloc_conf" && !settings().allocConf.empty())
            notes.push_back({std::string(field.path), "is an environment variable, to be set where "
                                                      "the run starts: " +
                                                          shellSetting(settings().allocConf)});
        else
            notes.push_back({std::string(field.path), "is left out: there is no word for it in " +
                                                          std::string(format) + '.'});
    }
    return notes;
}

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
    if (writer.trainingOnly && plan.workload == Workload::Inference)
        return Error{ErrorCode::Unsupported,
                     "This plan is of inference, and " + std::string(writer.format) +
                         " can only describe training; export it as vllm or hf-config."};
    if (!isAllocConf(plan.overheads.allocConf.value_or("")))
        return Error{ErrorCode::Invalid,
                     "overheads.alloc_conf is no text that PYTORCH_CUDA_ALLOC_CONF may be; correct "
                     "it in the plan."};
    Outline outline(plan);
    std::string text = writer.text(outline);
    return Exported{std::move(text), outline.notes(writer.format)};
}

std::optional<ExportFormat> findExportFormat(std::string_view name)
{
    const auto found = std::ranges::find(kExportFormats, name);
    if (found == kExportFormats.end())
        return std::nullopt;
    return static_cast<ExportFormat>(found - kExportFormats.begin());
}

} // namespace vramscope
