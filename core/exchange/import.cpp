// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/import.h"

#include "core/base/foreign_files.h"
#include "core/base/json_text.h"
#include "core/base/parts.h"
#include "core/base/text.h"
#include "core/exchange/formats.h"
#include "core/exchange/import_checkpoint.h"
#include "core/exchange/launch.h"
#include "core/model/flat_json.h"
#include "core/plan/plan_json.h"

#include <algorithm>

namespace vramscope {

namespace {

using SettingList = std::vector<ForeignSetting>;

constexpr std::string_view kKnown =
    "a Hugging Face config.json, a folder with a checkpoint, a DeepSpeed JSON, a torchtitan TOML, "
    "an axolotl YAML, or arguments of Megatron-LM, transformers' Trainer (also in a file, as TRL "
    "reads them), vLLM, SGLang, llama.cpp or TensorRT-LLM, or overrides of verl";

// Keys that only one format has, separated by blanks.
constexpr std::string_view kConfigMarks =
    "model_type architectures hidden_size num_hidden_layers n_embd d_model n_layer "
    "text_config.hidden_size text_config.model_type";
constexpr std::string_view kDeepSpeedMarks =
    "zero_optimization.stage zero_optimization train_micro_batch_size_per_gpu train_batch_size "
    "gradient_accumulation_steps bf16.enabled fp16.enabled optimizer.type gradient_clipping";
constexpr std::string_view kMegatronMarks =
    "--num-layers --hidden-size --num-attention-heads --tensor-model-parallel-size "
    "--pipeline-model-parallel-size --context-parallel-size --expert-model-parallel-size "
    "--micro-batch-size --global-batch-size --use-distributed-optimizer --recompute-granularity";
constexpr std::string_view kTrainerMarks = "--per-device-train-batch-size --model-name-or-path "
                                           "--num-train-epochs --gradient-checkpointing";
/// Keys in a file with such arguments.
constexpr std::string_view kArgumentMarks =
    "per_device_train_batch_size gradient_checkpointing num_train_epochs";
/// Keys of LLaMA-Factory, whose other keys mean other things.
constexpr std::string_view kFactoryMarks = "finetuning_type cutoff_len template";
constexpr std::string_view kVllmMarks =
    "--gpu-memory-utilization --max-model-len --max-num-seqs --tensor-parallel-size "
    "--max-num-batched-tokens --kv-cache-dtype";
constexpr std::string_view kSglangMarks =
    "--mem-fraction-static --chunked-prefill-size --max-total-tokens";
constexpr std::string_view kTitanTables = "model training parallelism experimental "
                                          "activation_checkpoint job lr_scheduler float8 compile";
/// With base_model, which other tools' files have too.
constexpr std::string_view kAxolotlMarks =
    "learning_rate micro_batch_size sequence_len datasets adapter num_epochs output_dir "
    "gradient_accumulation_steps";

bool hasAny(const SettingList &settings, std::string_view keys)
{
    const std::vector<std::string_view> marks = partsOf(keys, ' ');
    return std::ranges::any_of(
        settings, [&](const ForeignSetting &setting) { return isOneOf(setting.key, marks); });
}

Error unknown(std::string_view what)
{
    return {ErrorCode::NotRecognized, "This is " + std::string(what) +
                                          " that the import does not know; it reads " +
                                          std::string(kKnown) + '.'};
}

bool holdsArguments(const SettingList &settings)
{
    return hasAny(settings, kArgumentMarks) && !hasAny(settings, kFactoryMarks);
}

/// Arguments of a Trainer, from a file or a command line, with the keys of a file:
/// "--fsdp-config.cpu-offload" is "fsdp_config.cpu_offload". Settings within "deepspeed" keep their
/// own words.
Result<Imported> importTrainerArguments(const Plan &base, SettingList settings)
{
    for (ForeignSetting &setting : settings) {
        std::string &key = setting.key;
        key.erase(0, key.starts_with("--") ? 2 : 0);
        if (!key.starts_with("deepspeed.") && !key.starts_with('-'))
            std::ranges::replace(key, '-', '_');
    }
    return importTrainer({base, std::move(settings)});
}

Result<Imported> importJson(const Plan &base, std::string_view text)
{
    Result<SettingList> settings = jsonSettings(text);
    if (!settings)
        return settings.error();
    if (hasAny(*settings, "vramscope"))
        return Error{ErrorCode::Unsupported,
                     "This is a plan already; open it, or import other files onto it."};
    // A config may contain keys of DeepSpeed, but no DeepSpeed file contains a model.
    if (hasAny(*settings, kConfigMarks))
        return importHfConfig({base, std::move(*settings)}, text);
    if (holdsArguments(*settings))
        return importTrainerArguments(base, std::move(*settings));
    if (hasAny(*settings, kDeepSpeedMarks))
        return importDeepSpeed({base, std::move(*settings)});
    return unknown("JSON");
}

/// The first line that is neither empty nor a comment nor YAML's "---".
std::string_view firstLine(std::string_view text)
{
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = trimmed(text.substr(0, end));
        text.remove_prefix(std::min(end + 1, text.size()));
        if (!line.empty() && !line.starts_with('#') && line != "---")
            return line;
    }
    return {};
}

/// Whether it begins with a table of torchtitan's or a key.
bool looksLikeToml(std::string_view text)
{
    const std::string_view line = firstLine(text);
    const std::size_t close = line.find(']');
    return line.starts_with('[') && close != line.npos && close > 1 && line[1] != ' ';
}

/// Whether it begins with "key:" or "key: value".
bool looksLikeYaml(std::string_view text)
{
    const std::string_view line = firstLine(text);
    const std::size_t end = line.find_first_not_of("abcdefghijklmnopqrstuvwxyz_-."
                                                   "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
    return end != 0 && end != line.npos && line[end] == ':' &&
           (end + 1 == line.size() || line[end + 1] == ' ');
}

Result<Imported> importToml(const Plan &base, std::string_view text)
{
    Result<SettingList> settings = tomlSettings(text);
    if (!settings)
        return settings.error();
    const bool known = std::ranges::any_of(*settings, [](const ForeignSetting &setting) {
        const std::string_view key = setting.key;
        return isOneOf(key.substr(0, key.find('.')), partsOf(kTitanTables, ' '));
    });
    return known ? importTorchtitan({base, std::move(*settings)})
                 : Result<Imported>(unknown("TOML"));
}

/// A serving engine from the program in a command line.
Imported importLaunch(const Plan &base, EngineLaunch launch)
{
    const std::size_t others = launch.others;
    Translation translation(base, std::move(launch.settings));
    Imported imported = launch.engine == Engine::Sglang     ? importSglang(std::move(translation))
                        : launch.engine == Engine::LlamaCpp ? importLlamaCpp(std::move(translation))
                        : launch.engine == Engine::TrtLlm   ? importTrtLlm(std::move(translation))
                                                            : importVllm(std::move(translation));
    if (others > 0)
        imported.notes.push_back({"", "The text starts more than one engine: the plan is of the "
                                      "first."});
    return imported;
}

Result<Imported> importYaml(const Plan &base, std::string_view text)
{
    if (std::optional<EngineLaunch> launch = servingLaunch(containerScript(text)))
        return importLaunch(base, std::move(*launch));
    Result<SettingList> settings = yamlSettings(text);
    if (!settings)
        return settings.error();
    // axolotl treats an empty key as missing.
    std::erase_if(*settings, [](const ForeignSetting &setting) {
        return std::holds_alternative<std::monostate>(setting.value);
    });
    if (hasAny(*settings, "base_model") && hasAny(*settings, kAxolotlMarks))
        return importAxolotl({base, std::move(*settings)});
    return holdsArguments(*settings) ? importTrainerArguments(base, std::move(*settings))
                                     : Result<Imported>(unknown("YAML"));
}

Result<Imported> importArguments(const Plan &base, std::string_view text)
{
    const Result<ShellScript> script = readShell(text);
    if (!script)
        return script.error();
    if (std::optional<EngineLaunch> launch = servingLaunch(*script))
        return importLaunch(base, std::move(*launch));
    SettingList overrides = verlSettings(script->words);
    if (std::ranges::any_of(overrides, [](const ForeignSetting &setting) {
            return setting.key.starts_with("actor_rollout_ref.");
        }))
        return importVerl({base, std::move(overrides)});
    SettingList settings = flagSettings(script->words);
    if (hasAny(settings, kMegatronMarks))
        return importMegatron({base, std::move(settings)});
    if (hasAny(settings, kTrainerMarks))
        return importTrainerArguments(base, std::move(settings));
    if (hasAny(settings, kVllmMarks))
        return importVllm({base, std::move(settings)});
    if (hasAny(settings, kSglangMarks))
        return importSglang({base, std::move(settings)});
    return unknown("text");
}

} // namespace

Result<SettingList> jsonSettings(std::string_view text)
{
    if (const Result<void> checked = checkJson(text); !checked)
        return checked.error();
    auto values = flattened(text);
    if (!values)
        return Error{ErrorCode::NotRecognized, "This JSON is no object, so it is no tool's "
                                               "config; choose the config file itself."};
    SettingList settings;
    settings.reserve(values->size());
    for (FlatValue &value : *values)
        settings.push_back({value.path, std::move(value.value), value.path});
    return settings;
}

Result<Imported> importInto(const Plan &base, std::string_view text)
{
    if (auto foreign = foreignFile(text, "choose " + std::string(kKnown)))
        return Error{ErrorCode::NotRecognized, std::move(*foreign)};
    if (text.starts_with('{') && text.find("\"weight_map\"") != text.npos)
        return Error{ErrorCode::OtherContent,
                     "This is the index of a checkpoint; import its folder, or the file by its "
                     "own name (.safetensors.index.json)."};
    if (text.size() > kLongestDocument)
        return Error{ErrorCode::Unsupported, "The text is longer than 1 MiB, which no config is."};
    if (text.starts_with("\xEF\xBB\xBF"))
        text.remove_prefix(3);
    if (text.find('\0') != text.npos)
        return Error{ErrorCode::NotRecognized,
                     "This is no text; choose " + std::string(kKnown) + '.'};
    const std::size_t first = text.find_first_not_of(" \t\r\n");
    if (first == text.npos)
        return Error{ErrorCode::Empty, "The text is empty; choose " + std::string(kKnown) + '.'};
    if (text[first] == '{')
        return importJson(base, text);
    if (looksLikeToml(text))
        return importToml(base, text);
    if (text.find("LLM(") != text.npos) {
        Result<SettingList> settings = pythonSettings(text);
        return settings
                   ? Result<Imported>(importVllm({base, std::move(*settings)}, VllmUse::Library))
                   : Result<Imported>(settings.error());
    }
    if (looksLikeYaml(text))
        return importYaml(base, text);
    return importArguments(base, text);
}

Result<Imported> importFile(const Plan &base, const std::filesystem::path &file)
{
    if (isCheckpointPath(file))
        return importCheckpoint(base, file);
    const Result<std::string> text = readSettingsText(file);
    return text ? importInto(base, *text) : Result<Imported>(text.error());
}

} // namespace vramscope
