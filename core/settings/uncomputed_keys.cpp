// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/uncomputed_keys.h"

#include "core/base/parts.h"
#include "core/catalog/catalogue.h"
#include "core/catalog/uncomputed_keys.h"
#include "core/model/config_kinds.h"
#include "core/model/config_reader.h"
#include "core/settings/field_conditions.h"

#include <algorithm>
#include <array>
#include <cassert>

namespace vramscope {

namespace {

struct KeyCondition
{
    std::string_view name;
    bool (*holds)(const Plan &, const Settings &);
};

constexpr auto kKeyConditions = std::to_array<KeyCondition>({
    {"training", [](const Plan &, const Settings &s) { return applies::training(s); }},
    {"serving", [](const Plan &, const Settings &s) { return s.workload == Workload::Inference; }},
    {"vllm", [](const Plan &, const Settings &s) { return applies::vllm(s); }},
    {"torch",
     [](const Plan &, const Settings &s) {
         return s.kernels == Kernels::Eager && s.trainer != Trainer::Torchtitan;
     }},
    {"plain-gate",
     [](const Plan &, const Settings &s) {
         return s.architecture.activation != Activation::ClampedGate;
     }},
    {"dropout-open",
     [](const Plan &plan, const Settings &) {
         return !plan.activations.dropout && !plan.activations.attentionDropout;
     }},
    {"format-open",
     [](const Plan &plan, const Settings &) { return !plan.inference.weightFormat; }},
    {"cache-open",
     [](const Plan &plan, const Settings &) { return !plan.inference.kvBytesPerElement; }},
});

bool allHold(std::string_view where, const Plan &plan, const Settings &settings)
{
    return std::ranges::all_of(partsOf(where, ' '), [&](std::string_view word) {
        const auto found = std::ranges::find(kKeyConditions, word, &KeyCondition::name);
        assert(found != kKeyConditions.end());
        return found->holds(plan, settings);
    });
}

std::string_view configOf(const PlanModel &model)
{
    if (model.config)
        return *model.config;
    const CatalogueModel *known = model.preset ? findCatalogueModel(*model.preset) : nullptr;
    return known ? std::string_view(known->config) : std::string_view();
}

bool isWord(const std::string &words, std::string_view word)
{
    return !word.empty() && std::ranges::count(partsOf(words, ' '), word) > 0;
}

/// The texts in quotes: what a config may have as a key, at a fraction of the time of reading it.
std::vector<std::string_view> quotedIn(std::string_view config)
{
    std::vector<std::string_view> texts;
    for (std::size_t begin = config.find('"'); begin != config.npos;) {
        const std::size_t end = std::min(config.find('"', begin + 1), config.size());
        texts.push_back(config.substr(begin + 1, end - begin - 1));
        begin = end < config.size() ? config.find('"', end + 1) : config.npos;
    }
    return texts;
}

/// "alibi" of "attn_config.alibi".
std::string_view lastName(std::string_view key)
{
    return key.substr(key.rfind('.') + 1); // npos + 1 is 0
}

bool isInEffect(const UncomputedKey &key, const ConfigReader &config)
{
    const FieldValue *value = config.find(key.key);
    return value && !saysNothing(*value);
}

} // namespace

std::vector<const UncomputedKey *> uncomputedKeysOf(const Plan &plan, const Settings &settings)
{
    std::vector<const UncomputedKey *> found;
    const std::string_view text = configOf(plan.model);
    const std::vector<std::string_view> quoted = quotedIn(text);
    std::optional<ConfigReader> config;
    for (const UncomputedKey &key : uncomputedKeys()) {
        const bool stated = std::ranges::find(quoted, lastName(key.key)) != quoted.end();
        const bool ofClass = !stated && isWord(key.types, settings.architecture.modelType);
        if ((!stated && !ofClass) || !allHold(key.where, plan, settings))
            continue;
        if (stated && !config)
            config.emplace(flattened(text).value_or(std::vector<FlatValue>()));
        if (ofClass || isInEffect(key, *config))
            found.push_back(&key);
    }
    return found;
}

std::vector<Issue> issuesOfKeys(const Plan &plan, std::span<const UncomputedKey *const> keys)
{
    std::vector<Issue> issues;
    std::vector<std::string_view> reasons;
    for (const UncomputedKey *key : keys) {
        if (std::ranges::find(reasons, key->why) != reasons.end())
            continue;
        reasons.push_back(key->why);
        issues.push_back(
            {Issue::Severity::Warning,
             plan.model.config ? "model.config." + key->key
                               : "model.preset." + plan.model.preset.value_or(""),
             "No formula reads " + key->key + " of the model's config: " + key->why + '.'});
    }
    return issues;
}

} // namespace vramscope
