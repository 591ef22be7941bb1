// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planned_requests/planned_reserve.h"
#include "core/settings/field_conditions.h"
#include "core/settings/schedules/schedule.h"
#include "core/solver/changes.h"
#include "core/solver/edits.h"

#include <array>

namespace vramscope {

namespace {

constexpr std::string_view kOffloadStates = "Offload the optimizer states";
constexpr std::string_view kAdapters = "Train adapters of rank 16";

bool adam(const Settings &s)
{
    return s.optimizer.name == OptimizerName::Adam || s.optimizer.name == OptimizerName::AdamW;
}

bool shardEverything(Plan &plan, const Settings &s)
{
    if (applies::fsdp(s))
        return put(plan.parallel.sharding, s.sharding, Sharding::FullShard);
    switch (s.strategy) {
    case Strategy::Ddp:
        shardUnderFsdp2(plan, s);
        return true;
    case Strategy::Zero1:
    case Strategy::Zero2:
        plan.parallel.strategy = Strategy::Zero3;
        return true;
    case Strategy::Megatron:
        plan.parallel.strategy = Strategy::MegatronDistributedOptimizer;
        return true;
    default:
        return false;
    }
}

bool halveMicroBatch(Plan &plan, const Settings &s)
{
    if (s.microBatch % 2 != 0)
        return false;
    setNumber(plan, s, "batch.micro_batch", s.microBatch / 2);
    return true;
}

/// Data parallelism over twice the GPUs, or more within a node.
bool addGpus(Plan &plan, const Settings &s, std::int64_t factor)
{
    if (factor > 2 && s.gpus > kGpusPerNode / factor)
        return false;
    multiplyGpus(plan, s, factor);
    return true;
}

bool checkpoint(Plan &plan, const Settings &s, Checkpointing policy)
{
    if (s.checkpointing == Checkpointing::Full)
        return false; // nothing keeps less
    return put(plan.activations.checkpointing, s.checkpointing, policy);
}

bool eightBitStates(Plan &plan, const Settings &s)
{
    if (!adam(s))
        return false;
    plan.optimizer.name = OptimizerName::AdamW8bit;
    plan.optimizer.stateBytes = std::nullopt;
    return true;
}

bool adapters(Plan &plan, const Settings &s)
{
    if (s.adapters.kind != AdapterKind::None)
        return false;
    plan.adapters.kind = AdapterKind::Lora;
    plan.adapters.rank = 16;
    plan.adapters.targets = TextList{"all-linear"};
    return true;
}

/// Adapters on a base in 4 bits, QLoRA.
bool quantisedAdapters(Plan &plan, const Settings &s)
{
    plan.adapters.baseQuantization = BaseQuantization::Nf4Double;
    return adapters(plan, s);
}

/// Where FSDP shards, the host takes the shards.
bool offloadEverything(Plan &plan, const Settings &s)
{
    if ((s.strategy != Strategy::None && !applies::zero(s)) || s.rollout ||
        s.optimizer.name == OptimizerName::None || applies::quantizedBase(s) ||
        (s.cpuOffload && s.optimizer.offload))
        return false;
    offloadUnderZero3(plan, s);
    return true;
}

bool quantiseBase(Plan &plan, const Settings &s)
{
    return s.adapters.kind == AdapterKind::Lora &&
           s.adapters.baseQuantization == BaseQuantization::None &&
           put(plan.adapters.baseQuantization, s.adapters.baseQuantization,
               BaseQuantization::Nf4Double);
}

/// Only the regime; adapters keep their bytes (adapters.weight_bytes).
bool allInBf16(Plan &plan, const Settings &s)
{
    plan.precision = {};
    return put(plan.precision.regime, s.regime, Regime::PureBf16);
}

bool expandableSegments(Plan &plan, const Settings &s)
{
    const std::optional<double> factor = expandableFactor(plan);
    if (!factor || *factor >= s.reservedFactor)
        return false;
    plan.overheads.allocConf = withExpandableSegments(s.allocConf);
    plan.overheads.reservedFactor = *factor;
    return true;
}

constexpr std::array kTrainingChanges = {
    Change{"Fused optimizer step", "Free: the step makes no list of temporaries.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return s.optimizer.implementation == OptimizerImplementation::Foreach &&
                      put(plan.optimizer.implementation, s.optimizer.implementation,
                          OptimizerImplementation::Fused);
           },
           "step"},
    Change{"Optimizer step inside the backward pass",
           "No gradient clipping over all parameters, and no accumulation.", Toll::Limits,
           [](Plan &plan, const Settings &s) {
               return s.accumulationSteps == 1 && s.optimizer.name != OptimizerName::None &&
                      put(plan.optimizer.implementation, s.optimizer.implementation,
                          OptimizerImplementation::InBackward);
           },
           "step"},
    Change{"Free gradients after the step", "Free.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return put(plan.optimizer.zeroGrad, s.optimizer.zeroGrad, ZeroGrad::AfterStep);
           }},
    Change{"Let go of the logits", "Free: no variable keeps them after the step.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return put(plan.lossKeepLogits, s.lossKeepLogits, false);
           }},
    Change{"Gradients as bucket views", "Free: DDP's gradient_as_bucket_view=True.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return applies::ddp(s) &&
                      put(plan.parallel.gradientAsBucketView, s.gradientAsBucketView, true);
           }},
    Change{"Reduce gradients after every micro-batch", "More communication.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return s.accumulationSteps > 1 && put(plan.batch.noSync, s.noSync, false);
           }},
    Change{"Expandable segments",
           "Free: PYTORCH_CUDA_ALLOC_CONF=expandable_segments:True keeps the allocator's slack "
           "smaller.",
           Toll::None, expandableSegments, "", std::nullopt, false, true},
    Change{"Flash attention", "Free: no matrix of sequence by sequence is kept.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return s.kernels != Kernels::MegatronLocal && s.attention != AttentionKind::Math &&
                      put(plan.activations.attention, s.attention, AttentionKind::Flash);
           }},
    Change{"Keys repeated for each head",
           "PyTorch's memory-efficient kernel takes them: copies of keys and values in place "
           "of score matrices.",
           Toll::Code,
           [](Plan &plan, const Settings &s) {
               return s.attention == AttentionKind::Math && !plan.activations.attention &&
                      put(plan.activations.expandedKv, s.expandedKv, true);
           }},
    Change{"Fuse head and loss", "A kernel such as Liger's; logits never exist whole.", Toll::Code,
           [](Plan &plan, const Settings &s) {
               return s.loss != LossKind::None && put(plan.loss, s.loss, LossKind::LinearFused);
           },
           "loss"},
    Change{"Loss in chunks", "A little time; needs a loss function that takes chunks.", Toll::Code,
           [](Plan &plan, const Settings &s) {
               return s.loss != LossKind::None && s.loss != LossKind::LinearFused &&
                      s.loss != LossKind::LinearChunked &&
                      put(plan.loss, s.loss, LossKind::Chunked);
           },
           "loss"},
    Change{"Vocabulary-parallel loss", "A little communication.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return s.tensor > 1 && s.loss != LossKind::None &&
                      put(plan.loss, s.loss,
                          isDTensor(s) ? LossKind::LossParallel : LossKind::VocabParallel);
           },
           "loss"},
    Change{"Recompute attention only", "The attention core of every block runs forward twice.",
           Toll::None,
           [](Plan &plan, const Settings &s) {
               return (s.attention != AttentionKind::Flash ||
                       s.kernels == Kernels::MegatronLocal) &&
                      s.checkpointing == Checkpointing::None &&
                      checkpoint(plan, s, Checkpointing::SelectiveAttention);
           },
           "checkpointing"},
    Change{"Recompute every second product", "About half of the forward pass runs twice.",
           Toll::None,
           [](Plan &plan, const Settings &s) {
               return checkpoint(plan, s, Checkpointing::SelectiveOp);
           },
           "checkpointing"},
    Change{"Checkpoint every block", "The forward pass of every block runs twice.", Toll::None,
           [](Plan &plan, const Settings &s) { return checkpoint(plan, s, Checkpointing::Full); },
           "checkpointing"},
    Change{"Offload checkpoints to the host", "Block inputs travel to the host and back.",
           Toll::None,
           [](Plan &plan, const Settings &s) {
               return (s.checkpointing == Checkpointing::Full ||
                       s.checkpointing == Checkpointing::EveryK) &&
                      put(plan.activations.activationOffload, s.activationOffload, true);
           }},
    Change{"Micro-batch {}", "More accumulation; smaller products use the GPU less.", Toll::None,
           halveMicroBatch, "", FieldPath("batch.micro_batch"), true},
    Change{"Shard parameters, gradients and states",
           "Parameters travel to every GPU for each pass.", Toll::None, shardEverything},
    Change{"Let the engine sleep during the update",
           "Its weights come back before each generation.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return s.rollout && s.rl.sleepLevel == 0 &&
                      put(plan.rl.sleepLevel, s.rl.sleepLevel, std::int64_t(1));
           }},
    Change{"States on the host but in the update", "They cross the host link twice a step.",
           Toll::None,
           [](Plan &plan, const Settings &s) {
               return s.rollout && put(plan.rl.optimizerOffload, s.rl.optimizerOffload, true);
           }},
    Change{"Weights on the host while generating", "They cross the host link twice a step.",
           Toll::None,
           [](Plan &plan, const Settings &s) {
               return s.rollout && put(plan.rl.paramOffload, s.rl.paramOffload, true);
           }},
    Change{"Reference model on the host", "It crosses the host link once a step.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return s.rollout && s.rl.reference &&
                      put(plan.rl.referenceOffload, s.rl.referenceOffload, true);
           }},
    Change{kOffloadStates, "Gradients and parameters cross the host link each step.", Toll::None,
           [](Plan &plan, const Settings &s) {
               return s.optimizer.name != OptimizerName::None &&
                      !(s.cpuOffload && applies::fsdp(s)) &&
                      put(plan.optimizer.offload, s.optimizer.offload, true);
           }},
    Change{
        "Keep the shards on the host", "Every unit crosses the host link in each pass.", Toll::None,
        [](Plan &plan, const Settings &s) {
            return applies::shardedParameters(s) &&
                   put(plan.parallel.cpuOffload, s.cpuOffload, true);
        }},
    Change{"Tensor parallel {}", "Activations cross the links within a node in every layer.",
           Toll::Code, [](Plan &plan, const Settings &s) { return raiseTensor(plan, s, 2); }, "",
           FieldPath("parallel.tensor")},
    Change{"Tensor parallel {}", "Activations cross the links within a node in every layer.",
           Toll::Code, [](Plan &plan, const Settings &s) { return raiseTensor(plan, s, 4); }, "",
           FieldPath("parallel.tensor")},
    Change{"Tensor parallel {}", "Activations cross the links within a node in every layer.",
           Toll::Code, [](Plan &plan, const Settings &s) { return raiseTensor(plan, s, 8); }, "",
           FieldPath("parallel.tensor")},
    Change{"Pipeline of {} stages", "Stages wait for each other.", Toll::Code,
           [](Plan &plan, const Settings &s) { return raisePipeline(plan, s, 2); }, "",
           FieldPath("parallel.pipeline")},
    Change{"Pipeline of {} stages", "Stages wait for each other.", Toll::Code,
           [](Plan &plan, const Settings &s) { return raisePipeline(plan, s, 4); }, "",
           FieldPath("parallel.pipeline")},
    Change{"Context parallel {}", "Keys and values travel around in every layer.", Toll::Code,
           [](Plan &plan, const Settings &s) { return raiseContext(plan, s, 2 * s.context); }, "",
           FieldPath("parallel.context")},
    Change{.title = "Offload parameters, gradients and states",
           .price = "Every unit crosses the host link in each pass, and the host computes the "
                    "update.",
           .apply = offloadEverything,
           .part = kOffloadStates},
    Change{"Data parallel {}", "Twice the GPUs.", Toll::None,
           [](Plan &plan, const Settings &s) { return addGpus(plan, s, 2); }, "",
           FieldPath("parallel.data")},
    Change{"Data parallel {}", "Four times the GPUs.", Toll::None,
           [](Plan &plan, const Settings &s) { return addGpus(plan, s, 4); }, "",
           FieldPath("parallel.data")},
    Change{"Data parallel {}", "Eight times the GPUs.", Toll::None,
           [](Plan &plan, const Settings &s) { return addGpus(plan, s, 8); }, "",
           FieldPath("parallel.data")},
    Change{"8-bit optimizer states", "States are rounded to 8 bits.", Toll::Results,
           eightBitStates},
    // bf16 has 8 significant bits: an update below 1/512 of its weight is rounded away.
    Change{"All in bf16",
           "No fp32 masters: the optimizer loses small updates (AdamW most of them, at usual "
           "learning rates) and may stop learning.",
           Toll::Learning,
           [](Plan &plan,
              const Settings
                  &s) { return s.adapters.kind == AdapterKind::None && allInBf16(plan, s); },
           "precision"},
    Change{"Frozen weights in bf16",
           "Frozen weights and activations are rounded to bf16; the adapters and their states "
           "stay as they are.",
           Toll::Results,
           [](Plan &plan,
              const Settings
                  &s) { return s.adapters.kind != AdapterKind::None && allInBf16(plan, s); },
           "precision"},
    Change{"Sequence length {}", "The model sees shorter texts.", Toll::Job,
           [](Plan &plan, const Settings &s) {
               return halve(plan.batch.sequenceLength, s.sequenceLength);
           },
           "", FieldPath("batch.sequence_length"), true},
    Change{kAdapters, "The model itself stays as it is.", Toll::Job, adapters},
    Change{.title = "Train adapters of rank 16 on weights in 4 bits",
           .price = "The model itself is rounded to NF4, and stays so.",
           .toll = Toll::Job,
           .apply = quantisedAdapters,
           .part = kAdapters},
    Change{"Frozen weights in 4 bits",
           "Frozen weights are rounded to NF4, and every pass widens them again.", Toll::Results,
           quantiseBase},
};

} // namespace

std::span<const Change> trainingChanges()
{
    return kTrainingChanges;
}

} // namespace vramscope
