// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/reconcile/explanation.h"

#include "core/base/format.h"
#include "core/base/sentence.h"
#include "core/settings/settings.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

constexpr std::array<FieldPath, 9> kChoices = {"activations.checkpointing", "loss",
                                               "activations.attention",     "activations.kernels",
                                               "precision.regime",          "parallel.sharding",
                                               "optimizer.implementation",  "optimizer.zero_grad",
                                               "parallel.backward_prefetch"};

constexpr std::array<FieldPath, 7> kSwitches = {"loss_keep_logits",
                                                "activations.expanded_kv",
                                                "activations.offload",
                                                "parallel.gradient_as_bucket_view",
                                                "batch.no_sync",
                                                "parallel.sequence",
                                                "parallel.forward_prefetch"};

std::string valueText(const FieldValue &value)
{
    if (const auto *flag = std::get_if<bool>(&value))
        return *flag ? "on" : "off";
    if (const auto *count = std::get_if<std::int64_t>(&value))
        return formatCount(*count);
    if (const auto *number = std::get_if<double>(&value))
        return formatNumber(*number);
    if (const auto *text = std::get_if<std::string>(&value))
        return *text;
    return "not stated";
}

class Variations
{
public:
    explicit Variations(const Plan &plan)
        : m_plan(plan)
        , m_settings(resolve(plan).settings)
    {
    }

    void choices()
    {
        for (const FieldPath path : kChoices) {
            for (const std::string_view choice : fieldAt(path).choices) {
                if (path == "activations.checkpointing" && choice == "every-k")
                    everyK();
                else if (path == "activations.checkpointing" && choice == "block")
                    someBlocks();
                else if (path == "parallel.sharding" && choice == "hybrid_shard")
                    shardGroups();
                else
                    add({{path, std::string(choice)}});
                // Fused norms with keys and values repeated: torchtitan's Llama.
                if (path == "activations.kernels" && choice != "textbook" && sharesKeys())
                    add({{path, std::string(choice)}, {"activations.expanded_kv", true}});
            }
        }
    }

    void switches()
    {
        for (const FieldPath path : kSwitches) {
            for (const bool on : {false, true})
                add({{path, on}});
        }
    }

    void numbers()
    {
        for (const FieldPath path :
             {FieldPath("batch.micro_batch"), FieldPath("batch.sequence_length")}) {
            const std::int64_t now = std::get<std::int64_t>(inForce(path));
            for (const std::int64_t factor : {2, 3, 4, 8}) {
                add({{path, now * factor}});
                if (now % factor == 0)
                    add({{path, now / factor}});
            }
        }
        if (m_settings.data % 2 == 0 && m_settings.gpus % 2 == 0)
            add({{"hardware.gpus", m_settings.gpus / 2}, {"parallel.data", m_settings.data / 2}});
        add({{"hardware.gpus", m_settings.gpus * 2}, {"parallel.data", m_settings.data * 2}});
    }

    std::vector<Variation> take() { return std::move(m_variations); }

    [[nodiscard]] std::optional<Variation> one(std::vector<FieldSetting> settings) const
    {
        Plan plan = m_plan;
        std::string text;
        bool same = true;
        for (const FieldSetting &setting : settings) {
            const Field &field = fieldAt(setting.path);
            if (!setField(plan, field, setting.value).ok())
                return std::nullopt;
            const FieldValue now = inForce(setting.path);
            const bool first = text.empty();
            text += (first ? std::string(field.label) : ", " + withinSentence(field.label)) + " " +
                    valueText(setting.value);
            if (now != setting.value)
                text += " instead of " + valueText(now);
            same = same && now == setting.value;
        }
        if (same)
            return std::nullopt;
        return Variation{std::move(plan), std::move(settings), std::move(text)};
    }

private:
    void everyK()
    {
        for (const std::int64_t every : {2, 3, 4})
            add({{"activations.checkpointing", std::string("every-k")},
                 {"activations.every", every}});
    }

    [[nodiscard]] bool sharesKeys() const
    {
        return m_settings.architecture.kvHeads < m_settings.architecture.heads;
    }

    void someBlocks()
    {
        const std::int64_t layers = m_settings.architecture.layers;
        for (const std::int64_t quarter : {1, 2, 3})
            add({{"activations.checkpointing", std::string("block")},
                 {"activations.blocks", layers * quarter / 4}});
    }

    void shardGroups()
    {
        const std::int64_t ranks = m_settings.data * m_settings.context;
        for (std::int64_t group = ranks / 2; group >= 2; group /= 2)
            add({{"parallel.sharding", std::string("hybrid_shard")},
                 {"parallel.shard_group", group}});
    }

    [[nodiscard]] FieldValue inForce(FieldPath path) const
    {
        return effectiveValue(m_plan, m_settings, fieldAt(path));
    }

    void add(std::vector<FieldSetting> settings)
    {
        if (auto variation = one(std::move(settings)))
            m_variations.push_back(std::move(*variation));
    }

    const Plan &m_plan;
    Settings m_settings;
    std::vector<Variation> m_variations;
};

} // namespace

std::vector<Variation> variationsOf(const Plan &plan)
{
    if (!resolve(plan).computable())
        return {};
    Variations variations(plan);
    if (plan.workload.value_or(Workload::Training) == Workload::Training) {
        variations.choices();
        variations.switches();
        variations.numbers();
    }
    return variations.take();
}

std::optional<Variation> variationOf(const Plan &plan, std::vector<FieldSetting> settings)
{
    return Variations(plan).one(std::move(settings));
}

} // namespace vramscope
