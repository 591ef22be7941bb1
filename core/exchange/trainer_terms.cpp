// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/exchange/trainer_terms.h"

#include "core/base/parts.h"
#include "core/base/text.h"
#include "core/catalog/model_names.h"
#include "core/catalog/model_types.h"
#include "core/exchange/setting_values.h"
#include "core/model/parameters.h"
#include "core/settings/usual_values.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// An optimizer by its name in OptimizerNames of transformers' training_args.py, or in axolotl's
/// CustomSupportedOptimizers (utils/schemas/enums.py).
struct TrainerOptimizer
{
    std::string_view theirs;
    std::string_view ours;
    std::string_view implementation;
    double stateBytes = 0; ///< if they differ from a plan's default
    bool paged = false;
};

constexpr double kFull = 4;            ///< bitsandbytes keeps fp32 whatever the weights are in
constexpr double kByte = 1 + 4. / 256; ///< a byte and its part of a scale

// bitsandbytes and torchao update a tensor in one kernel, transformers' Adafactor and Muon one
// tensor after the other. An export writes the first of several names for one optimizer.
constexpr std::array<TrainerOptimizer, 20> kOptimizers = {{
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
    {"schedule_free_adamw", "adamw-schedule-free", "foreach"},
    {"adamw_hf", "adamw", "for-loop"}, // transformers before 5
}};

// ALL_ATTENTION_FUNCTIONS of transformers' modeling_utils.py, and axolotl's additions to it.
constexpr std::string_view kFlash =
    "flash_attention_2 flash_attention_3 flash_attention_4 flash_attention_torch flex_attention "
    "xformers sage kernels-community/flash-attn2 kernels-community/flash-attn3 "
    "kernels-community/vllm-flash-attn3";

// Modules of transformers' models; joined modules contain several matrices.
constexpr WordPair kModules[] = {{"q_proj", "q"},
                                 {"k_proj", "k"},
                                 {"v_proj", "v"},
                                 {"o_proj", "o"},
                                 {"gate_proj w1", "gate"},
                                 {"up_proj w3 fc1", "up"},
                                 {"down_proj w2 fc2", "down"},
                                 {"qkv_proj query_key_value c_attn", "q k v"},
                                 {"gate_up_proj", "gate up"},
                                 {"in_proj in_proj_qkvz in_proj_ba in_proj_qkv in_proj_z in_proj_b "
                                  "in_proj_a",
                                  "in_proj"},
                                 {"x_proj", "x_proj"},
                                 {"lm_head", "head"},
                                 {"all-linear", "all-linear"}};

/// The nearest name for a plan's optimizer, with `muon` if the tool has one of that name; nullptr
/// if no optimizer keeps the same states.
const TrainerOptimizer *trainerOptimizer(const Settings &s, bool muon)
{
    // AdamW has the same states as Adam.
    const OptimizerName wanted =
        s.optimizer.name == OptimizerName::Adam ? OptimizerName::AdamW : s.optimizer.name;
    const TrainerOptimizer *best = nullptr;
    int most = -1;
    for (const TrainerOptimizer &it : kOptimizers) {
        const bool retired = it.paged || it.theirs == "adamw_hf" || (it.theirs == "muon" && !muon);
        if (retired || it.ours != choiceText(wanted))
            continue;
        const bool same = it.stateBytes == 0 || it.stateBytes == s.optimizer.stateBytes;
        const int fit =
            (it.implementation == choiceText(s.optimizer.implementation) ? 2 : 0) + (same ? 1 : 0);
        if (fit > most)
            best = &it;
        most = std::max(most, fit);
    }
    return best;
}

/// PEFT's target_modules for the plan's targets; nothing if the model's class is unknown, or if
/// modules contain other matrices too.
std::optional<TextList> moduleNames(const Architecture &architecture, const TextList &targets)
{
    const Architecture &a = architecture;
    const auto has = [&](std::string_view target) {
        return std::ranges::find(targets, target) != targets.end();
    };
    if (const ModelType *type = findModelType(a.modelType); !type || !type->llamaModules)
        return targets == TextList{"all-linear"} ? std::optional(targets) : std::nullopt;
    constexpr std::array<std::string_view, 3> kFeedForward = {"gate", "up", "down"};
    const bool experts = a.moe() && std::ranges::any_of(kFeedForward, has); // which are not layers
    const bool parts = a.fusedQkv && (has("q") != has("k") || has("q") != has("v"));
    const bool half = a.fusedGateUp && has("gate") != has("up");
    if (experts || parts || half)
        return std::nullopt;
    TextList names;
    for (const std::string &target : targets) {
        const bool inputs = target == "q" || target == "k" || target == "v";
        const bool gates = target == "gate" || target == "up";
        const std::string_view ours = inputs && a.fusedQkv     ? "q k v"
                                      : gates && a.fusedGateUp ? "gate up"
                                                               : std::string_view(target);
        std::string name(firstWord(pairOfOurs(kModules, ours)->theirs));
        if (std::ranges::find(names, name) == names.end())
            names.push_back(std::move(name));
    }
    return names;
}

} // namespace

TextList wordsOf(const ForeignSetting &setting)
{
    if (const auto *list = std::get_if<TextList>(&setting.value))
        return *list;
    const auto *text = std::get_if<std::string>(&setting.value);
    std::string words = text ? *text : std::string();
    std::ranges::replace(words, ',', ' ');
    const auto parts = partsOf(words, ' ');
    return {parts.begin(), parts.end()};
}

void importTrainerOptimizer(Translation &t, Translation::Keys keys)
{
    const std::string name = t.text(keys).value_or("adamw_torch_fused");
    const auto found = std::ranges::find(kOptimizers, lowered(name), &TrainerOptimizer::theirs);
    if (found == kOptimizers.end())
        return t.noteWord(name, ", which is no optimizer that plans have; set optimizer.name.");
    t.set("optimizer.name", std::string(found->ours));
    t.set("optimizer.implementation", std::string(found->implementation));
    t.set("optimizer.state_bytes",
          found->stateBytes > 0 ? FieldValue(found->stateBytes) : FieldValue());
    if (found->paged)
        t.note("moves states to the host while the GPU is full; they are counted on the GPU.");
}

void writeTrainerOptimizer(Outline &o, std::string_view key, bool muon)
{
    const Settings &s = o.settings();
    const TrainerOptimizer *found = trainerOptimizer(s, muon);
    if (!found)
        return o.replaced("optimizer.name",
                          ", which has no name there; without one adamw_torch_fused runs.");
    const std::string theirs(found->theirs);
    o.put(key, theirs);
    o.covered({"optimizer.name", "optimizer.implementation", "optimizer.state_bytes"});
    if (s.optimizer.name == OptimizerName::Adam)
        o.replaced("optimizer.name", "; it has become adamw, which keeps the same states.");
    if (found->implementation != choiceText(s.optimizer.implementation))
        o.replaced("optimizer.implementation",
                   "; " + theirs + " updates as " + std::string(found->implementation) + " does.");
    const double bytes = found->stateBytes > 0 ? found->stateBytes : usual::stateBytes(s);
    if (bytes != s.optimizer.stateBytes)
        o.replaced("optimizer.state_bytes",
                   "; " + theirs + " keeps " + shortestNumber(bytes) + '.');
}

void importAttention(Translation &t, std::string_view word)
{
    const std::string_view name = word.substr(0, word.find_first_of("@:")); // revision, kernel
    if (name == "sdpa") // PyTorch chooses the kernel, the default of plans
        return;
    if (isOneOf(name, partsOf(kFlash, ' ')))
        t.set("activations.attention", "flash");
    else if (name == "eager") // eager_attention_forward of modeling_llama.py and others
        t.set("activations.attention", "eager-fp32-softmax");
    else
        t.noteWord(word, ", which is no attention that plans have; set activations.attention.", 60);
}

std::string_view attentionWord(Outline &o)
{
    const AttentionKind attention = o.settings().attention;
    o.covered({"activations.attention"});
    if (attention == AttentionKind::Eager)
        o.replaced("activations.attention",
                   "; transformers' eager attention has its softmax in fp32.");
    switch (attention) {
    case AttentionKind::Math:
    case AttentionKind::MemoryEfficient:
        return "sdpa";
    case AttentionKind::Flash:
        return "flash_attention_2";
    case AttentionKind::Eager:
    case AttentionKind::EagerFp32Softmax:
        break;
    }
    return "eager";
}

/// The matrices of `module`, by PEFT's name for it; empty where plans have none. An out_proj
/// belongs to the mixer where layers keep a state, whose attention has an o_proj, but in LFM2 to
/// both.
std::string_view targetsOf(const Translation &t, std::string_view module)
{
    if (module == "out_proj") {
        const auto architecture = architectureOf(t.plan().model);
        const StateKind state = architecture.ok() ? architecture->state.kind : StateKind::None;
        return state == StateKind::None               ? "o"
               : state == StateKind::ShortConvolution ? "o out_proj"
                                                      : "out_proj";
    }
    const auto *const found = std::ranges::find_if(kModules, [module](const WordPair &pair) {
        return isOneOf(module, partsOf(pair.theirs, ' '));
    });
    return found == std::end(kModules) ? std::string_view() : found->ours;
}

void importTargets(Translation &t, const TextList &names)
{
    TextList targets;
    for (const std::string &name : names) {
        std::string_view module = name;
        for (const std::string_view parent : {"self_attn.", "mlp."})
            module.remove_prefix(module.starts_with(parent) ? parent.size() : 0);
        const std::string_view ours = targetsOf(t, module);
        if (ours.empty()) {
            t.note("names " + excerpt(name, 60) +
                   ", which is no matrix that plans have a word for; it gets no adapter.");
            continue;
        }
        for (std::string &target : wordsOf({{}, std::string(ours), {}})) {
            if (std::ranges::find(targets, target) == targets.end())
                targets.push_back(std::move(target));
        }
    }
    if (!targets.empty())
        t.set("adapters.targets", targets);
}

std::optional<TextList> targetModules(Outline &o)
{
    const Settings &s = o.settings();
    auto names = moduleNames(s.architecture, s.adapters.targets);
    if (names)
        o.covered({"adapters.targets"});
    else
        o.changed("adapters.targets",
                  "are left out: which modules of this model hold them is not known here.");
    return names;
}

} // namespace vramscope
