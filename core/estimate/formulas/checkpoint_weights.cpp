// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/estimate/formulas/serving.h"

#include "core/model/blocks/state_mixers.h"
#include "core/model/checkpoint/placed_checkpoint.h"
#include "core/settings/checkpoint_issues.h"

#include <algorithm>
#include <array>
#include <map>

namespace vramscope {

namespace {

constexpr std::array<std::string_view, kModelPartCount> kNames = {
    "Embedding weights",    "Position weights", "Attention weights",     "Weights of state layers",
    "Feed-forward weights", "Expert weights",   "Shared expert weights", "Router weights",
    "Norm weights",         "Head weights",     "Other weights"};

/// value · numerator / denominator, rounded up, without leaving 64 bits on the way.
Exact scaled(Exact value, std::int64_t numerator, std::int64_t denominator)
{
    if (value.overflowed() || numerator == denominator)
        return value;
    const std::int64_t whole = value.value() / denominator;
    return Exact(whole) * numerator +
           dividedUp(Exact(value.value() % denominator) * numerator, denominator);
}

/// A scale for the whole matrix, or one a row, does not follow the input that ranks divide.
bool followsInput(const PlacedTensors &each)
{
    if (each.meaning.role == TensorRole::Bias)
        return false;
    if (each.meaning.role != TensorRole::Scale)
        return true;
    const auto &shape = each.group.shape;
    const auto larger = [](std::int64_t size) { return size > 1; };
    return std::ranges::count_if(shape, larger) > 1;
}

bool isOne(const PlacedTensors &each)
{
    return elementsOf(each.group.shape) <= Exact(1);
}

Exact expertBytes(const Settings &s, const PlacedTensors &each, Exact bytes)
{
    const std::int64_t split = expertSplit(s);
    const bool whole = each.meaning.role == TensorRole::Scale && isOne(each);
    // Where whole experts are spread, their scalars go with them.
    return dividedUp(bytes, whole ? std::min(s.expert, split) : split);
}

/// A rank's share of tensors, whose undivided size is `bytes`.
Exact share(const Settings &s, const PlacedTensors &each, Exact bytes)
{
    const Architecture &a = s.architecture;
    const AttentionShape shape = a.attentionOf(each.kind);
    const std::int64_t t = s.tensor;
    switch (each.meaning.division) {
    case Division::Output:
        return isOne(each) ? bytes : dividedUp(bytes, t);
    case Division::Input:
        return followsInput(each) ? dividedUp(bytes, t) : bytes;
    case Division::KeyValue: {
        if (isOne(each))
            return bytes;
        // vLLM has the keys' matrix once more for values that are the keys
        // (vllm/model_executor/models/gemma4.py).
        const bool twice = each.meaning.isKey && shape.valuesAreKeys && s.engine == Engine::Vllm;
        const std::int64_t heads = heldHeads(s, shape);
        return dividedUp(
            scaled(bytes, twice ? 2 * heads : heads, std::max<std::int64_t>(shape.kvHeads, 1)), t);
    }
    case Division::FusedHeads:
        if (isOne(each))
            return bytes;
        return dividedUp(scaled(bytes, shape.heads + 2 * heldHeads(s, shape),
                                std::max<std::int64_t>(shape.heads + 2 * shape.kvHeads, 1)),
                         t);
    case Division::Vocabulary:
        return isOne(each) ? bytes : dividedUp(bytes, embeddingSplit(s));
    case Division::Expert:
        return expertBytes(s, each, bytes);
    case Division::Mixer: {
        if (t == 1)
            return bytes;
        const StateMixerFormulas &mixer = stateMixerOf(a);
        return scaled(bytes, mixer.parameters(a, t),
                      std::max<std::int64_t>(mixer.parameters(a, 1), 1));
    }
    case Division::Whole:
    case Division::HeadNorm:
        break;
    }
    return bytes;
}

/// How many tensors of a group are on the rank's pipeline stage.
std::int64_t onStage(const RankInventory &rank, const PlacedTensors &each)
{
    const TensorGroup &group = each.group;
    if (each.meaning.inLayer)
        return group.each * group.layersWithin(rank.firstLayer, rank.layers());
    switch (each.meaning.part) {
    case ModelPart::Embedding:
    case ModelPart::Positions:
        return rank.hasEmbedding ? group.tensors() : 0;
    case ModelPart::Norms:
    case ModelPart::Head:
        return rank.hasHead ? group.tensors() : 0;
    default:
        return each.meaning.use == StoredUse::Tower && !rank.hasEmbedding ? 0 : group.tensors();
    }
}

/// Weights of a rank by part, with towers and unrecognised tensors.
struct RankWeights
{
    std::array<Exact, kModelPartCount> parts;
    std::array<std::int64_t, kModelPartCount> tensors{};
    Exact towers;
    std::int64_t towerTensors = 0;
    Exact unknown;
    std::int64_t unknownTensors = 0;
};

/// vLLM pads experts in MXFP4: their stored bytes differ from those it allocates.
bool isPadded(const PlacedTensors &each, Exact paddedExperts)
{
    return paddedExperts > Exact(0) && each.meaning.part == ModelPart::Experts &&
           each.meaning.use == StoredUse::Model && each.meaning.role != TensorRole::Bias;
}

RankWeights weightsOf(const Serving &serving, Exact paddedExperts)
{
    const Settings &s = serving.s;
    const RankInventory &rank = serving.rank;
    RankWeights sum;
    std::array<Exact, kModelPartCount> mixers{};
    for (const PlacedTensors &each : s.checkpoint->tensors) {
        const std::int64_t count = isHeld(s, each) ? onStage(rank, each) : 0;
        if (count == 0 || isPadded(each, paddedExperts))
            continue;
        const Exact one = heldBytes(s, each);
        const auto part = static_cast<std::size_t>(each.meaning.part);
        switch (each.meaning.use) {
        case StoredUse::Tower:
            sum.towers += one * count;
            sum.towerTensors += count;
            break;
        case StoredUse::Unknown:
            sum.unknown += one * count;
            sum.unknownTensors += count;
            break;
        default:
            // Experts are spread by their number, not each divided.
            const bool together = each.meaning.division == Division::Expert;
            if (each.meaning.division == Division::Mixer)
                mixers[part] += one * count;
            else
                sum.parts[part] +=
                    together ? share(s, each, one * count) : share(s, each, one) * count;
            sum.tensors[part] += count;
        }
    }
    for (const PlacedTensors &each : s.checkpoint->tensors) {
        const auto part = static_cast<std::size_t>(each.meaning.part);
        if (each.meaning.division == Division::Mixer && mixers[part] > Exact(0)) {
            sum.parts[part] += share(s, each, mixers[part]);
            mixers[part] = 0;
        }
        // A tied head on a stage without the embedding is a copy of it.
        const bool copied = each.meaning.use == StoredUse::Model &&
                            each.meaning.part == ModelPart::Embedding &&
                            s.architecture.tiedEmbeddings && rank.hasHead && !rank.hasEmbedding;
        if (copied) {
            constexpr auto kHead = static_cast<std::size_t>(ModelPart::Head);
            sum.parts[kHead] += share(s, each, heldBytes(s, each));
            sum.tensors[kHead] += 1;
        }
    }
    sum.parts[static_cast<std::size_t>(ModelPart::Experts)] += paddedExperts;
    return sum;
}

Exact addParts(const Serving &serving, const RankWeights &weights, Ledger &ledger)
{
    const Origin origin = {serving.s.checkpoint->gguf
                               ? "Headers of the GGUF files; what llama.cpp keeps on the host left "
                                 "out (src/llama-model.cpp)"
                               : "Headers of the checkpoint's files; divided as in "
                                 "vllm/model_executor/layers/linear.py",
                           Evidence::Sourced};
    Exact sum;
    const auto add = [&](std::string_view name, Exact bytes, std::int64_t tensors) {
        sum += bytes;
        ledger.add(Category::Parameters, name, bytes, throughout(serving.s), origin,
                   {"bytes of the rank's tensors ({}) = {}", {tensors, bytes.value()}});
    };
    for (std::size_t i = 0; i < kModelPartCount; ++i)
        add(kNames[i], weights.parts[i], weights.tensors[i]);
    add("Weights of unknown use", weights.unknown, weights.unknownTensors);
    return sum;
}

/// Known towers are divided, and their layers left out, as the formulas do it.
Exact addStoredTowers(const Serving &serving, const RankWeights &weights, Ledger &ledger)
{
    const Settings &s = serving.s;
    if (weights.towerTensors == 0)
        return addTowers(serving, ledger);
    std::int64_t parameters = 0;
    for (const Tower &tower : s.towers)
        parameters += tower.parameters();
    const Exact bytes = parameters > 0
                            ? scaled(weights.towers, towerParameters(s, serving.rank), parameters)
                            : weights.towers;
    ledger.add(Category::Parameters, "Vision and audio towers", bytes, throughout(s),
               {"Headers of the checkpoint's files; vllm/model_executor/models", Evidence::Sourced},
               {"bytes of the rank's tensors ({}) = {}", {weights.towerTensors, bytes.value()}});
    return bytes;
}

/// Stored bytes of a layer's tensors that end up in one, on this rank; the largest of all layers.
template<class Belongs>
Exact largestOfLayer(const Serving &serving, const Belongs &belongs)
{
    std::map<std::int64_t, Exact> layers;
    for (const PlacedTensors &each : serving.s.checkpoint->tensors) {
        if (!each.meaning.inLayer || each.meaning.use != StoredUse::Model || !belongs(each))
            continue;
        const Exact bytes =
            share(serving.s, each, Exact(heldBytes(serving.s, each)) * each.group.each);
        const std::int64_t end = serving.rank.firstLayer + serving.rank.layers();
        for (const auto &[first, last] : each.group.layers)
            for (std::int64_t layer = std::max(first, serving.rank.firstLayer);
                 layer <= last && layer < end; ++layer)
                layers[layer] += bytes;
    }
    Exact largest;
    for (const auto &[layer, bytes] : layers)
        largest = std::max(largest, bytes);
    return largest;
}

/// Memory in use only while weights load.
void addLoading(std::string_view name, Exact bytes, std::string_view source,
                const FormulaText &formula, Ledger &ledger)
{
    if (bytes == Exact(0))
        return;
    ledger.nameLoading();
    ledger.add(Category::TemporaryBuffers, name, bytes, {StepPhase::Load},
               {source, Evidence::Sourced}, formula);
}

/// transformers stacks the experts of a layer that are stored one by one, then joins gates with
/// ups: a copy of both exists meanwhile (core_model_loading.py, MergeModulelist and Concatenate).
void addMerging(const Serving &serving, Ledger &ledger)
{
    const Exact merged = largestOfLayer(serving, [](const PlacedTensors &each) {
        return each.meaning.part == ModelPart::Experts && each.meaning.isGateOrUp &&
               each.group.each > 1;
    });
    addLoading("Experts being merged", merged,
               "Gates and ups of a layer's experts, joined beside the stored ones; transformers "
               "core_model_loading.py, MergeModulelist and Concatenate",
               {"gate and up of the experts of the largest layer = {}", {merged.value()}}, ledger);
}

/// Copies of a matrix's packed bytes that vLLM makes while it brings it into the layout of its
/// kernels. AWQ is unpacked into 32 bits a value twice over before it is packed again
/// (layers/quantization/auto_awq.py; measured: tests/measure/checkpoints/repacking.py). GPTQ goes
/// into one more tensor for Marlin, and into two for Machete, which transposes it first
/// (kernels/linear/mixed_precision/marlin.py, machete.py). Experts of a layer go into one more
/// (layers/fused_moe/oracle/int_wna16.py).
std::int64_t repackedTimes(const Settings &s, ModelPart part)
{
    if (part == ModelPart::Experts)
        return 1;
    if (s.weightFormat == WeightFormat::AwqInt4)
        return 8 + 8 + 1;
    return usesMachete(s) ? 2 : 1;
}

/// vLLM joins queries, keys and values, and gates and ups, and repacks each.
void addRepacking(const Serving &serving, Ledger &ledger)
{
    const WeightFormat format = serving.s.weightFormat;
    if (format != WeightFormat::GptqInt4 && format != WeightFormat::AwqInt4)
        return;
    const auto joined = [](const TensorMeaning &meaning) {
        return meaning.division != Division::Input &&
               (meaning.part == ModelPart::Attention || meaning.isGateOrUp);
    };
    Exact largest;
    std::int64_t times = 1;
    for (const ModelPart part :
         {ModelPart::Attention, ModelPart::Mlp, ModelPart::Experts, ModelPart::SharedExperts}) {
        for (const bool first : {true, false}) {
            const Exact packed = largestOfLayer(serving, [&](const PlacedTensors &each) {
                return each.meaning.role == TensorRole::Packed && each.meaning.part == part &&
                       joined(each.meaning) == first;
            });
            const std::int64_t own = repackedTimes(serving.s, part);
            if (packed * own > largest * times) {
                largest = packed;
                times = own;
            }
        }
    }
    addLoading("Matrix being repacked", largest * times,
               "Beside the largest joined matrix, in the layout of the kernels; "
               "vllm/model_executor/layers/quantization and kernels/linear/mixed_precision",
               {"{} × packed bytes of the largest joined matrix = {} × {}",
                {times, times, largest.value()}},
               ledger);
}

/// A stored head of a tied model is loaded, compared with the embedding and only then dropped.
void addTiedHead(const Serving &serving, Ledger &ledger)
{
    if (!serving.s.checkpoint->tiedHead || !serving.rank.hasHead)
        return;
    Exact bytes;
    for (const PlacedTensors &each : serving.s.checkpoint->tensors)
        if (each.meaning.use == StoredUse::Model && each.meaning.part == ModelPart::Head &&
            each.meaning.role == TensorRole::Weight)
            bytes += share(serving.s, each, heldBytes(serving.s, each));
    addLoading("Stored copy of the tied head", bytes,
               "Loaded, compared with the embedding and dropped; "
               "vllm/model_executor/model_loader/weight_tying.py and transformers "
               "modeling_utils.py, tie_weights()",
               {"the rank's share of the stored head = {}", {bytes.value()}}, ledger);
}

} // namespace

Exact addCheckpointWeights(const Serving &serving, Ledger &ledger, Exact paddedExperts)
{
    const RankWeights weights = weightsOf(serving, paddedExperts);
    const Exact text = addParts(serving, weights, ledger);
    const Exact sum = text + addStoredTowers(serving, weights, ledger);
    if (!isLoaderKnown(serving.s))
        return sum;
    addTiedHead(serving, ledger);
    if (serving.s.engine == Engine::Hf)
        addMerging(serving, ledger);
    else
        addRepacking(serving, ledger);
    return sum;
}

} // namespace vramscope
