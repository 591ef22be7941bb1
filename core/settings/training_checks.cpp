// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/plan_checker.h"

#include "core/base/counted.h"
#include "core/base/format.h"
#include "core/model/blocks/state_mixers.h"
#include "core/model/towers/visual_tokens.h"
#include "core/settings/engines/engine_version.h"
#include "core/settings/field_conditions.h"
#include "core/settings/schedules/schedule.h"
#include "core/settings/usual_values.h"

#include <algorithm>
#include <array>

namespace vramscope {

/// What a training step keeps of layers of several kinds was measured with transformers' own
/// modules on one rank of data parallelism.
void PlanChecker::mixedLayers()
{
    const Settings &s = m_settings;
    const bool indexed = s.architecture.indexHeads > 0;
    if (s.workload != Workload::Training || (s.architecture.isPlain() && !indexed))
        return;
    const std::string_view known =
        indexed ? " is not computed for a model whose attention reads what an index chooses; "
                : " is not computed for a model whose layers are of several kinds; ";
    const auto refuse = [&](bool wrong, FieldPath field, std::string_view what,
                            std::string_view choice) {
        block(wrong, field,
              [&] { return std::string(what) + std::string(known) + std::string(choice); });
    };
    refuse(s.kernels != Kernels::Eager, "activations.kernels", "A step with these kernels",
           "choose eager.");
    refuse(s.trainer == Trainer::Torchtitan, "trainer", "torchtitan's step", "choose another.");
    refuse(s.computeBytes != 2 || s.regime == Regime::Fp8, "precision.regime",
           "A step in fp32 or fp8", "choose one that computes in 16 bit.");
    refuse(isMegatron(s), "parallel.strategy", "Megatron's step", "choose another.");
    refuse(s.activationOffload, "activations.offload", "Offloading of activations",
           "switch it off.");
    refuse(s.checkpointing != Checkpointing::None && s.checkpointing != Checkpointing::Full,
           "activations.checkpointing", "This policy", "choose none or full.");
    refuse(s.tensor > 1, "parallel.tensor", "Training with tensor parallelism", "use 1.");
    refuse(s.context > 1, "parallel.context", "Training with context parallelism", "use 1.");
    refuse(s.pipeline > 1, "parallel.pipeline", "Training in pipeline stages", "use 1.");
    refuse(s.expert > 1, "parallel.expert", "Training with expert parallelism", "use 1.");
    if (indexed) {
        refuse(s.attention != AttentionKind::Flash, "activations.attention", "This attention",
               "choose flash.");
        refuse(s.strategy != Strategy::None && s.strategy != Strategy::Fsdp2, "parallel.strategy",
               "This strategy", "choose none or FSDP2.");
        if (s.adapters.kind == AdapterKind::Lora)
            adaptersOfIndexed();
        return;
    }
    if (s.adapters.kind == AdapterKind::Lora)
        adaptersOfMixedLayers();
    // Buffers in fp32 widen the residual stream of Falcon-H1, where FSDP casts parameters alone.
    refuse(s.architecture.state.scaled && s.weightBytes > s.computeBytes && !isAutocast(s),
           "precision.regime", "A step of Falcon-H1 with fp32 weights outside autocast",
           "choose pure-bf16 or autocast-bf16.");
    refuse(isAutocast(s) && s.weightBytes < 4 && s.architecture.state.kind == StateKind::Rwkv7,
           "precision.regime", "A step of RWKV 7 under autocast with 16-bit weights",
           "choose pure-bf16, or weights in fp32.");
    note(s.architecture.state.kind == StateKind::Rwkv7, "loss",
         "This is transformers' loss on the model's logits; flash-linear-attention's models have "
         "losses of their own, which nobody measured here.");
    if (s.architecture.state.kind == StateKind::None)
        return;
    const std::string_view kernels = stateMixerOf(s.architecture).kernels;
    add(!kernels.empty(), Severity::Warning, "activations.kernels", [&] {
        return "The figures of layers that keep a state hold with " + std::string(kernels) +
               " installed. Otherwise transformers computes these layers operator by operator, "
               "which keeps 2 to 9 times as much of them.";
    });
}

/// Adapters of models whose layers are of several kinds: what was measured.
void PlanChecker::adaptersOfMixedLayers()
{
    const Settings &s = m_settings;
    const StateKind kind = s.architecture.state.kind;
    if (s.architecture.readsSource())
        return;
    constexpr std::array kMeasured = {StateKind::GatedDelta, StateKind::Mamba1, StateKind::Mamba2,
                                      StateKind::KimiDelta};
    block(std::ranges::find(kMeasured, kind) == kMeasured.end(), "adapters.kind",
          "Training of adapters is not computed beside layers of this kind; choose none.");
    const BaseQuantization base = s.adapters.baseQuantization;
    const bool four = base == BaseQuantization::Nf4 || base == BaseQuantization::Nf4Double;
    block(base != BaseQuantization::None && !four, "adapters.base_quantization",
          "This format is not computed for a model whose layers are of several kinds; choose nf4, "
          "nf4-double or none.");
    block(four && (kind == StateKind::Mamba1 || kind == StateKind::Mamba2),
          "adapters.base_quantization",
          "Mamba's layers multiply by the weight of one projection themselves, which bitsandbytes "
          "packs: transformers cannot run this model with all linear layers in NF4; choose none.");
    block(four && s.checkpointing != Checkpointing::Full, "activations.checkpointing",
          "Blocks of several kinds over a quantised base were recorded with full checkpointing "
          "alone; choose full.");
    adaptedMixers();
}

/// Adapters of latent attention whose tokens an index chooses: what was measured.
void PlanChecker::adaptersOfIndexed()
{
    const Settings &s = m_settings;
    const auto ofAttention = [](const std::string &target) {
        constexpr std::array<std::string_view, 4> kOfAttention = {"q", "k", "v", "o"};
        return std::ranges::find(kOfAttention, target) != kOfAttention.end();
    };
    block(!std::ranges::all_of(s.adapters.targets, ofAttention), "adapters.targets",
          "Adapters of the index, of experts and of dense layers are not computed for a model "
          "whose attention reads what an index chooses; choose among q, k, v and o.");
    block(s.adapters.baseQuantization != BaseQuantization::None, "adapters.base_quantization",
          "A quantised base is not computed for a model whose attention reads what an index "
          "chooses; choose none.");
}

/// The targets that PEFT adapts in these models as it does in others.
void PlanChecker::adaptedMixers()
{
    const Settings &s = m_settings;
    const auto targeted = [&s](std::initializer_list<std::string_view> names) {
        return std::ranges::any_of(s.adapters.targets, [&](const std::string &target) {
            return std::ranges::find(names, target) != names.end();
        });
    };
    block(s.architecture.state.kind == StateKind::Mamba1 && targeted({"all-linear"}),
          "adapters.targets",
          "transformers multiplies by the weight of dt_proj without its adapter, which is never "
          "trained; choose among in_proj, x_proj, out_proj, q, k, v, o, gate, up and down.");
    block(s.architecture.state.kind == StateKind::Mamba2 && targeted({"all-linear", "out_proj"}),
          "adapters.targets",
          "mamba-ssm's kernel reads the weight of out_proj without its adapter: PEFT refuses that "
          "target for some models with Mamba 2 and never trains it in others; choose among "
          "in_proj, q, k, v, o, gate, up and down.");
    block(s.architecture.state.kind == StateKind::KimiDelta && targeted({"all-linear"}),
          "adapters.targets",
          "Adapters of the low-rank gates of Kimi's delta rule are not computed; choose among q, "
          "k, v and o.");
    const bool experts = std::ranges::any_of(s.architecture.blocks, [](const BlockKind &each) {
        return each.feedForward == FeedForward::Experts;
    });
    block(experts && targeted({"all-linear", "gate", "up", "down"}), "adapters.targets",
          "PEFT adapts stacked experts by a changed copy of all their weights, which is not "
          "computed for a model whose layers are of several kinds; choose among q, k, v, o and "
          "the projections of its mixers.");
}

/// Llama 4 as transformers runs it: every expert on every token.
void PlanChecker::allExperts()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    if (s.workload != Workload::Training || !a.expertsOnAll || s.kernels != Kernels::Eager)
        return;
    const auto refuse = [&](bool wrong, FieldPath field, std::string_view choice) {
        block(wrong, field, [&] {
            return "This is not computed for Llama 4 as transformers runs it, every expert on "
                   "every token; " +
                   std::string(choice);
        });
    };
    refuse(!a.isPlain(), "activations.kernels",
           "layers without experts among others were not recorded: choose the kernels of another "
           "program.");
    refuse(s.sequenceLength > a.slidingWindow, "batch.sequence_length",
           "longer sequences than a chunk of attention take a mask: use at most one chunk.");
    refuse(s.attention != AttentionKind::Flash, "activations.attention", "choose flash.");
    refuse(s.adapters.kind == AdapterKind::Lora, "adapters.kind", "choose none.");
    refuse(isAutocast(s) || s.computeBytes != 2, "precision.regime", "choose pure-bf16.");
    refuse(s.tensor > 1, "parallel.tensor", "use 1.");
    refuse(s.context > 1, "parallel.context", "use 1.");
    refuse(s.pipeline > 1, "parallel.pipeline", "use 1.");
    refuse(s.expert > 1, "parallel.expert", "use 1.");
    refuse(s.strategy != Strategy::None && s.strategy != Strategy::Ddp &&
               s.strategy != Strategy::Fsdp2,
           "parallel.strategy", "choose none, DDP or FSDP2.");
    refuse(s.checkpointing != Checkpointing::None && s.checkpointing != Checkpointing::Full,
           "activations.checkpointing", "choose none or full.");
}

/// Models with an encoder, such as Whisper, BART and T5: training was measured with transformers'
/// own modules. mixedLayers() refuses what it does for all models of several kinds of layers.
void PlanChecker::sourceModels()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    if (!a.readsSource())
        return;
    const bool trains = s.workload == Workload::Training;
    block(!trains, "workload",
          "What serving a model with an encoder takes is not computed; its parameters are.");
    if (!trains)
        return;
    block(!a.biasedScores && s.attention != AttentionKind::Flash, "activations.attention",
          "Other attention is not computed for a model with an encoder; choose flash.");
    block(a.biasedScores && s.attention != AttentionKind::MemoryEfficient, "activations.attention",
          "Other attention is not computed for a model that adds a learned bias to its scores; "
          "choose memory-efficient, which transformers 5 runs.");
    block(s.linear == LinearFormat::NvFp4, "precision.linear",
          "Layers in fp4 are not computed for a model with an encoder; choose another format.");
    note(s.attentionMask && !a.biasedScores, "batch.attention_mask",
         "The mask is not counted for a model with an encoder, nor what attention keeps for it.");
    block(a.biasedScores && s.adapters.kind == AdapterKind::Lora, "adapters.kind",
          "Training of adapters is not computed for a model that adds a learned bias to its "
          "scores; choose none.");
    note(a.biasedScores && !a.tiedEmbeddings, "model.config",
         "Counted with a head of its own, as the published files have it; transformers 5 ties it "
         "to the embedding, which takes less.");
}

/// Models that take images alone, such as ViT: training was measured with transformers' own
/// modules on one rank of data parallelism.
void PlanChecker::pictures()
{
    const Settings &s = m_settings;
    if (!s.architecture.readsImages())
        return;
    const bool trains = s.workload == Workload::Training;
    block(!trains, "workload",
          "What serving an image model takes is not computed; its training is.");
    const auto refuse = [&](bool wrong, FieldPath field, std::string_view what,
                            std::string_view choice) {
        block(trains && wrong, field, [&] {
            return std::string(what) + " is not computed for an image model; " +
                   std::string(choice);
        });
    };
    refuse(s.kernels != Kernels::Eager, "activations.kernels", "A step with these kernels",
           "choose eager.");
    refuse(s.trainer == Trainer::Torchtitan, "trainer", "torchtitan's step", "choose another.");
    refuse(isMegatron(s), "parallel.strategy", "Megatron's step", "choose another.");
    refuse(s.learns, "workload", "Reinforcement learning", "choose training.");
    refuse(s.adapters.kind == AdapterKind::Lora, "adapters.kind", "Training of adapters",
           "choose none.");
    refuse(s.tensor > 1, "parallel.tensor", "Tensor parallelism", "use 1.");
    refuse(s.context > 1, "parallel.context", "Context parallelism", "use 1.");
    refuse(s.pipeline > 1, "parallel.pipeline", "A pipeline", "use 1.");
}

/// What a step with images keeps was measured with transformers' own modules.
void PlanChecker::images()
{
    const Settings &s = m_settings;
    if (s.workload != Workload::Training || s.images == 0 || s.architecture.layers == 0)
        return;
    const auto refuse = [&](bool wrong, FieldPath field, std::string_view what,
                            std::string_view choice) {
        block(wrong, field, [&] {
            return std::string(what) + " is not computed where the batch has images; " +
                   std::string(choice);
        });
    };
    constexpr FieldPath kImages = "batch.images";
    block(s.towers.empty(), kImages,
          "The model has no vision tower that is known here, so a step with images is not "
          "computed; use 0 to train the text part alone.");
    if (s.towers.empty())
        return;
    const Tower &tower = s.towers.front();
    const bool trained = s.visionTower == TowerTraining::Trained;
    block(trained && !tower.isTrainingKnown, kImages, [&] {
        return "What a training step keeps of the vision tower (" + std::string(tower.name) +
               ") is not known; use 0 to train the text part alone, or freeze the tower.";
    });
    refuse(s.strategy != Strategy::None && s.strategy != Strategy::Ddp &&
               s.strategy != Strategy::Fsdp2 && s.strategy != Strategy::Zero2 &&
               s.strategy != Strategy::Zero3,
           "parallel.strategy", "This strategy", "choose none, DDP, FSDP2, ZeRO-2 or ZeRO-3.");
    refuse(s.trainer == Trainer::Torchtitan, "trainer", "torchtitan's step", "choose another.");
    refuse(s.kernels != Kernels::Eager, "activations.kernels", "A step with these kernels",
           "choose eager.");
    refuse(s.attention != AttentionKind::Flash, "activations.attention", "This attention",
           "choose flash.");
    refuse(s.checkpointing != Checkpointing::None && s.checkpointing != Checkpointing::Full,
           "activations.checkpointing", "This policy", "choose none or full.");
    refuse(s.activationOffload, "activations.offload", "Offloading of activations",
           "switch it off.");
    refuse(s.tensor > 1, "parallel.tensor", "Tensor parallelism", "use 1.");
    refuse(s.context > 1, "parallel.context", "Context parallelism", "use 1.");
    refuse(s.pipeline > 1, "parallel.pipeline", "A pipeline", "use 1.");
    refuse(trained && (s.computeBytes != 2 || s.weightBytes != 2 || isAutocast(s)) &&
               s.regime != Regime::FsdpMixedBf16 && s.regime != Regime::DeepSpeedBf16,
           "precision.regime", "A trained vision tower in this precision",
           "choose pure-bf16, fsdp-mixed-bf16 or deepspeed-bf16, or freeze the tower.");
    refuse(trained && s.adapters.kind == AdapterKind::Lora, "batch.vision_tower",
           "A trained vision tower beside adapters", "choose frozen.");
    const auto inTower = [&](const std::string &target) {
        constexpr std::array<std::string_view, 4> kOfAttention = {"q", "k", "v", "o"};
        return std::ranges::find(kOfAttention, target) == kOfAttention.end() || !tower.fusedQkv;
    };
    note(s.adapters.kind == AdapterKind::Lora && std::ranges::any_of(s.adapters.targets, inTower),
         "adapters.targets",
         "The figures count adapters of the language model alone. PEFT also adapts layers of the "
         "vision tower that have the same names, unless target_modules leaves them out.");
    const auto image = visualTokens(tower, s.imageWidth, s.imageHeight);
    const std::int64_t tokens = image ? image->tokens : 0;
    block(!image, kImages, "How many tokens an image becomes is not known for this model; use 0.");
    block(tokens > s.sequenceLength / s.images, kImages, [&] {
        return formatCount(s.images) + (s.images == 1 ? " image takes " : " images take ") +
               formatCount(tokens) + (s.images == 1 ? "" : " tokens each") +
               ", more than the sequence of " + formatCount(s.sequenceLength) +
               " holds; lengthen it, or use fewer or smaller images.";
    });
}

void PlanChecker::strategies()
{
    const Settings &s = m_settings;
    const bool fsdp = applies::fsdp(s);
    block(s.strategy == Strategy::None && s.data > 1, "parallel.strategy", [&] {
        return "Data parallel is " + formatCount(s.data) +
               ", which needs a strategy: choose DDP, ZeRO or FSDP, or set data parallel to 1.";
    });
    block(m_plan.parallel.sharding && !fsdp, "parallel.sharding",
          "Sharding is a setting of FSDP: choose strategy fsdp1 or fsdp2, or leave it out.");
    block(s.cpuOffload && !applies::shardedParameters(s), "parallel.cpu_offload",
          "This offload is of sharded parameters: choose strategy fsdp1, fsdp2 or zero3, or "
          "optimizer.offload.");
    note(applies::zeroOffload(s) && !applies::zero3(s) &&
             s.optimizer.offloadDevice == OffloadDevice::Nvme,
         "optimizer.offload_device",
         "ZeRO-1 and ZeRO-2 keep what they offload in the host's memory: drives need ZeRO-3.");
    block(s.regime == Regime::FsdpMixedBf16 && !fsdp, "precision.regime",
          "fsdp-mixed-bf16 needs strategy fsdp1 or fsdp2.");
    block(applies::hybrid(s) && s.data * s.context % s.shardGroup != 0, "parallel.shard_group",
          [&] {
              return "The shard group does not divide the " +
                     counted(s.data * s.context, "data-parallel GPU") + ".";
          });
    const std::int64_t expertData = s.gpus / s.pipeline / s.expertTensor / s.expert;
    block(applies::distributedOptimizer(s) && s.architecture.moe() &&
              expertData % s.optimizerInstances != 0,
          "parallel.optimizer_instances", [&] {
              return formatCount(s.optimizerInstances) + " optimizer instances do not divide the " +
                     counted(expertData, "GPU") + " that hold the same experts.";
          });
    block(applies::distributedOptimizer(s) && s.data * s.context % s.optimizerInstances != 0,
          "parallel.optimizer_instances", [&] {
              return formatCount(s.optimizerInstances) + " optimizer instances do not divide the " +
                     counted(s.data * s.context, "data-parallel GPU") + ".";
          });
    block(s.strategy == Strategy::Fsdp2 && s.sharding == Sharding::NoShard, "parallel.sharding",
          "FSDP2 has no no_shard: choose fsdp1, or ddp.");
    block(s.optimizer.name == OptimizerName::None && s.optimizer.offload, "optimizer.offload",
          "There is no optimizer to offload.");
    block(s.optimizer.implementation == OptimizerImplementation::InBackward &&
              s.accumulationSteps > 1,
          "optimizer.implementation",
          "An optimizer inside the backward pass leaves no gradients to accumulate.");
    block(!s.trainerVersion.empty() && !engineVersion(s.trainerVersion), "trainer_version", [&] {
        return '"' + s.trainerVersion + "\" is no release of accelerate; write one as 1.10.0.";
    });
    const bool unstated =
        applies::acceleratesFsdp2(s) && s.trainerVersion.empty() && !m_plan.batch.noSync;
    add(s.noSync && applies::synchronises(s) && fsdp && s.sharding != Sharding::NoShard,
        Severity::Warning, "batch.no_sync", [&] {
            return "Under no_sync the gradients stay unsharded on every GPU until the last "
                   "micro-batch." +
                   std::string(unstated ? " Accelerate up to 1.10 reduces those of every "
                                          "micro-batch under FSDP2: state trainer_version."
                                        : "");
        });
}

void PlanChecker::memorySavers()
{
    const Settings &s = m_settings;
    const std::int64_t positions = s.architecture.learnedPositions;
    add(positions > 0 && s.sequenceLength > positions, Severity::Warning, "batch.sequence_length",
        [&] {
            return "The model has " + counted(positions, "learned position") +
                   ": it cannot run longer sequences.";
        });
    add(s.loss == LossKind::CrossEntropyFp32 && s.computeBytes < 4, Severity::Warning, "loss",
        "cross-entropy-fp32 is for models whose logits are fp32; bf16 logits that are upcast are "
        "hf-upcast.");
    block(applies::someBlocks(s) && s.checkpointedBlocks > s.architecture.layers,
          "activations.blocks", [&] {
              return "Between 0 and the model's " + counted(s.architecture.layers, "layer") + ".";
          });
    note(
        s.linear == LinearFormat::Fp8 || s.linear == LinearFormat::MxFp8, "precision.linear",
        "Linear layers that compute in fp8 save their inputs in 16 bit: torchtitan's recorded runs "
        "differ from bf16 by under half a percent.");
    note(s.linear == LinearFormat::NvFp4 && hasMegatronLayers(s), "precision.linear",
         "What Transformer Engine's fp4 layers save is not computed: their inputs are counted in "
         "16 bit.");
    note(s.linear == LinearFormat::NvFp4 && !hasMegatronLayers(s), "precision.linear",
         "All linear layers of the blocks are taken to compute in fp4 as torchao's do; the head "
         "and experts stay in 16 bit.");
    note(s.regime == Regime::Fp8, "precision.regime",
         "Activations are counted in bf16; fp8 weight copies are added.");
    add(lacksFusedAttention(s) && s.attention == AttentionKind::Math, Severity::Warning,
        "activations.attention", [&] {
            const bool fp32 = s.computeBytes == 4;
            return "PyTorch has no fused kernel for " +
                   std::string(fp32 ? "fp32" : "GPUs before Ampere (read in its source)") +
                   " where heads share keys: its attention computes whole score matrices and keeps "
                   "them. " +
                   (fp32 ? "Train in 16 bits, or repeat" : "Repeat") +
                   " the keys (activations.expanded_kv), which the memory-efficient kernel takes.";
        });
    block(s.dropout >= 1, "activations.dropout", "A rate from 0 to below 1.");
    block(s.attentionDropout >= 1, "activations.attention_dropout", "A rate from 0 to below 1.");
}

void PlanChecker::adapters()
{
    const Settings &s = m_settings;
    const bool lora = applies::lora(s);
    block(lora && s.adapters.rank < 1, "adapters.rank", "LoRA needs a rank of at least 1.");
    block(lora && s.adapters.targets.empty(), "adapters.targets",
          "LoRA needs the matrices it adapts: q, k, v, o, gate, up, down, head or all-linear.");
    block(!lora && s.adapters.baseQuantization != BaseQuantization::None,
          "adapters.base_quantization",
          "Quantised weights cannot be trained themselves: choose adapters.kind lora.");
    const bool latent =
        s.architecture.mla() && std::ranges::any_of(s.adapters.targets, [](auto &name) {
            return name == "q" || name == "k" || name == "v";
        });
    const auto ofExperts = [](const std::string &name) {
        return name == "all-linear" || name == "gate" || name == "up" || name == "down";
    };
    add(lora && s.architecture.moe() && s.kernels == Kernels::Eager &&
            std::ranges::any_of(s.adapters.targets, ofExperts),
        Severity::Warning, "adapters.targets",
        "Each expert is counted as linear layers with adapters of their own, as transformers 4 has "
        "them. Over transformers 5 PEFT instead changes a copy of all expert weights of a block, "
        "which this does not count.");
    if (lora && s.adapters.dora)
        dora();
    block(lora && std::ranges::find(s.adapters.targets, "experts") != s.adapters.targets.end(),
          "adapters.targets",
          "PEFT adapts stacked experts by a changed copy of all their weights, which is not "
          "computed; "
          "leave experts out.");
    note(lora && latent, "adapters.targets",
         "In latent attention q adapts both projections of the queries, k and v those to and from "
         "the latent.");
}

/// What was measured of DoRA, as PEFT computes it.
void PlanChecker::dora()
{
    const Settings &s = m_settings;
    const auto refuse = [&](bool wrong, FieldPath field, std::string_view what,
                            std::string_view choice) {
        block(wrong, field, [&] {
            return std::string(what) + " is not computed for DoRA; " + std::string(choice) +
                   ", or switch adapters.dora off.";
        });
    };
    const bool alike = s.architecture.isPlain() && !s.architecture.moe() && !s.architecture.mla();
    refuse(!alike, "adapters.dora",
           "A model with experts, latent attention or layers of several kinds",
           "choose a model whose layers are alike");
    refuse(s.computeBytes == 4, "precision.regime", "A step in fp32",
           "choose pure-bf16 or autocast-bf16");
    refuse(s.kernels != Kernels::Eager, "activations.kernels", "This choice of kernels",
           "choose eager");
    refuse(s.adapters.dropout > 0, "adapters.dropout", "Dropout", "use 0");
    refuse(s.adapters.fusedQkv, "adapters.fused_qkv", "One matrix for queries, keys and values",
           "switch it off");
    refuse(std::ranges::find(s.adapters.targets, "head") != s.adapters.targets.end(),
           "adapters.targets", "An adapted head", "leave head out");
    const BaseQuantization base = s.adapters.baseQuantization;
    refuse(base != BaseQuantization::None && base != BaseQuantization::Nf4 &&
               base != BaseQuantization::Nf4Double,
           "adapters.base_quantization", "This format of the base",
           "choose none, nf4 or nf4-double");
    refuse(s.checkpointing != Checkpointing::None && s.checkpointing != Checkpointing::Full,
           "activations.checkpointing", "This policy", "choose none or full");
    refuse(s.strategy != Strategy::None && s.strategy != Strategy::Ddp, "parallel.strategy",
           "This strategy", "choose none or ddp");
    refuse(s.tensor > 1, "parallel.tensor", "Tensor parallelism", "use 1");
    refuse(s.context > 1, "parallel.context", "Context parallelism", "use 1");
    refuse(s.pipeline > 1, "parallel.pipeline", "A pipeline", "use 1");
}

} // namespace vramscope
