// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/trainer_terms.h"

#include "core/base/text.h"
#include "core/exchange/formats.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr double kFull = 4;            ///< bitsandbytes keeps fp32 whatever the weights are in
constexpr double kByte = 1 + 4. / 256; ///< a byte and its part of a scale

// bitsandbytes and torchao update a tensor in one kernel, transformers' Adafactor and Muon one
// tensor after the other. Of several names for one optimizer an export writes the first.
constexpr std::array<TrainerOptimizer, 19> kOptimizers = {{
    {"adamw_torch", "adamw", "foreach"},
    {"adamw_torch_fused", "adamw", "fused"},
    {"adamw_bnb_8bit", "adamw-8bit", "fused"},
    {"adamw_torch_4bit", "adamw-4bit", "fused"},
    {"adamw_torch_8bit", "adamw-8bit", "fused"},
    {"ao_adamw_8bit", "adamw-8bit", "fused"},
    {"ao_adamw_4bit", "adamw-4bit", "fused"},
    {"adamw_8bit", "adamw-8bit", "fused"},
    {"paged_adamw_8bit", "adamw-8bit", "fused", 0, true},
    {"paged_adamw_32bit", "adamw", "fused", kFull, true},
    {"paged_adamw", "adamw", "fused", kFull, true},
    {"lion_32bit", "lion", "fused", kFull},
    {"lion_8bit", "lion", "fused", kByte},
    {"paged_lion_32bit", "lion", "fused", kFull, true},
    {"paged_lion_8bit", "lion", "fused", kByte, true},
    {"adafactor", "adafactor", "for-loop"},
    {"sgd", "sgd", "foreach"},
    {"muon", "muon", "for-loop"},
    {"adamw_hf", "adamw", "for-loop"}, // transformers before 5
}};

// ALL_ATTENTION_FUNCTIONS of transformers' modeling_utils.py, and what axolotl registers there.
constexpr std::array<std::string_view, 10> kFlash = {"flash_attention_2",
                                                     "flash_attention_3",
                                                     "flash_attention_4",
                                                     "flash_attention_torch",
                                                     "flex_attention",
                                                     "xformers",
                                                     "sage",
                                                     "kernels-community/flash-attn2",
                                                     "kernels-community/flash-attn3",
                                                     "kernels-community/vllm-flash-attn3"};

/// Classes of transformers 5 whose linear layers are q_proj, k_proj, v_proj, o_proj, gate_proj,
/// up_proj and down_proj (models/*/modeling_*.py); those of glm and phi3 join some of them.
constexpr std::array<std::string_view, 32> kLlamaModules = {
    "afmoe",          "cohere",   "cohere2",   "ernie4_5",    "ernie4_5_moe",
    "exaone4",        "gemma",    "gemma2",    "gemma3_text", "glm",
    "glm4",           "glm4_moe", "granite",   "granitemoe",  "hunyuan_v1_dense",
    "hunyuan_v1_moe", "llama",    "ministral", "ministral3",  "mistral",
    "mixtral",        "olmo",     "olmo2",     "olmo3",       "olmoe",
    "phi3",           "qwen2",    "qwen2_moe", "qwen3",       "qwen3_moe",
    "seed_oss",       "smollm3"};

// Modules of transformers' models; those of several matrices stand for all of them.
constexpr std::array<WordPair, 19> kModules = {{
    {"q_proj", "q"},
    {"k_proj", "k"},
    {"v_proj", "v"},
    {"o_proj", "o"},
    {"out_proj", "o"},
    {"gate_proj", "gate"},
    {"up_proj", "up"},
    {"down_proj", "down"},
    {"qkv_proj", "q k v"},
    {"query_key_value", "q k v"},
    {"c_attn", "q k v"},
    {"gate_up_proj", "gate up"},
    {"w1", "gate"},
    {"w2", "down"},
    {"w3", "up"},
    {"fc1", "up"},
    {"fc2", "down"},
    {"lm_head", "head"},
    {"all-linear", "all-linear"},
}};

/// A file of axolotl's deepspeed_configs.
struct KnownFile
{
    std::string_view name;
    int stage;
    bool offloadsOptimizer = false;
    bool offloadsParameters = false;
};
constexpr std::array<KnownFile, 8> kDeepSpeedFiles = {{
    {"zero1.json", 1},
    {"zero1_torch_compile.json", 1},
    {"zero2.json", 2, true},
    {"zero2_torch_compile.json", 2, true},
    {"zero3.json", 3},
    {"zero3_bf16.json", 3},
    {"zero3_bf16_cpuoffload_all.json", 3, true, true},
    {"zero3_bf16_cpuoffload_params.json", 3, false, true},
}};

/// What bears on memory in such a file, but for what the Trainer fills in.
std::string textOf(const KnownFile &file)
{
    std::string text = R"({"zero_optimization": {"overlap_comm": true, "stage": )";
    text += std::to_string(file.stage);
    // sub_group_size is 0 there, by which every tensor is updated alone: 1 says the same.
    if (file.stage == 3)
        text += R"(, "sub_group_size": 1, "reduce_bucket_size": "auto",
            "stage3_prefetch_bucket_size": "auto", "stage3_param_persistence_threshold": "auto",
            "stage3_max_live_parameters": 0, "stage3_max_reuse_distance": 0)";
    if (file.offloadsOptimizer)
        text += R"(, "offload_optimizer": {"device": "cpu"})";
    if (file.offloadsParameters)
        text += R"(, "offload_param": {"device": "cpu"})";
    return text + "}}";
}

std::string_view lastName(std::string_view path)
{
    return path.substr(path.find_last_of("/\\") + 1); // npos + 1 is 0
}

/// The stage in "ds_zero3_offload.json" or "stage-2.json"; 0 where the name has none.
int stageNamed(std::string_view name)
{
    for (const std::string_view word : {std::string_view("zero"), std::string_view("stage")}) {
        std::size_t at = name.find(word);
        if (at == name.npos)
            continue;
        at = std::min(name.find_first_not_of("-_", at + word.size()), name.size());
        const char digit = at < name.size() ? name[at] : '0';
        if (digit >= '1' && digit <= '3')
            return digit - '0';
    }
    return 0;
}

} // namespace

TextList wordsOf(const ForeignSetting &setting)
{
    if (const auto *list = std::get_if<TextList>(&setting.value))
        return *list;
    const auto *text = std::get_if<std::string>(&setting.value);
    std::string_view rest = text ? std::string_view(*text) : std::string_view();
    TextList words;
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find_first_of(" ,"), rest.size());
        if (end > 0)
            words.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    return words;
}

void importTrainerOptimizer(Translation &t, Translation::Keys keys)
{
    const std::string name = t.text(keys).value_or("adamw_torch_fused");
    const auto found = std::ranges::find(kOptimizers, lowered(name), &TrainerOptimizer::theirs);
    if (found == kOptimizers.end())
        return t.note("is \"" + excerpt(name, 40) +
                      "\", which is no optimizer that plans have; set optimizer.name.");
    t.set("optimizer.name", std::string(found->ours));
    t.set("optimizer.implementation", std::string(found->implementation));
    t.set("optimizer.state_bytes",
          found->stateBytes > 0 ? FieldValue(found->stateBytes) : FieldValue());
    if (found->paged)
        t.note("moves states to the host while the GPU is full; they are counted on the GPU.");
}

const TrainerOptimizer *trainerOptimizer(const Settings &s, bool muon)
{
    // AdamW keeps what Adam keeps.
    const OptimizerName wanted =
        s.optimizer == OptimizerName::Adam ? OptimizerName::AdamW : s.optimizer;
    const TrainerOptimizer *best = nullptr;
    int most = -1;
    for (const TrainerOptimizer &it : kOptimizers) {
        const bool retired = it.paged || it.theirs == "adamw_hf" || (it.theirs == "muon" && !muon);
        if (retired || it.ours != choiceText(wanted))
            continue;
        const bool same = it.stateBytes == 0 || it.stateBytes == s.stateBytes;
        const int fit =
            (it.implementation == choiceText(s.implementation) ? 2 : 0) + (same ? 1 : 0);
        if (fit > most)
            best = &it;
        most = std::max(most, fit);
    }
    return best;
}

std::optional<TextList> moduleNames(const Architecture &architecture, const TextList &targets)
{
    const Architecture &a = architecture;
    const auto has = [&](std::string_view target) {
        return std::ranges::find(targets, target) != targets.end();
    };
    if (!isOneOf(a.modelType, kLlamaModules))
        return targets == TextList{"all-linear"} ? std::optional(targets) : std::nullopt;
    constexpr std::array<std::string_view, 3> kFeedForward = {"gate", "up", "down"};
    const bool experts = a.moe() && std::ranges::any_of(kFeedForward, has); // which are no layers
    const bool parts = a.fusedQkv && (has("q") != has("k") || has("q") != has("v"));
    const bool half = a.fusedGateUp && has("gate") != has("up");
    if (experts || parts || half)
        return std::nullopt;
    TextList names;
    for (const std::string &target : targets) {
        const bool joined =
            (a.fusedQkv && isOneOf(target, std::array{std::string_view("q"), std::string_view("k"),
                                                      std::string_view("v")})) ||
            (a.fusedGateUp && (target == "gate" || target == "up"));
        std::string name = joined
                               ? (target == "gate" || target == "up" ? "gate_up_proj" : "qkv_proj")
                           : target == "head"       ? "lm_head"
                           : target == "all-linear" ? target
                                                    : target + "_proj";
        if (std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    }
    return names;
}

void importAttention(Translation &t, std::string_view word)
{
    const std::string_view name = word.substr(0, word.find_first_of("@:")); // revision, kernel
    if (name == "sdpa") // PyTorch chooses the kernel, as plans take by default
        return;
    if (isOneOf(name, kFlash))
        t.set("activations.attention", "flash");
    else if (name == "eager") // eager_attention_forward of modeling_llama.py and others
        t.set("activations.attention", "eager-fp32-softmax");
    else
        t.note("is \"" + excerpt(word, 60) +
               "\", which is no attention that plans have; set activations.attention.");
}

void importTargets(Translation &t, const TextList &names)
{
    TextList targets;
    for (const std::string &name : names) {
        std::string_view module = name;
        for (const std::string_view parent : {"self_attn.", "mlp."})
            module.remove_prefix(module.starts_with(parent) ? parent.size() : 0);
        const auto found = std::ranges::find(kModules, module, &WordPair::theirs);
        if (found == kModules.end()) {
            t.note("names " + excerpt(name, 60) +
                   ", which is no matrix that plans have a word for; it gets no adapter.");
            continue;
        }
        for (std::string &target : wordsOf({{}, std::string(found->ours), {}})) {
            if (std::ranges::find(targets, target) == targets.end())
                targets.push_back(std::move(target));
        }
    }
    if (!targets.empty())
        t.set("adapters.targets", targets);
}

bool importSharding(Translation &t, std::string_view word)
{
    constexpr std::array<WordPair, 5> kShardings = {{{"full_shard", "full_shard"},
                                                     {"shard_grad_op", "shard_grad_op"},
                                                     {"no_shard", "no_shard"},
                                                     {"hybrid_shard", "hybrid_shard"},
                                                     {"hybrid_shard_zero2", "hybrid_shard"}}};
    const auto found = std::ranges::find(kShardings, lowered(word), &WordPair::theirs);
    if (found == kShardings.end())
        return false;
    t.set("parallel.sharding", std::string(found->ours));
    if (found->theirs != found->ours)
        t.note("keeps weights whole after forward, which cannot be said beside hybrid sharding; "
               "they are counted as resharded.");
    return true;
}

void importDeepSpeedNamed(Translation &t, std::string_view path)
{
    const int stage = stageNamed(lowered(lastName(path)));
    if (stage == 0)
        return t.note("names " + excerpt(path, 60) +
                      ", which stands elsewhere; import that file too.");
    t.set("parallel.strategy", "zero" + std::to_string(stage));
    t.note("names " + excerpt(path, 60) + ", which is taken for ZeRO-" + std::to_string(stage) +
           "; import that file too, for its buckets and what it offloads.");
}

void importDeepSpeedWithin(Translation &t, std::string_view prefix)
{
    constexpr std::string_view kSharding = "zero_optimization.";
    std::vector<ForeignSetting> settings;
    for (const ForeignSetting *setting : t.takeWithin(prefix)) {
        ForeignSetting own = *setting;
        own.key = own.key.substr(prefix.size());
        own.taken = false;
        const auto *text = std::get_if<std::string>(&own.value);
        if (own.key.starts_with(kSharding) || !text || *text != "auto")
            settings.push_back(std::move(own));
    }
    t.absorb(importDeepSpeed({t.plan(), std::move(settings)}));
}

void importAxolotlDeepSpeed(Translation &t, std::string_view path)
{
    const auto file = std::ranges::find(kDeepSpeedFiles, lastName(path), &KnownFile::name);
    if (file == kDeepSpeedFiles.end())
        return importDeepSpeedNamed(t, path);
    if (auto settings = jsonSettings(textOf(*file)))
        t.absorb(importDeepSpeed({t.plan(), std::move(*settings)}));
}

} // namespace vramscope
