// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/base/nearest.h"
#include "core/base/text.h"
#include "core/model/catalogue_shapes.h"
#include "core/model/config_shape.h"
#include "core/model/parameters.h"
#include "core/plan/field_value.h"
#include "core/plan/plan.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr double kMaxParameters = 1e15;

Biases biasesOf(const TextList &names)
{
    const auto has = [&names](std::string_view name) {
        return std::ranges::find(names, name) != names.end();
    };
    return {.qkv = has("qkv"),
            .o = has("o"),
            .mlp = has("mlp"),
            .head = has("head"),
            .expert = has("expert"),
            .router = has("router")};
}

/// The plan's own values override preset or config.
void applyOverrides(const PlanModel &model, Architecture &it)
{
    if (model.norm) {
        it.norm = *model.norm == "layernorm" ? NormKind::LayerNorm : NormKind::RmsNorm;
        it.normBias = it.normWeight = true;
    }
    if (model.bias)
        it.bias = biasesOf(*model.bias);
    it.gatedMlp = model.gatedMlp.value_or(it.gatedMlp);
    it.activation = model.activation.value_or(it.activation);
    it.learnedPositions = model.learnedPositions.value_or(it.learnedPositions);
    it.qkNorm = model.qkNorm.value_or(it.qkNorm);
    it.normsPerLayer = model.normsPerLayer.value_or(it.normsPerLayer);
    it.attentionSinks = model.attentionSinks.value_or(it.attentionSinks);
    it.vocab = model.vocabSizePadded.value_or(it.vocab);
}

/// An upper bound of the parameter count in floating point, where nothing overflows.
double roughParameters(const Architecture &it)
{
    const auto real = [](std::int64_t value) { return static_cast<double>(value); };
    const double attention =
        real(it.heads) * real(std::max(it.headDim, it.qkNopeHeadDim + it.vHeadDim));
    const double ranks = real(it.qLoraRank) + real(it.kvLoraRank);
    const double inner = real(it.ffn) + real(it.experts) * (real(it.expertFfn) + 1) +
                         real(it.sharedFfn) + real(it.normsPerLayer);
    return real(it.layers) *
               (real(it.hidden) * (4 * attention + ranks + 4 * inner) + 2 * ranks * attention) +
           2 * (real(it.vocab) + real(it.learnedPositions) + real(it.typeVocab)) * real(it.hidden);
}

Result<Architecture> presetArchitecture(const PlanModel &model)
{
    const std::string &name = *model.preset;
    if (const CatalogueModel *known = findCatalogueModel(name)) {
        if (known->pipeline)
            return invalid("model.preset: " + known->title +
                           " is a diffusion pipeline; name it as model.pipeline.");
        Result<Architecture> found = architectureOf(*known, model);
        return found ? found
                     : invalid("model.preset: " + known->title + " is not computed. " +
                               found.error().detail);
    }
    std::vector<std::string_view> known;
    for (const CatalogueModel &one : catalogueModels())
        known.push_back(one.name);
    return invalid("model.preset: There is no model named '" + excerpt(name, 80) + "'" +
                   didYouMean(name, known) + ".");
}

} // namespace

Result<Architecture> architectureOf(const PlanModel &model)
{
    if (model.preset && model.config)
        return invalid("model.preset and model.config exclude each other; keep one of them.");
    if (!model.preset && !model.config)
        return invalid("model.preset: Name a model, or give the content of its config.json as "
                       "model.config.");
    Result<Architecture> found =
        model.preset ? presetArchitecture(model) : shapeOfConfig(*model.config, model);
    if (!found)
        return found;
    if (model.vocabSizePadded && *model.vocabSizePadded < found->vocab)
        return invalid("model.vocab_size_padded is smaller than the vocabulary of " +
                       std::to_string(found->vocab) + ".");
    applyOverrides(model, *found);
    if (roughParameters(*found) > kMaxParameters)
        return invalid("model.config describes a model of more than 10^15 parameters.");
    return found;
}

} // namespace vramscope
