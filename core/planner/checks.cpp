// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/checks.h"

#include "core/base/format.h"
#include "core/planner/blocks/state_mixers.h"
#include "core/planner/calibration_marks.h"
#include "core/planner/diffusion/diffusion.h"
#include "core/planner/drafts/drafts.h"
#include "core/planner/engines/sglang_values.h"
#include "core/planner/engines/vllm_releases.h"
#include "core/planner/field.h"
#include "core/planner/field_conditions.h"
#include "core/planner/schedules/schedule.h"
#include "core/planner/towers/visual_tokens.h"
#include "core/planner/usual_values.h"

#include <algorithm>
#include <array>
#include <numeric>
#include <string>
#include <string_view>
#include <type_traits>

namespace vramscope {

namespace {

using Severity = Issue::Severity;

/// Goes through the rules of a plan; every check is one line that reads as its rule. Collects the
/// issues, or, without a list for them, only tells whether one of them bars the figures.
class Checker
{
public:
    Checker(const Plan &plan, const Settings &settings, std::vector<Issue> *issues)
        : m_plan(plan)
        , m_settings(settings)
        , m_issues(issues)
    {
    }

    /// Whether figures may be computed.
    bool run()
    {
        if (m_issues)
            marks();
        ranges();
        if (m_barred)
            return false; // divisions below need positive degrees, and products that can be counted
        if (m_settings.diffusion) {
            pipeline();
            oneMemory();
            if (m_issues)
                withoutEffect();
            return !m_barred;
        }
        degrees();
        otherVendors();
        oneMemory();
        if (m_settings.workload == Workload::Training) {
            strategies();
            memorySavers();
            adapters();
        } else {
            serving();
        }
        if (m_issues)
            withoutEffect();
        return !m_barred;
    }

private:
    /// `text` is a text, or what puts one together.
    template<class Text>
    void add(bool when, Severity severity, FieldPath field, const Text &text)
    {
        if (!when)
            return;
        m_barred |= severity == Severity::Blocking;
        if (!m_issues)
            return;
        if constexpr (std::is_invocable_v<Text>)
            m_issues->push_back(issueOf(field, severity, text()));
        else
            m_issues->push_back(issueOf(field, severity, std::string(text)));
    }
    template<class Text>
    void block(bool when, FieldPath field, const Text &text)
    {
        add(when, Severity::Blocking, field, text);
    }
    /// What several fields of a group do together.
    void blockGroup(const char *group, const char *text)
    {
        m_barred = true;
        if (m_issues)
            m_issues->push_back({Severity::Blocking, group, text});
    }
    void note(bool when, FieldPath field, std::string_view text)
    {
        add(when, Severity::Note, field, text);
    }

    void ranges();
    void degrees();
    void stages();
    void experts();
    void strategies();
    void memorySavers();
    void adapters();
    void withoutEffect();
    void serving();
    void release();
    void speculation();
    void speculationOfVllm();
    void otherVendors();
    void mixedLayers();
    void engineKnowsModel();
    void adaptersOfMixedLayers();
    void images();
    void ownInputs();
    void allExperts();
    void oneMemory();
    void pipeline();
    void pipelineTraining();
    void marks();

    const Plan &m_plan;
    const Settings &m_settings;
    std::vector<Issue> *m_issues;
    bool m_barred = false;
};

void Checker::ranges()
{
    for (const Field &field : planFields()) {
        if (field.isInRange != nullptr && !field.isInRange(field, m_plan))
            block(true, field.path,
                  [&] { return checkValue(field, field.get(m_plan)).error().detail; });
    }
    if (!worldSize(m_settings))
        blockGroup("parallel", "The parallel degrees multiply to more GPUs than can be counted.");
}

/// What a training step keeps of layers of several kinds was measured with transformers' own
/// modules on one rank of data parallelism.
void Checker::mixedLayers()
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
        refuse(s.adapters == AdapterKind::Lora, "adapters.kind", "Training of adapters",
               "choose none.");
        return;
    }
    if (s.adapters == AdapterKind::Lora)
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

/// Adapters of attention and feed-forward beside mixers that are frozen whole: what was measured.
void Checker::adaptersOfMixedLayers()
{
    const Settings &s = m_settings;
    const StateKind kind = s.architecture.state.kind;
    block(
        (kind != StateKind::GatedDelta && kind != StateKind::Mamba1 && kind != StateKind::Mamba2) ||
            std::ranges::any_of(
                s.architecture.blocks,
                [](const BlockKind &each) { return each.mixer == TokenMixer::Parallel; }),
        "adapters.kind",
        "Training of adapters is not computed beside layers of this kind; choose none.");
    block(s.checkpointing != Checkpointing::Full, "activations.checkpointing",
          "What frozen layers that keep a state save is not computed; choose full.");
    const auto mixers = [](const std::string &target) {
        constexpr std::array<std::string_view, 5> kOfMixers = {"all-linear", "in_proj", "out_proj",
                                                               "x_proj", "dt_proj"};
        return std::ranges::find(kOfMixers, target) != kOfMixers.end();
    };
    block(std::ranges::any_of(s.adapterTargets, mixers), "adapters.targets",
          "Adapters of layers that keep a state are not computed; choose among q, k, v, o, gate, "
          "up and down.");
    block(s.baseQuantization != BaseQuantization::None, "adapters.base_quantization",
          "A quantised base is not computed for a model whose layers are of several kinds; choose "
          "none.");
}

/// Llama 4 as transformers runs it: every expert on every token.
void Checker::allExperts()
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
    refuse(s.adapters == AdapterKind::Lora, "adapters.kind", "choose none.");
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

/// How engines divide the tables and projections of layers' own inputs is not followed.
void Checker::ownInputs()
{
    const Settings &s = m_settings;
    if (s.architecture.ownInputs == 0 || s.workload != Workload::Inference)
        return;
    constexpr std::string_view kWhose = " is not computed for a model whose layers have inputs of "
                                        "their own; ";
    block(s.tensor > 1, "parallel.tensor",
          [&] { return "Tensor parallelism" + std::string(kWhose) + "use 1."; });
    block(s.pipeline > 1, "parallel.pipeline",
          [&] { return "A pipeline" + std::string(kWhose) + "use 1."; });
    block(s.engine == Engine::LlamaCpp, "inference.engine", [&] {
        return "llama.cpp, which keeps their table on the host," + std::string(kWhose) +
               "choose another.";
    });
    add(s.engine == Engine::Vllm && s.architecture.residualStreams > 1, Severity::Warning,
        "inference.engine",
        "The profile run of Gemma 3n holds several residual streams (AltUp), which are not "
        "counted: the cache is smaller than this.");
}

/// What a step with images keeps was measured with transformers' own modules.
void Checker::images()
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
    block(!tower.isTrainingKnown, kImages, [&] {
        return "What a training step keeps of the vision tower (" + std::string(tower.name) +
               ") is not known; use 0 to train the text part alone.";
    });
    const bool trained = s.visionTower == TowerTraining::Trained;
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
    refuse(trained && s.adapters == AdapterKind::Lora, "batch.vision_tower",
           "A trained vision tower beside adapters", "choose frozen.");
    refuse(s.baseQuantization != BaseQuantization::None, "adapters.base_quantization",
           "A quantised base", "choose none.");
    const auto inTower = [&](const std::string &target) {
        constexpr std::array<std::string_view, 4> kOfAttention = {"q", "k", "v", "o"};
        return std::ranges::find(kOfAttention, target) == kOfAttention.end() || !tower.fusedQkv;
    };
    block(s.adapters == AdapterKind::Lora && std::ranges::any_of(s.adapterTargets, inTower),
          "adapters.targets",
          "PEFT would adapt layers of the vision tower that have the same names, which is not "
          "computed; use 0 images" +
              std::string(tower.fusedQkv ? ", or choose among q, k, v and o." : "."));
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

void Checker::degrees()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    const std::int64_t world = worldSize(s).value_or(1); // ranges() has refused those beyond count
    block(a.layers > 0 && a.countedOnly, "workload",
          "Of this model the parameters alone are known: what serving engines keep for its sparse "
          "attention, and what a training step keeps, is not computed. For a rough figure describe "
          "a transformer of its width and state its count as model.parameters_override.");
    block(s.workload == Workload::Training && a.layers > 0 && !a.countedOnly &&
              !a.isTrainingKnown(),
          "workload",
          "What a training step keeps of this model's layers is not known: of a gate of "
          "attention, inputs of each layer's own, blocks that several layers share, experts on a "
          "latent or in some layers "
          "among others, or layers of Mamba alone. Its parameters, and serving it, are "
          "computed.");
    ownInputs();
    mixedLayers();
    images();
    allExperts();
    block(a.shared.count > 0 && s.pipeline > 1, "parallel.pipeline",
          "A model whose layers share their weights is not computed in pipeline stages; use 1.");
    block(a.state.kind == StateKind::Rwkv7 && s.tensor > 1, "parallel.tensor",
          "No engine divides the layers of RWKV 7 among GPUs; use 1.");
    block(a.state.heads % s.tensor != 0, "parallel.tensor", [&] {
        return "The " + formatCount(a.state.heads) +
               " heads of its layers that keep a state do not divide by tensor = " +
               formatCount(s.tensor) + ".";
    });
    block(a.heads % s.tensor != 0, "parallel.tensor", [&] {
        return "The " + formatCount(a.heads) +
               " attention heads do not divide by tensor = " + formatCount(s.tensor) + ".";
    });
    const std::int64_t replica = world / s.data;
    const bool divides = s.gpus % replica == 0;
    block(world != s.gpus && !divides, "hardware.gpus", [&] {
        return "The " + formatCount(s.gpus) + (s.gpus == 1 ? " GPU does" : " GPUs do") +
               " not divide by tensor × pipeline × context = " + formatCount(replica) + '.';
    });
    block(world != s.gpus && divides, "hardware.gpus", [&] {
        return "The degrees make data × tensor × pipeline × context = " + formatCount(world) +
               ", but hardware.gpus is " + formatCount(s.gpus) + ".";
    });
    if (a.layers == 0)
        return; // the model itself is unknown and said so
    block(s.pipeline > a.layers, "parallel.pipeline", [&] {
        return "More pipeline stages than the model's " + formatCount(a.layers) + " layers.";
    });
    stages();
    block(s.stage >= s.pipeline, "parallel.stage",
          [&] { return "There are stages 0 to " + formatCount(s.pipeline - 1) + " only."; });
    block(s.sequenceLength % s.context != 0, "parallel.context", [&] {
        return "The sequence length does not divide by context = " + formatCount(s.context) + ".";
    });
    experts();
}

void Checker::stages()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    if (s.pipeline > a.layers)
        return; // said already
    constexpr FieldPath field = "parallel.layers_per_stage";
    const bool counted = static_cast<std::int64_t>(s.layersPerStage.size()) == s.pipeline;
    const std::int64_t sum =
        std::accumulate(s.layersPerStage.begin(), s.layersPerStage.end(), std::int64_t(0));
    block(!counted, field, [&] {
        return "Lists the layers of " + formatCount(std::ssize(s.layersPerStage)) +
               " stages, but parallel.pipeline makes " + formatCount(s.pipeline) + ".";
    });
    block(counted && sum != a.layers, field, [&] {
        return "Adds up to " + formatCount(sum) + " layers, but the model has " +
               formatCount(a.layers) + ".";
    });
    block(
        counted && s.virtualStages > 1 &&
            std::ranges::any_of(s.layersPerStage,
                                [&](std::int64_t layers) { return layers % s.virtualStages != 0; }),
        "parallel.virtual_stages", "The layers of a stage do not divide by virtual_stages.");
}

void Checker::experts()
{
    const Settings &s = m_settings;
    const Architecture &a = s.architecture;
    if (s.expert == 1 && s.expertTensor == 1)
        return;
    block(s.expert > 1 && !a.moe(), "parallel.expert", "The model has no experts to spread.");
    block(a.moe() && a.experts % s.expert != 0, "parallel.expert", [&] {
        return "The " + formatCount(a.experts) +
               " experts do not divide by expert = " + formatCount(s.expert) + ".";
    });
    block(a.moe() && s.gpus / s.pipeline % s.expertTensor != 0, "parallel.expert_tensor",
          "The GPUs of a stage do not divide by expert_tensor.");
    block(a.moe() && s.gpus / s.pipeline % s.expertTensor == 0 &&
              s.gpus / s.pipeline / s.expertTensor % s.expert != 0,
          "parallel.expert", "The GPUs of a stage do not divide by expert × expert_tensor.");
}

void Checker::strategies()
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
    block(s.regime == Regime::FsdpMixedBf16 && !fsdp, "precision.regime",
          "fsdp-mixed-bf16 needs strategy fsdp1 or fsdp2.");
    block(applies::hybrid(s) && s.data * s.context % s.shardGroup != 0, "parallel.shard_group",
          [&] {
              return "The shard group does not divide the " + formatCount(s.data * s.context) +
                     " data-parallel GPUs.";
          });
    block(s.strategy == Strategy::Fsdp2 && s.sharding == Sharding::NoShard, "parallel.sharding",
          "FSDP2 has no no_shard: choose fsdp1, or ddp.");
    block(s.optimizer == OptimizerName::None && s.optimizerOffload, "optimizer.offload",
          "There is no optimizer to offload.");
    block(s.implementation == OptimizerImplementation::InBackward && s.accumulationSteps > 1,
          "optimizer.implementation",
          "An optimizer inside the backward pass leaves no gradients to accumulate.");
    add(s.noSync && applies::synchronises(s) && fsdp && s.sharding != Sharding::NoShard,
        Severity::Warning, "batch.no_sync",
        "Under no_sync the gradients stay unsharded on every GPU until the last micro-batch.");
}

void Checker::memorySavers()
{
    const Settings &s = m_settings;
    const std::int64_t positions = s.architecture.learnedPositions;
    add(positions > 0 && s.sequenceLength > positions, Severity::Warning, "batch.sequence_length",
        [&] {
            return "The model has " + formatCount(positions) +
                   " learned positions: it cannot run longer sequences.";
        });
    add(s.loss == LossKind::CrossEntropyFp32 && s.computeBytes < 4, Severity::Warning, "loss",
        "cross-entropy-fp32 is for models whose logits are fp32; bf16 logits that are upcast are "
        "hf-upcast.");
    block(applies::someBlocks(s) && s.checkpointedBlocks > s.architecture.layers,
          "activations.blocks", [&] {
              return "Between 0 and the model's " + formatCount(s.architecture.layers) + " layers.";
          });
    note(
        s.linear == LinearFormat::Fp8, "precision.linear",
        "Linear layers that compute in fp8 save their inputs in 16 bit: torchtitan's recorded runs "
        "differ from bf16 by under half a percent.");
    note(s.linear == LinearFormat::NvFp4, "precision.linear",
         "Linear layers that compute in fp4 are taken to save their inputs in 16 bit, as those in "
         "fp8 do.");
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

void Checker::adapters()
{
    const Settings &s = m_settings;
    const bool lora = applies::lora(s);
    block(lora && s.adapterRank < 1, "adapters.rank", "LoRA needs a rank of at least 1.");
    block(lora && s.adapterTargets.empty(), "adapters.targets",
          "LoRA needs the matrices it adapts: q, k, v, o, gate, up, down, head or all-linear.");
    block(!lora && s.baseQuantization != BaseQuantization::None, "adapters.base_quantization",
          "Quantised weights cannot be trained themselves: choose adapters.kind lora.");
    const bool latent =
        s.architecture.mla() && std::ranges::any_of(s.adapterTargets, [](auto &name) {
            return name == "q" || name == "k" || name == "v";
        });
    note(lora && latent, "adapters.targets",
         "In latent attention q adapts both projections of the queries, k and v those to and from "
         "the latent.");
}

constexpr std::string_view engineTitle(Engine engine)
{
    return engine == Engine::Sglang ? "SGLang" : engine == Engine::TrtLlm ? "TensorRT-LLM" : "vLLM";
}

/// Engines that have no class of a model: vLLM 0.33.0 model_executor/models/registry.py, llama.cpp
/// src/llama-arch.cpp.
void Checker::engineKnowsModel()
{
    struct Unknown
    {
        std::string_view type;
        bool vllm;
        bool llamaCpp;
    };
    constexpr std::array kUnknown = {Unknown{"rwkv7", true, false}, Unknown{"zamba", true, true},
                                     Unknown{"zamba2", false, true}};
    const Settings &s = m_settings;
    // Under transformers 5.20 its class gives vLLM the width of the rotated part for a head's.
    block(
        s.architecture.modelType == "bailing_hybrid" && s.engine == Engine::Vllm,
        "inference.engine",
        "Which states vLLM keeps of Ling 3.0 is not known: it reads the width of their heads from "
        "a key that transformers overwrites; choose hf.");
    for (const Unknown &unknown : kUnknown) {
        if (s.architecture.modelType != unknown.type)
            continue;
        const std::string_view others = unknown.llamaCpp ? "hf" : "hf or llama.cpp";
        block(unknown.vllm && s.engine == Engine::Vllm, "inference.engine", [&] {
            return "vLLM has no class of this model; choose " + std::string(others) + '.';
        });
        block(unknown.llamaCpp && s.engine == Engine::LlamaCpp, "inference.engine",
              "llama.cpp has no class of this model; choose hf.");
    }
}

void Checker::serving()
{
    const Settings &s = m_settings;
    engineKnowsModel();
    release();
    block(sizesItsCache(s) && applies::inference(s) && s.capacity == 0 &&
              (s.engine != Engine::Vllm || s.kvCacheMemoryBytes < 0),
          "hardware.gpu", [&] {
              return std::string(engineTitle(s.engine)) +
                     " sizes its cache by the GPU's memory: name a GPU with known capacity, or "
                     "state hardware.capacity_bytes.";
          });
    const bool uncounted = s.architecture.moe() || s.architecture.mla() ||
                           s.architecture.state.kind != StateKind::None;
    add(applies::servesAdapters(s) && uncounted, Severity::Warning, "inference.max_loras",
        "Adapter slots are counted at attention with key-value heads and dense feed-forward alone: "
        "those of experts, latent attention and layers that keep a state take more.");
    add(applies::keptStates(s) && s.activationPeakBytes < 0, Severity::Warning,
        "inference.activation_peak_bytes",
        "What layers that keep a state hold during vLLM's profile run is not known and not "
        "counted; a start-up log states the peak.");
    block(applies::windowedEngine(s) && s.maxModelLen < 1, "inference.max_model_len",
          "The model states no context length: say how long sequences may be.");
    if (applies::speculates(s))
        speculation();
}

/// The release of the engine, and whether its share of the GPU is free when it starts.
void Checker::release()
{
    const Settings &s = m_settings;
    constexpr FieldPath kVersion = "inference.engine_version";
    if (!applies::versionedEngine(s))
        return;
    const auto version = engineVersion(s.engineVersion);
    const bool vllm = s.engine == Engine::Vllm;
    const std::string_view newest = vllm ? kNewestVllm : kNewestSglang;
    block(!version, kVersion, [&] {
        return '"' + s.engineVersion + "\" is no release; write one as " + std::string(newest) +
               ", or leave it out for the newest that is known.";
    });
    add(version && version->isNewerThan(*engineVersion(newest)), Severity::Note, kVersion, [&] {
        return "Newer than " + std::string(newest) +
               ", the newest release that is known here: counted as that one.";
    });
    add(version && vllm && vllmReleases().front().since.isNewerThan(*version), Severity::Warning,
        kVersion, "Older than the oldest release that is known here: counted as 0.4.0.");
    if (!vllm || !vllmRelease(s).asksForFreeMemory || unifiedMemory(s) || s.capacity == 0)
        return;
    const auto share = static_cast<Bytes>(static_cast<double>(s.capacity) * s.gpuMemoryUtilization);
    const Bytes free =
        s.capacity - s.contextBytes -
        (vllmRelease(s).nonTorch == NonTorch::WithoutCommunicators ? s.ncclBytes : 0);
    add(share > free, Severity::Warning, "inference.gpu_memory_utilization", [&] {
        return "vLLM asks for " + formatBytes(share) +
               " at the start, and its own context leaves " +
               formatBytes(std::max<Bytes>(free, 0)) +
               " free (\"Free memory on device … is less than desired GPU memory utilization\"): "
               "it does not start. Lower the share.";
    });
}

void Checker::speculation()
{
    const Settings &s = m_settings;
    constexpr FieldPath kMethod = "inference.speculative.method";
    const bool head = s.speculativeMethod == SpeculativeMethod::Eagle ||
                      s.speculativeMethod == SpeculativeMethod::Eagle3;
    block((head || s.speculativeMethod == SpeculativeMethod::Mtp) && s.engine != Engine::Vllm &&
              s.engine != Engine::Sglang,
          kMethod,
          "EAGLE heads and prediction modules are computed for vLLM and SGLang alone (transformers "
          "builds no such module); choose one of them, or draft_model or ngram.");
    // transformers generation/utils.py, _get_candidate_generator and assisted decoding.
    block(s.engine == Engine::Hf && s.concurrentSequences != 1, "inference.concurrent_sequences",
          "transformers speculates for one sequence at a time; use 1.");
    // Steps of a state cannot be taken back there (transformers generation/utils.py, is_stateful).
    block(s.engine != Engine::Vllm && s.architecture.state.kind != StateKind::None, kMethod,
          "Speculation with layers that keep a state is computed for vLLM alone; choose vLLM, or "
          "none.");
    if (!s.draft)
        return speculationOfVllm();
    const Architecture &draft = s.draft->architecture;
    block(s.pipeline > 1, "parallel.pipeline",
          "A draft is computed beside a model on one pipeline stage; use 1.");
    block(draft.heads % s.tensor != 0, "parallel.tensor", [&] {
        return "The draft's " + formatCount(draft.heads) +
               " attention heads do not divide by tensor = " + formatCount(s.tensor) + ".";
    });
    add(s.draft->whole && draft.vocab != s.architecture.vocab, Severity::Warning,
        "inference.speculative.model", [&] {
            return "The draft has a vocabulary of " + formatCount(draft.vocab) +
                   ", the model one of " + formatCount(s.architecture.vocab) +
                   ": engines ask for the same one unless they are told to translate.";
        });
    speculationOfVllm();
}

/// What of vLLM's pool was held against vLLM itself (tests/measure/drafts).
void Checker::speculationOfVllm()
{
    const Settings &s = m_settings;
    if (s.engine != Engine::Vllm)
        return;
    const Architecture &a = s.architecture;
    constexpr FieldPath kMethod = "inference.speculative.method";
    const StateKind kind = a.state.kind;
    block(kind != StateKind::None && kind != StateKind::GatedDelta && kind != StateKind::Mamba2,
          kMethod,
          "How many states vLLM keeps of this model while it speculates is not known; choose "
          "none.");
    if (!s.draft)
        return;
    block(a.slidingWindow > 0, kMethod,
          "How vLLM groups the layers of a draft with those that look back over a window is not "
          "computed; choose none or ngram.");
    block(kind != StateKind::None && !keepsAlike(a, s.draft->architecture), kMethod,
          "The layers of this draft keep more or less of a token than the model's, and how vLLM "
          "shares its blocks with the model's states then is not computed; choose another "
          "method.");
    block(s.draft->architecture.slidingWindow > 0, kMethod,
          "Drafts that look back over a window are not computed; choose another.");
}

/// What runtimes beside CUDA take, nobody has reported: where the plan does not state it, the
/// answer says what is missing.
void Checker::otherVendors()
{
    const Settings &s = m_settings;
    if (runsCuda(s))
        return;
    const PlanOverheads &stated = m_plan.overheads;
    const bool vllm = applies::vllm(s);
    const bool context = !vllm && !stated.contextBytes;
    const bool several = !vllm && s.gpus > 1 && !stated.ncclBytes;
    const bool workspace = !stated.cublasWorkspaceBytes;
    const bool system = s.gpu->memory == DeviceMemory::Pool && !m_plan.hardware.systemBytes;
    add(context || several || workspace || system, Severity::Warning, "hardware.gpu", [&] {
        const bool amd = s.gpu->vendor() == GpuVendor::Amd;
        std::string missing;
        const auto name = [&](bool unstated, std::string_view what, FieldPath field) {
            if (unstated)
                missing.append(missing.empty() ? "" : ", ")
                    .append(what)
                    .append(" (")
                    .append(field.text())
                    .append(")");
        };
        name(context, amd ? "the HIP context" : "the runtime's context", "overheads.context_bytes");
        name(several, amd ? "RCCL's communicators" : "communicators", "overheads.nccl_bytes");
        name(workspace, amd ? "hipBLASLt's workspace" : "workspaces of matrix products",
             "overheads.cublas_workspace_bytes");
        name(system, "the system's part of the memory", "hardware.system_bytes");
        return "Not known of " + std::string(vendorName(s.gpu->vendor())) +
               " and not counted: " + missing + ". State what your runs show.";
    });
    add(vllm && s.nonTorchBytes < 0, Severity::Warning, "inference.non_torch_bytes",
        "What vLLM holds outside PyTorch is known of NVIDIA alone, and taken from there.");
}

/// A diffusion pipeline runs on one GPU.
void Checker::pipeline()
{
    const Settings &s = m_settings;
    const auto alone = [&](std::int64_t degree, FieldPath field) {
        block(degree > 1, field,
              "A diffusion pipeline is computed on one GPU; use 1, or leave it out.");
    };
    alone(m_plan.hardware.gpus.value_or(1), "hardware.gpus");
    alone(s.data, "parallel.data");
    alone(s.tensor, "parallel.tensor");
    alone(s.pipeline, "parallel.pipeline");
    alone(s.context, "parallel.context");
    block(m_plan.inference.engine && s.engine != Engine::Plain, "inference.engine",
          "diffusers runs a diffusion pipeline; leave the engine out.");
    const std::int64_t step = s.diffusion->kind->sideStep;
    const auto multiple = [&](std::int64_t side, FieldPath field) {
        add(side % step != 0, Severity::Warning, field, [&] {
            return "The pipeline takes multiples of " + formatCount(step) + ": counted as " +
                   formatCount(std::max(side / step, std::int64_t(1)) * step) + ".";
        });
    };
    multiple(s.diffusionWidth, "diffusion.width");
    multiple(s.diffusionHeight, "diffusion.height");
    add(applies::videos(s) && s.diffusionFrames % 4 != 1, Severity::Warning, "diffusion.frames",
        [&] {
            return "The autoencoder makes one picture and then four at a time: counted as " +
                   formatCount(s.diffusionFrames / 4 * 4 + 1) + ".";
        });
    add(s.diffusionOffload == DiffusionOffload::Sequential && applies::callsPipeline(s),
        Severity::Warning, "diffusion.offload",
        "Counted with the largest layer beside the highest activations, whichever runs then: an "
        "upper bound.");
    if (s.workload == Workload::Training)
        pipelineTraining();
}

/// What of a training step was recorded: tests/measure/diffusion/lora.py.
void Checker::pipelineTraining()
{
    const Settings &s = m_settings;
    block(!trainingKnown(*s.diffusion), "workload",
          "What a training step of this pipeline keeps was not recorded: FLUX.1, SD3, "
          "Qwen-Image and Wan with one time step a video are. "
          "Calling it, workload inference, is computed.");
    block(s.adapters != AdapterKind::Lora, "adapters.kind",
          "Full training of a diffusion transformer is not computed; choose lora.");
    block(applies::anyLora(s) && s.adapterRank < 1, "adapters.rank",
          "LoRA needs a rank of at least 1.");
    block(s.optimizer != OptimizerName::AdamW, "optimizer.name",
          "A diffusion transformer's step was recorded with adamw alone; choose it.");
    block(s.implementation == OptimizerImplementation::InBackward, "optimizer.implementation",
          "Not computed for a diffusion transformer; choose foreach, fused or for-loop.");
    block(s.checkpointing != Checkpointing::None && s.checkpointing != Checkpointing::Full,
          "activations.checkpointing",
          "diffusers checkpoints every block or none; choose full or none.");
    block(s.transformerFormat != DiffusionFormat::Bf16, "diffusion.transformer_format",
          "Training over quantised or cast weights was not recorded; choose bf16.");
}

/// Host and device share their memory, and the system takes its part first.
void Checker::oneMemory()
{
    const Settings &s = m_settings;
    if (!unifiedMemory(s))
        return;
    constexpr std::string_view kWithin =
        "Moves bytes within one memory: host and device share it, so that they stay in it and are "
        "counted.";
    const auto warn = [&](bool offloads, FieldPath field) {
        add(offloads, Severity::Warning, field, kWithin);
    };
    warn(s.cpuOffload && applies::shardedParameters(s), "parallel.cpu_offload");
    warn(s.optimizerOffload && applies::training(s), "optimizer.offload");
    warn(s.activationOffload && applies::blockInputs(s), "activations.offload");
    const double share = static_cast<double>(s.capacity) * s.gpuMemoryUtilization;
    add(applies::vllm(s) && s.capacity > 0 &&
            share > static_cast<double>(s.capacity - s.systemBytes),
        Severity::Warning, "inference.gpu_memory_utilization", [&] {
            return "vLLM takes its share of the whole memory, " +
                   formatBytes(static_cast<Bytes>(share)) + ", and the system leaves " +
                   formatBytes(std::max<Bytes>(s.capacity - s.systemBytes, 0)) +
                   ": it does not start. Lower the share.";
        });
}

void Checker::marks()
{
    block(!isAllocConf(m_settings.allocConf), "overheads.alloc_conf",
          "Options as PYTORCH_CUDA_ALLOC_CONF has them: expandable_segments:True,"
          "max_split_size_mb:512.");
    if (!m_plan.overheads.calibrated)
        return;
    for (const std::string &mark : *m_plan.overheads.calibrated)
        add(calibratedField(mark) == nullptr, Severity::Note, "overheads.calibrated", [&] {
            return '"' + mark +
                   "\" is ignored: a mark is \"FIELD from FILE\", with a field of overheads.";
        });
}

void Checker::withoutEffect()
{
    for (const Field &field : planFields()) {
        const Condition *broken = field.condition->broken(m_settings);
        // What is stated for the other workload waits there for its turn.
        if (!broken || broken == &applies::training || broken == &applies::inference ||
            broken == &applies::anyTraining || broken == &applies::anyInference ||
            !asksForSomething(field.get(m_plan)) ||
            std::ranges::find(*m_issues, field.path.text(), &Issue::field) != m_issues->end())
            continue;
        note(true, field.path,
             "Without effect: a setting of " + std::string(broken->because.subject) + " (" +
                 std::string(broken->because.reason) + ").");
    }
}

} // namespace

bool asksForSomething(const FieldValue &value)
{
    struct
    {
        bool operator()(std::monostate) const { return false; }
        bool operator()(bool on) const { return on; }
        bool operator()(std::int64_t count) const { return count > 1; }
        bool operator()(double number) const { return number > 0; }
        bool operator()(const std::string &text) const { return text != "none"; }
        bool operator()(const TextList &list) const { return !list.empty(); }
        bool operator()(const CountList &list) const { return list.size() > 1; }
    } constexpr asks;
    return std::visit(asks, value);
}

std::optional<std::int64_t> worldSize(const Settings &s)
{
    std::int64_t world = 1;
    for (const std::int64_t degree : {s.data, s.tensor, s.pipeline, s.context})
        if (__builtin_mul_overflow(world, degree, &world))
            return std::nullopt;
    return world;
}

void checkPlan(const Plan &plan, ResolvedPlan &resolved)
{
    Checker(plan, resolved.settings, &resolved.issues).run();
}

bool soundPlan(const Plan &plan, const Settings &settings)
{
    return Checker(plan, settings, nullptr).run();
}

} // namespace vramscope
