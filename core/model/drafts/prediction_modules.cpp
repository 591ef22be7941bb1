// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/catalogue.h"
#include "core/model/config_reader.h"
#include "core/model/drafts/drafts.h"
#include "core/plan/plan.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

/// How a family builds its modules: each has one block of the model's own kind, a projection of the
/// hidden state and the next token's embedding, concatenated, to the hidden size, and norms.
struct Family
{
    std::string_view modelType;
    std::string_view countKey; ///< a key of the config: the number of modules
    bool dense = false;        ///< the block is dense though the model's have experts
    std::int64_t norms = 3;    ///< for embedding, hidden state and output
    bool divided = false;      ///< ranks divide the projection
    bool shared = false;       ///< one projection with its norms serves all modules
};

constexpr std::int64_t kMaxModules = 64;
constexpr std::string_view kNextN = "num_nextn_predict_layers";
constexpr std::string_view kMtpLayers = "mtp_num_hidden_layers";

constexpr std::string_view kNemotron = "nemotron_h";

constexpr auto kPredicting = std::to_array<Family>({
    {.modelType = "deepseek_v3", .countKey = kNextN},
    {.modelType = "deepseek_v32", .countKey = kNextN},
    {.modelType = "glm_moe_dsa", .countKey = kNextN},
    {.modelType = "glm4_moe", .countKey = kNextN},
    {.modelType = "qwen3_next", .countKey = kNextN, .divided = true, .shared = true},
    {.modelType = "qwen3_5_text", .countKey = kMtpLayers, .divided = true, .shared = true},
    {.modelType = "qwen3_5_moe_text", .countKey = kMtpLayers, .divided = true, .shared = true},
    {.modelType = "hy_v3", .countKey = kNextN},
    {.modelType = "mimo", .countKey = kNextN},
    {.modelType = "ernie4_5_moe", .countKey = kNextN, .dense = true, .norms = 2},
    {.modelType = kNemotron, .countKey = kNextN, .divided = true},
});

/// The config of the plan or the catalogue.
std::string_view configOf(const PlanModel &model)
{
    if (model.config)
        return *model.config;
    const CatalogueModel *known = model.preset ? findCatalogueModel(*model.preset) : nullptr;
    return known ? known->config : std::string_view();
}

/// The blocks of the modules: they have full attention, whatever the model's layers do in turn.
/// Nemotron 3 has two, attention and experts, whose router has a parameter that the model's own
/// keeps as a buffer.
Architecture blocksOf(const Architecture &target, const Family &family, std::int64_t modules)
{
    Architecture it = target;
    it.layers = modules;
    it.blocks.clear();
    it.slidingLayers.clear();
    it.state = {};
    it.denseLayers = 0;
    it.experts = family.dense ? 0 : it.experts;
    if (family.modelType != kNemotron)
        return it;
    it.layers = 2 * modules;
    it.routerCorrectionBias = true;
    for (std::int64_t module = 0; module < modules; ++module) {
        it.blocks.push_back({TokenMixer::Attention, FeedForward::None});
        it.blocks.push_back({TokenMixer::None, FeedForward::Experts});
    }
    return it;
}

/// Nemotron 3 lists the layers of a module: attention, then experts, each with its norm.
bool isAttentionThenExperts(const ConfigReader &config)
{
    const auto says = [&config](std::string_view key, const FieldValue &value) {
        const FieldValue *found = config.find(key);
        return found && *found == value;
    };
    return says("mtp_hybrid_override_pattern", std::string("*E")) ||
           says("mtp_layers_block_type", TextList{"attention", "moe"});
}

} // namespace

Result<Draft> predictionModules(const PlanModel &model, const Architecture &target)
{
    const auto family = std::ranges::find(kPredicting, target.modelType, &Family::modelType);
    if (family == kPredicting.end())
        return invalid("The prediction modules of models of type \"" + target.modelType +
                       "\" are not known, or it has none; choose another method.");
    std::int64_t modules = 0;
    if (auto values = flattened(configOf(model))) {
        ConfigReader config(std::move(*values));
        modules = config.count({family->countKey}, 0, kMaxModules, 0);
        if (config.error())
            return *config.error();
        if (target.modelType == kNemotron && !isAttentionThenExperts(config))
            return invalid("The layers of this model's prediction module are not known: "
                           "mtp_hybrid_override_pattern must be \"*E\".");
    }
    if (modules < 1)
        return invalid("The model states no prediction modules: where it has some, its config says "
                       "so (" +
                       std::string(family->countKey) + "); else choose another method.");
    const std::int64_t projection = 2 * target.hidden * target.hidden;
    Draft draft;
    draft.architecture = blocksOf(target, *family, modules);
    draft.whole = false;
    const std::int64_t copies = family->shared ? 1 : modules;
    (family->divided ? draft.divided : draft.replicated) += copies * projection;
    draft.replicated += copies * family->norms * target.hidden;
    return draft;
}

} // namespace vramscope
