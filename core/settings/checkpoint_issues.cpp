// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/checkpoint_issues.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/base/text.h"
#include "core/model/checkpoint/placed_checkpoint.h"
#include "core/model/missing_parts.h"
#include "core/plan/field_path.h"
#include "core/settings/field_conditions.h"
#include "core/settings/settings.h"

#include <algorithm>

namespace vramscope {

namespace {

constexpr FieldPath kField = "model.checkpoint";

std::string quotedName(const PlacedTensors &tensors)
{
    return '"' + excerpt(tensors.group.name, 120) + '"';
}

bool isTiedHead(const Settings &s, const PlacedTensors &each)
{
    return s.checkpoint->tiedHead && each.meaning.use == StoredUse::Model &&
           each.meaning.part == ModelPart::Head && each.meaning.role == TensorRole::Weight;
}

bool isZeroPoint(const Settings &s, const PlacedTensors &each)
{
    return s.engine == Engine::Vllm && each.meaning.part != ModelPart::Experts &&
           each.group.name.ends_with(".qzeros");
}

/// Zero points that Marlin's kernels replace by an empty tensor where they are all the same.
bool isDroppedZeroPoint(const Settings &s, const PlacedTensors &each)
{
    return isZeroPoint(s, each) && s.checkpoint->symmetric && !usesMachete(s);
}

std::string_view partName(ModelPart part)
{
    switch (part) {
    case ModelPart::Embedding:
        return "the embedding";
    case ModelPart::Positions:
        return "positions";
    case ModelPart::Attention:
        return "attention";
    case ModelPart::StateMixer:
        return "layers that keep a state";
    case ModelPart::Mlp:
        return "the feed-forward";
    case ModelPart::Experts:
        return "the experts";
    case ModelPart::SharedExperts:
        return "the shared experts";
    case ModelPart::Router:
        return "the router";
    case ModelPart::Norms:
        return "the norms";
    case ModelPart::Head:
        return "the head";
    case ModelPart::Other:
        break;
    }
    return "what stands beside the layers";
}

void add(ResolvedPlan &resolved, Issue::Severity severity, FieldPath field, std::string text)
{
    resolved.issues.push_back(issueOf(field, severity, std::move(text)));
}

/// Which weights are counted by the files, where they are not simply theirs.
void noteUse(ResolvedPlan &resolved)
{
    using Severity = Issue::Severity;
    const Settings &s = resolved.settings;
    if (s.workload == Workload::Training) {
        add(resolved, Severity::Note, kField,
            "A training step holds its weights in the format of precision.regime: the files are "
            "compared with the model, and change no figure.");
        return;
    }
    if (s.checkpoint->gguf) {
        if (s.engine != Engine::LlamaCpp)
            add(resolved, Severity::Note, kField,
                "The files are GGUF, which llama.cpp reads: the weights are counted by "
                "inference.weight_format.");
        return;
    }
    if (s.engine == Engine::LlamaCpp) {
        add(resolved, Severity::Note, kField,
            "llama.cpp reads GGUF files and no safetensors: its weights are counted by "
            "inference.weight_format.");
        return;
    }
    const bool quantised = applies::quantizedWeights(s);
    if (!s.checkpoint->quantised && quantised)
        add(resolved, Severity::Note, kField,
            "The files hold weights that are not quantised, and inference.weight_format is " +
                std::string(choiceText(s.weightFormat)) +
                ": they are quantised while they load, and counted by that format.");
    if (s.checkpoint->quantised && !quantised)
        add(resolved, Severity::Warning, "inference.weight_format",
            "The checkpoint is quantised, but the format says " +
                std::string(choiceText(s.weightFormat)) +
                ". Its own bytes are counted; state its format, which other figures follow.");
}

void noteUnknown(ResolvedPlan &resolved)
{
    const Settings &s = resolved.settings;
    const PlacedTensors *first = s.checkpoint->first(StoredUse::Unknown);
    if (!first)
        return;
    std::int64_t tensors = 0;
    for (const PlacedTensors &each : s.checkpoint->tensors)
        tensors += each.meaning.use == StoredUse::Unknown ? each.group.tensors() : 0;
    const Bytes bytes = s.checkpoint->bytesOf(StoredUse::Unknown);
    add(resolved, Issue::Severity::Warning, kField,
        "What " + formatCount(tensors) + (tensors == 1 ? " tensor is" : " tensors are") +
            " to the model is not known, from " + quotedName(*first) + " on: " +
            (countsByCheckpoint(s)
                 ? formatBytes(bytes) + " are counted" +
                       (s.tensor > 1 ? " whole on every GPU." : ", as if the engine loads them.")
                 : formatBytes(bytes) + " of the files."));
}

void noteCast(ResolvedPlan &resolved)
{
    const Settings &s = resolved.settings;
    if (!countsByCheckpoint(s))
        return;
    Exact stored;
    Exact held;
    std::string_view type;
    for (const PlacedTensors &each : s.checkpoint->tensors) {
        const std::int64_t own = each.group.bytesOfOne();
        const std::int64_t here = heldBytes(s, each);
        if (own == here || !each.group.type.isFloat || !isHeld(s, each))
            continue;
        stored += Exact(own) * each.group.tensors();
        held += Exact(here) * each.group.tensors();
        type = type.empty() ? each.group.type.name : type;
    }
    if (stored > Exact(0))
        add(resolved, Issue::Severity::Note, kField,
            "The engine casts " + formatBytes(stored.value()) +
                " that are stored in other types (" + std::string(type) +
                ") to the model's own, in which they take " + formatBytes(held.value()) + '.');
}

/// Towers of any family are counted by their files.
void noteTowers(ResolvedPlan &resolved)
{
    const Settings &s = resolved.settings;
    if (!countsByCheckpoint(s) || s.model.textOnly || !s.checkpoint->first(StoredUse::Tower))
        return;
    for (Issue &issue : resolved.issues)
        if (leavesOutTowers(issue))
            issue.text = "Of towers only the stored weights are counted, not the encoding" +
                         std::string(s.tensor > 1 && s.towers.empty()
                                         ? ", and whole on every GPU: how they are divided is not "
                                           "known."
                                         : ".");
}

void noteHost(ResolvedPlan &resolved)
{
    const Settings &s = resolved.settings;
    const std::int64_t mapped = mappedWhileLoading(s);
    if (mapped > 0)
        add(resolved, Issue::Severity::Note, kField,
            "While they load, the host maps the files and keeps no copy: pages of up to " +
                formatBytes(s.checkpoint->table.fileBytes) +
                " that it gives back when memory is short, of which " + formatBytes(mapped) +
                " are in use at once.");
}

void noteLeftOut(ResolvedPlan &resolved)
{
    if (!countsByCheckpoint(resolved.settings))
        return;
    for (const LeftOut &each : leftOut(resolved.settings))
        add(resolved, Issue::Severity::Note, kField,
            "Not loaded: " + each.words + ", " + formatBytes(each.bytes) + " of the files (" +
                each.source + ").");
}

} // namespace

bool countsByCheckpoint(const Settings &s)
{
    if (!s.checkpoint || s.workload != Workload::Inference || s.architecture.layers == 0)
        return false;
    if (s.checkpoint->gguf || s.engine == Engine::LlamaCpp)
        return s.checkpoint->gguf && s.engine == Engine::LlamaCpp;
    return s.checkpoint->quantised || !applies::quantizedWeights(s);
}

bool isLoaderKnown(const Settings &s)
{
    return s.engine == Engine::Vllm || s.engine == Engine::Hf;
}

bool usesMachete(const Settings &s)
{
    return s.engine == Engine::Vllm && s.gpu && s.gpu->generation == GpuGeneration::Hopper;
}

bool isHeld(const Settings &s, const PlacedTensors &each)
{
    if (s.architecture.layers == 0)
        return true; // of an unknown kind: nothing is known to be left out
    // llama.cpp keeps the input on the host, and makes a head of a tied one on the device
    // (src/llama-model.cpp, dev_input).
    if (s.checkpoint->gguf && each.meaning.use == StoredUse::Model &&
        each.meaning.part == ModelPart::Embedding && !s.architecture.tiedEmbeddings)
        return false;
    switch (each.meaning.use) {
    case StoredUse::Rotary:
        return s.checkpoint->gguf;
    case StoredUse::Prediction:
    case StoredUse::Mask:
        return false;
    case StoredUse::Text:
        return s.checkpoint->nested;
    case StoredUse::Order:
        return s.engine != Engine::Vllm;
    case StoredUse::Tower:
        return !s.model.textOnly;
    case StoredUse::Model:
        return !isTiedHead(s, each) && !isDroppedZeroPoint(s, each);
    case StoredUse::Unknown:
        break;
    }
    return true;
}

std::int64_t heldBytes(const Settings &s, const PlacedTensors &each)
{
    if (each.meaning.use == StoredUse::Text)
        return 4; // of it, bitsandbytes holds the mean of the scales in fp32
    // Machete takes zero points in 16 bits, multiplied by their scales (machete.py).
    if (isZeroPoint(s, each) && !s.checkpoint->symmetric && usesMachete(s))
        return 4 * each.group.bytesOfOne();
    const bool cast = !s.checkpoint->gguf && each.group.type.isFloat &&
                      each.meaning.role != TensorRole::Scale && !each.meaning.keepsType &&
                      each.meaning.use != StoredUse::Unknown;
    if (!cast)
        return each.group.bytesOfOne();
    const std::int64_t width = s.weightFormat == WeightFormat::Fp32 ? 4 : 2;
    return (elementsOf(each.group.shape) * width).value();
}

std::int64_t mappedWhileLoading(const Settings &s)
{
    if (!countsByCheckpoint(s) || !isLoaderKnown(s) || s.checkpoint->gguf)
        return 0;
    Exact largest;
    for (const PlacedTensors &each : s.checkpoint->tensors)
        largest = std::max(largest, Exact(each.group.bytesOfOne()));
    constexpr std::int64_t kThreads = 4;
    return (s.engine == Engine::Hf ? largest * kThreads : largest).value();
}

std::vector<LeftOut> leftOut(const Settings &s)
{
    std::vector<LeftOut> all;
    if (!s.checkpoint)
        return all;
    const bool vllm = s.engine == Engine::Vllm;
    const auto add = [&](const PlacedTensors &each, std::string words, std::string source) {
        auto same = std::ranges::find(all, words, &LeftOut::words);
        if (same == all.end())
            same = all.insert(all.end(), {std::move(words), std::move(source), 0, 0});
        same->bytes += each.group.bytes();
        same->tensors += each.group.tensors();
    };
    for (const PlacedTensors &each : s.checkpoint->tensors) {
        if (isHeld(s, each))
            continue;
        switch (each.meaning.use) {
        case StoredUse::Prediction:
            if (s.speculative.method == SpeculativeMethod::Mtp)
                break; // loaded, and counted by its own formula (formulas/speculation.h)
            add(each, "the modules for multi-token prediction",
                s.checkpoint->gguf ? "llama.cpp loads them with --spec-type draft-mtp alone"
                : vllm             ? "models of vllm/model_executor/models pass over them"
                                   : "_keys_to_ignore_on_load_unexpected of transformers' classes");
            break;
        case StoredUse::Rotary:
            add(each, "tables of rotary positions",
                vllm ? "vllm/model_executor/models/utils.py, AutoWeightsLoader"
                     : "transformers modeling_utils.py, _adjust_missing_and_unexpected_keys()");
            break;
        case StoredUse::Mask:
            add(each, "buffers of masks and positions",
                vllm ? "load_weights() of vllm/model_executor/models"
                     : "_keys_to_ignore_on_load_unexpected of transformers' classes");
            break;
        case StoredUse::Order:
            add(each, "GPTQ's order of columns",
                "vllm/model_executor/layers/quantization/auto_gptq.py");
            break;
        case StoredUse::Text:
            add(each, "descriptions of the quantisation", "bitsandbytes/functional.py, QuantState");
            break;
        case StoredUse::Tower:
            add(each, "vision and audio towers", "model.text_only");
            break;
        case StoredUse::Model:
            if (s.checkpoint->gguf)
                add(each, "the embedding, which stays on the host",
                    "llama.cpp src/llama-model.cpp, dev_input");
            else if (isTiedHead(s, each))
                add(each, "the head, which is the embedding once more",
                    vllm ? "vllm/model_executor/model_loader/weight_tying.py"
                         : "transformers modeling_utils.py, tie_weights()");
            else
                add(each, "zero points that are all the same",
                    "vllm/model_executor/kernels/linear/mixed_precision/marlin.py");
            break;
        case StoredUse::Unknown:
            break;
        }
    }
    return all;
}

std::string firstDifference(const Settings &s)
{
    if (!s.checkpoint || s.architecture.layers <= 0)
        return {};
    std::array<std::int64_t, kModelPartCount> counts{};
    for (const ModelPartCount &each : modelParts(s.architecture))
        counts[static_cast<std::size_t>(each.part)] = each.count;
    for (std::size_t i = 0; i < kModelPartCount; ++i) {
        const std::int64_t stored = s.checkpoint->elements[i].value();
        if (stored != counts[i])
            return "Of " + std::string(partName(ModelPart(i))) + " the files hold " +
                   counted(stored, "value") + ", but the model has " + formatCount(counts[i]) + '.';
    }
    return {};
}

void noteCheckpoint(ResolvedPlan &resolved)
{
    const Settings &s = resolved.settings;
    if (!s.checkpoint || s.architecture.layers <= 0)
        return;
    noteUse(resolved);
    noteUnknown(resolved);
    if (const std::string difference = firstDifference(s); !difference.empty())
        add(resolved, Issue::Severity::Warning, kField,
            difference + " Check that the files are this model's.");
    noteCast(resolved);
    noteLeftOut(resolved);
    noteHost(resolved);
    noteTowers(resolved);
}

} // namespace vramscope
