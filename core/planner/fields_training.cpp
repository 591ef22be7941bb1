// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/planner/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr Range kElementBytes = {1, 8};
constexpr Range kRate = {0, 1};
constexpr auto kPrecision = &Plan::precision;
constexpr auto kOptimizer = &Plan::optimizer;
constexpr auto kBatch = &Plan::batch;
constexpr auto kActivations = &Plan::activations;

constexpr std::array kTrainingFields = {
    choice<kPrecision, &PlanPrecision::regime>(
        {"precision.regime", "Precision",
         "The number formats of weights, gradients and master copies, as the framework keeps "
         "them; if not set, those that the strategy is used with."},
        resolved<&Settings::regime>),
    count<kPrecision, &PlanPrecision::weightBytes>(
        {"precision.weight_bytes", "Weight bytes", "Bytes of one weight that persists."},
        kElementBytes, resolved<&Settings::weightBytes>),
    count<kPrecision, &PlanPrecision::gradientBytes>(
        {"precision.gradient_bytes", "Gradient bytes", "Bytes of one gradient that persists."},
        kElementBytes, resolved<&Settings::gradientBytes>),
    count<kPrecision, &PlanPrecision::masterWeightBytes>(
        {"precision.master_weight_bytes", "Master weight bytes",
         "Bytes of the optimizer's own copy of a weight; 0 where it has none."},
        {0, 8}, resolved<&Settings::masterWeightBytes>),
    count<kPrecision, &PlanPrecision::reduceBytes>(
        {"precision.reduce_bytes", "Reduction bytes",
         "Bytes of one gradient while GPUs add theirs up."},
        kElementBytes, resolved<&Settings::reduceBytes>),
    choice<kPrecision, &PlanPrecision::linear>(
        {"precision.linear", "Linear layers",
         "Compute format of the linear layers alone, where it differs from the rest."},
        resolved<&Settings::linear>),

    choice<kOptimizer, &PlanOptimizer::name>(
        {"optimizer.name", "Optimizer", "Decides how many states each parameter carries."},
        resolved<&Settings::optimizer>),
    choice<kOptimizer, &PlanOptimizer::implementation>(
        {"optimizer.implementation", "Implementation",
         "How the step runs; foreach, torch's default, takes a second copy of the gradients for a "
         "moment. DeepSpeed's own optimizers are fused."},
        resolved<&Settings::implementation>),
    real<kOptimizer, &PlanOptimizer::stateBytes>(
        {"optimizer.state_bytes", "State bytes", "Bytes of one moment of one parameter."}, {0, 16},
        resolved<&Settings::stateBytes>),
    toggle<kOptimizer, &PlanOptimizer::offload>(
        {"optimizer.offload", "Offload states",
         "The optimizer states live on the host and the step runs there."},
        resolved<&Settings::optimizerOffload>),
    choice<kOptimizer, &PlanOptimizer::zeroGrad>(
        {"optimizer.zero_grad", "Gradients are freed",
         "When gradients are set to none; later means that they are there while the next step "
         "begins."},
        resolved<&Settings::zeroGrad>),

    count<kBatch, &PlanBatch::microBatch>(
        {"batch.micro_batch", "Micro-batch",
         "Sequences that a GPU takes through forward and backward at once."},
        {1, 1e6}, resolved<&Settings::microBatch>),
    count<kBatch, &PlanBatch::sequenceLength>(
        {"batch.sequence_length", "Sequence length", "Tokens of one sequence."}, {1, 1e8},
        resolved<&Settings::sequenceLength>),
    count<kBatch, &PlanBatch::accumulationSteps>(
        {"batch.accumulation_steps", "Accumulation",
         "Micro-batches whose gradients are added up before a step; activations do not add up."},
        {1, 1e6}, resolved<&Settings::accumulationSteps>),
    toggle<kBatch, &PlanBatch::noSync>(
        {"batch.no_sync", "No sync while accumulating",
         "Skips communication between micro-batches, at the price of whole gradients on every "
         "GPU."},
        resolved<&Settings::noSync>),

    choice<kActivations, &PlanActivations::checkpointing>(
        {"activations.checkpointing", "Checkpointing",
         "Which activations are kept and which are computed again in the backward pass."},
        resolved<&Settings::checkpointing>),
    count<kActivations, &PlanActivations::every>(
        {"activations.every", "Every", "Layers between two checkpoints, under every-k."}, {1, 1e4},
        resolved<&Settings::every>),
    count<kActivations, &PlanActivations::blocks>(
        {"activations.blocks", "Checkpointed blocks",
         "Layers that are checkpointed, under block; the others keep everything."},
        {0, 1e4}, resolved<&Settings::checkpointedBlocks>),
    choice<kActivations, &PlanActivations::attention>(
        {"activations.attention", "Attention",
         "Flash attention keeps no matrix of sequence by sequence; eager attention does."},
        resolved<&Settings::attention>),
    choice<kActivations, &PlanActivations::kernels>(
        {"activations.kernels", "Kernels",
         "Which operations are fused, and so which intermediate tensors exist."},
        resolved<&Settings::kernels>),
    toggle<kActivations, &PlanActivations::expandedKv>(
        {"activations.expanded_kv", "Repeated keys and values",
         "Keys and values that heads share are copied for each head before flash attention "
         "(repeat_kv, as torchtitan's Llama does); eager attention always does so."},
        resolved<&Settings::expandedKv>),
    real<kActivations, &PlanActivations::dropout>(
        {"activations.dropout", "Dropout", "Rate; above 0 every dropout keeps a mask."}, kRate,
        resolved<&Settings::dropout>),
    real<kActivations, &PlanActivations::attentionDropout>(
        {"activations.attention_dropout", "Attention dropout",
         "Rate inside attention; under eager attention the mask is sequence by sequence."},
        kRate, resolved<&Settings::attentionDropout>),
    toggle<kActivations, &PlanActivations::offload>(
        {"activations.offload", "Offload activations",
         "Kept activations wait for the backward pass on the host."},
        resolved<&Settings::activationOffload>),
    real<kActivations, &PlanActivations::capacityFactor>(
        {"activations.capacity_factor", "Capacity factor",
         "Tokens that each expert has room for, over its even share; 0 drops none and pads none."},
        {0, 1000}, resolved<&Settings::capacityFactor>),
    real<kActivations, &PlanActivations::loadImbalance>(
        {"activations.load_imbalance", "Load imbalance",
         "Tokens at the busiest GPU's experts, over the even share."},
        {1, 1000}, resolved<&Settings::loadImbalance>),

    choice<&Plan::loss>({"loss", "Loss",
                         "How logits become a loss; with a large vocabulary often the highest "
                         "moment of the step."},
                        resolved<&Settings::loss>),
    count<&Plan::lossChunks>(
        {"loss_chunks", "Loss chunks", "Parts that a chunked loss cuts the tokens into."}, {1, 1e6},
        resolved<&Settings::lossChunks>),
    toggle<&Plan::lossKeepLogits>(
        {"loss_keep_logits", "Logits stay alive",
         "A variable of the training loop keeps the logits until the next step replaces them."},
        resolved<&Settings::lossKeepLogits>),
};

} // namespace

std::span<const Field> trainingFields()
{
    return kTrainingFields;
}

} // namespace vramscope
