// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/catalog/tools.h"
#include "core/settings/field_rows.h"

#include <algorithm>
#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr std::array<std::string_view, 2> kNorms = {"rmsnorm", "layernorm"};
constexpr std::array<std::string_view, 6> kBiases = {"qkv", "o", "mlp", "head", "expert", "router"};

FieldValue normOfModel(const Settings &settings)
{
    if (settings.architecture.layers == 0)
        return {};
    const bool layerNorm = settings.architecture.norm == NormKind::LayerNorm;
    return std::string(kNorms[layerNorm ? 1 : 0]);
}

FieldValue biasesOfModel(const Settings &settings)
{
    if (settings.architecture.layers == 0)
        return {};
    const Biases &bias = settings.architecture.bias;
    const std::array<bool, kBiases.size()> set = {bias.qkv,  bias.o,      bias.mlp,
                                                  bias.head, bias.expert, bias.router};
    TextList names;
    for (std::size_t i = 0; i < kBiases.size(); ++i) {
        if (set[i])
            names.emplace_back(kBiases[i]);
    }
    return names;
}

constexpr Field kWorkload = [] {
    Field field = choice<&Plan::workload>(
        {"workload", "Workload",
         "Whether the GPUs train the model, serve it, or take turns at both: reinforcement "
         "learning, with an engine that generates for the trainer."},
        setting<&Settings::workload, usual::workload>);
    // The formulas of a trainer are the same whether or not an engine stands beside it.
    field.take = [](Settings &s, const Plan &plan, const Settings &) {
        s.learns = plan.workload == Workload::Rl;
        if (plan.workload)
            s.workload = s.learns ? Workload::Training : *plan.workload;
    };
    field.inForce = [](const Settings &s) {
        return toValue(s.rollout ? Workload::Rl : s.workload);
    };
    return field;
}();

Trainer behaviourOf(const std::optional<std::string> &trainer)
{
    const Tool *tool = trainer ? toolNamed(*trainer) : nullptr;
    const auto &behaviours = choiceTexts<Trainer>;
    const auto found = std::ranges::find(behaviours, tool ? tool->behavesAs : std::string());
    return found == behaviours.end() ? Trainer::Own
                                     : static_cast<Trainer>(found - behaviours.begin());
}

/// Its choices are data, which modelFields() puts in.
constexpr Field kTrainer = [] {
    Field field = oneOf<&Plan::trainer>(
        FieldKind::Choice,
        {"trainer", "Trainer",
         "The tool whose training loop runs. It decides which settings hold where the plan states "
         "none: precision, no_sync, the optimizer's implementation. All tools that are built on "
         "transformers' Trainer behave like it."},
        {}, ofPlanAlone, applies::training);
    field.take = [](Settings &s, const Plan &plan, const Settings &) {
        s.trainer = behaviourOf(plan.trainer);
    };
    field.inForce = [](const Settings &s) { return toValue(s.trainer); };
    return field;
}();

constexpr Field kTrainerVersion = [] {
    Field field = oneOf<&Plan::trainerVersion>(
        FieldKind::Text,
        {"trainer_version", "Accelerate version",
         "Release of accelerate under the Trainer, such as 1.10: up to 1.10, FSDP2 reduces the "
         "gradients of every micro-batch, up to 1.13 it wraps the blocks alone. Unset: the "
         "newest."},
        {}, setting<&Settings::trainerVersion>, applies::acceleratesFsdp2);
    field.inForce = [](const Settings &s) {
        return s.trainerVersion.empty() ? FieldValue() : FieldValue(s.trainerVersion);
    };
    return field;
}();

constexpr std::array kModelFields = {
    ofText<&Plan::name>(FieldKind::Text, {"name", "Name", "What you call this plan."}),
    kWorkload,
    choice<&Plan::objective>(
        {"objective", "Objective",
         "What the training is for, which headlines name: the next token, preferences (DPO, ORPO), "
         "a reward model, embeddings, a teacher's answers. It sets nothing: the sequences of a "
         "pair are those of the micro-batch, and a frozen copy is resident memory."},
        setting<&Settings::objective>, applies::training),
    kTrainer,
    kTrainerVersion,

    ofText<&Plan::model, &PlanModel::preset>(
        FieldKind::Text,
        {"model.preset", "Model", "A built-in architecture; its shape is known exactly."}),
    ofText<&Plan::model, &PlanModel::knownAs>(
        FieldKind::Text,
        {"model.known_as", "Known as",
         "The model that is meant, where its shape is that of another: a fine-tune, or the "
         "quantised files that somebody published. Headlines show it."}),
    ofText<&Plan::model, &PlanModel::config>(
        FieldKind::Object,
        {"model.config", "config.json",
         "The model's own config.json from Hugging Face, in place of a built-in architecture."}),
    ofText<&Plan::model, &PlanModel::pipeline>(
        FieldKind::Text, {"model.pipeline", "Pipeline",
                          "A pipeline of diffusers that makes images or videos: text encoders, "
                          "transformer and autoencoder."}),
    ofText<&Plan::model, &PlanModel::components>(
        FieldKind::Object, {"model.components", "Components",
                            "The configs of a pipeline's components, each under its name, beside "
                            "the pipeline's own _class_name."}),
    oneOf<&Plan::model, &PlanModel::norm>(
        FieldKind::Choice,
        {"model.norm", "Norm", "RMSNorm has one weight a channel, LayerNorm a weight and a bias."},
        kNorms, OfModel{&normOfModel}, applies::language),
    toggle<&Plan::model, &PlanModel::gatedMlp>(
        {"model.gated_mlp", "Gated feed-forward",
         "Three matrices a feed-forward block (gate, up, down) instead of two."},
        ofModel<&Architecture::gatedMlp>, applies::language),
    choice<&Plan::model, &PlanModel::activation>(
        {"model.activation", "Activation function",
         "One kernel (SiLU, GELU), or written out operator by operator, as Hugging Face's GPT-2 "
         "does, which keeps every tensor between."},
        ofModel<&Architecture::activation>, applies::language),
    oneOf<&Plan::model, &PlanModel::bias>(
        FieldKind::Choices, {"model.bias", "Biases", "The linear layers that add a bias."}, kBiases,
        OfModel{&biasesOfModel}, applies::language),
    count<&Plan::model, &PlanModel::learnedPositions>(
        {"model.learned_positions", "Learned positions",
         "Rows of a learned position table; 0 where positions are rotary or computed."},
        {0, 1e9}, ofModel<&Architecture::learnedPositions>, applies::language),
    toggle<&Plan::model, &PlanModel::qkNorm>(
        {"model.qk_norm", "Query and key norm",
         "Each head normalises its queries and keys, as in Qwen3 and Gemma 3."},
        ofModel<&Architecture::qkNorm>, applies::language),
    count<&Plan::model, &PlanModel::normsPerLayer>(
        {"model.norms_per_layer", "Norms a layer",
         "2 in most models, 4 where both blocks are normed before and after, 1 in parallel "
         "blocks."},
        {0, 8}, ofModel<&Architecture::normsPerLayer>, applies::language),
    toggle<&Plan::model, &PlanModel::attentionSinks>(
        {"model.attention_sinks", "Attention sinks",
         "One learned logit a head that absorbs attention, as in gpt-oss."},
        ofModel<&Architecture::attentionSinks>, applies::language),
    count<&Plan::model, &PlanModel::vocabSizePadded>(
        {"model.vocab_size_padded", "Padded vocabulary",
         "The vocabulary as the framework pads it; Megatron pads to a multiple of 128 times the "
         "tensor-parallel degree."},
        {1, 1e8}, ofModel<&Architecture::vocab>, applies::language),
    count<&Plan::model, &PlanModel::parametersOverride>(
        {"model.parameters_override", "Parameters, as stated",
         "The whole model's parameters, where the architecture gives them only nearly."},
        {1, 1e15}, settingUnless<0, &Settings::parametersOverride>, applies::language),
    count<&Plan::model, &PlanModel::parametersPerRankOverride>(
        {"model.parameters_per_rank_override", "Parameters a GPU, as stated",
         "The parameters that one GPU holds before sharding, where they are known."},
        {1, 1e15}, settingUnless<0, &Settings::parametersPerRankOverride>, applies::language),
    size<&Plan::model, &PlanModel::bufferBytes>(
        {"model.buffer_bytes", "Buffers",
         "Registered buffers that are no parameters, such as causal masks or rotary tables."},
        setting<&Settings::bufferBytes>, applies::language),
    toggle<&Plan::model, &PlanModel::textOnly>(
        {"model.text_only", "Text only",
         "The language model is loaded without its vision and audio towers, as vLLM's "
         "--language-model-only does."},
        setting<&Settings::textOnly>, applies::language),
    ofText<&Plan::model, &PlanModel::checkpoint>(
        FieldKind::Object,
        {"model.checkpoint", "Checkpoint",
         "The tensors of the model's own files, as an import of their folder lists them: served "
         "weights are then theirs, tensor by tensor."},
        applies::language),

    ofText<&Plan::hardware, &PlanHardware::gpu>(
        FieldKind::Text,
        {"hardware.gpu", "GPU", "The GPU model, with the capacity that its driver reports."}),
    ofText<&Plan::hardware, &PlanHardware::gpuList>(
        FieldKind::Texts,
        {"hardware.gpu_list", "GPUs of several kinds",
         "Each GPU of a machine that has several kinds, in the order in which they are numbered: "
         "names of the catalogue, or sizes in GB, such as 24. llama.cpp divides the layers by "
         "what is free on each; pipeline stages fill them in this order; all else takes the "
         "smallest."},
        applies::language),
    count<&Plan::hardware, &PlanHardware::gpus>(
        {"hardware.gpus", "GPUs", "All GPUs of the job; the parallel degrees multiply to it."},
        {1, 1e6}, setting<&Settings::gpus, usual::gpus>, applies::language),
    count<&Plan::hardware, &PlanHardware::gpusPerNode>(
        {"hardware.gpus_per_node", "GPUs a node",
         "GPUs that share a host and its fast links; hybrid sharding shards inside a node."},
        {1, 1e4}, setting<&Settings::gpusPerNode, usual::gpusPerNode>, applies::language),
    count<&Plan::hardware, &PlanHardware::networkGigabits>(
        {"hardware.network_gigabits", "Network of a GPU, Gb/s",
         "What the adapters of one GPU are rated for, one way, in gigabits a second: between "
         "nodes."},
        {1, 1e5}, setting<&Settings::networkGigabits, usual::networkGigabits>, applies::language),
    size<&Plan::hardware, &PlanHardware::capacityBytes>(
        {"hardware.capacity_bytes", "Capacity",
         "Memory of one GPU as torch reports it, where it differs from the chosen GPU's."},
        settingUnless<0, &Settings::capacity, usual::capacity>, applies::always, 1),
    size<&Plan::hardware, &PlanHardware::hostMemoryBytes>(
        {"hardware.host_memory_bytes", "Host memory",
         "Memory of one node's host, for what is offloaded to it."},
        settingUnless<0, &Settings::hostMemory>, applies::memoryOfItsOwn, 1),
    size<&Plan::hardware, &PlanHardware::systemBytes>(
        {"hardware.system_bytes", "System and desktop",
         "What the operating system and other programs take of a memory that host and device "
         "share."},
        setting<&Settings::systemBytes, usual::systemBytes>, applies::unified),
    size<&Plan::hardware, &PlanHardware::pageCacheBytes>(
        {"hardware.page_cache_bytes", "Page cache while loading",
         "Pages of the weights' files that stand beside the weights while they load, in a memory "
         "that host and device share; the kernel gives them back when it can."},
        setting<&Settings::pageCacheBytes>, applies::unified),
};

static_assert(areRowsOf(kModelFields, "name", "hardware.page_cache_bytes"));

} // namespace

std::span<const Field> modelFields()
{
    static const auto fields = [] {
        auto all = kModelFields;
        all[FieldPath("trainer").index()].choices = trainerNames();
        return all;
    }();
    return fields;
}

} // namespace vramscope
