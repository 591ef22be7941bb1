// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

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
        setting<&Settings::regime, usual::regime>, applies::regimes),
    count<kPrecision, &PlanPrecision::weightBytes>(
        {"precision.weight_bytes", "Weight bytes", "Bytes of one weight that persists."},
        kElementBytes, setting<&Settings::weightBytes, usual::weightBytes>, applies::training),
    count<kPrecision, &PlanPrecision::gradientBytes>(
        {"precision.gradient_bytes", "Gradient bytes", "Bytes of one gradient that persists."},
        kElementBytes, setting<&Settings::gradientBytes, usual::gradientBytes>, applies::training),
    count<kPrecision, &PlanPrecision::masterWeightBytes>(
        {"precision.master_weight_bytes", "Master weight bytes",
         "Bytes of the optimizer's own copy of a weight; 0 where it has none."},
        {0, 8}, setting<&Settings::masterWeightBytes, usual::masterWeightBytes>, applies::training),
    count<kPrecision, &PlanPrecision::reduceBytes>(
        {"precision.reduce_bytes", "Reduction bytes",
         "Bytes of one gradient while GPUs add theirs up."},
        kElementBytes, setting<&Settings::reduceBytes, usual::reduceBytes>, applies::training),
    choice<kPrecision, &PlanPrecision::linear>(
        {"precision.linear", "Linear layers",
         "Compute format of the linear layers alone, where it differs from the rest."},
        setting<&Settings::linear>, applies::training),

    choice<kOptimizer, &PlanOptimizer::name>(
        {"optimizer.name", "Optimizer", "Decides how many states each parameter carries."},
        setting<&Settings::optimizer>, applies::anyTraining),
    choice<kOptimizer, &PlanOptimizer::implementation>(
        {"optimizer.implementation", "Implementation",
         "How the step runs; foreach, torch's default, takes a second copy of the gradients for a "
         "moment. DeepSpeed's own optimizers are fused."},
        setting<&Settings::implementation, usual::implementation>, applies::anyTraining),
    real<kOptimizer, &PlanOptimizer::stateBytes>(
        {"optimizer.state_bytes", "State bytes", "Bytes of one moment of one parameter."}, {0, 16},
        setting<&Settings::stateBytes, usual::stateBytes>, applies::training),
    toggle<kOptimizer, &PlanOptimizer::offload>(
        {"optimizer.offload", "Offload states",
         "The optimizer states live on the host and the step runs there."},
        setting<&Settings::optimizerOffload>, applies::training),
    choice<kOptimizer, &PlanOptimizer::offloadDevice>(
        {"optimizer.offload_device", "Offload device",
         "Where DeepSpeed keeps the states and parameters that it offloads: the host's memory, or "
         "NVMe drives, which is not computed yet."},
        setting<&Settings::offloadDevice>, applies::zeroOffload),
    choice<kOptimizer, &PlanOptimizer::zeroGrad>(
        {"optimizer.zero_grad", "Gradients are freed",
         "When gradients are set to none; later means that they are there while the next step "
         "begins."},
        setting<&Settings::zeroGrad>, applies::training),

    count<kBatch, &PlanBatch::microBatch>(
        {"batch.micro_batch", "Micro-batch",
         "Sequences, or images, that a GPU takes through forward and backward at once."},
        {1, 1e6}, setting<&Settings::microBatch>, applies::anyTraining),
    count<kBatch, &PlanBatch::sequenceLength>(
        {"batch.sequence_length", "Sequence length", "Tokens of one sequence: the context length."},
        {1, 1e8}, setting<&Settings::sequenceLength>, applies::training),
    count<kBatch, &PlanBatch::accumulationSteps>(
        {"batch.accumulation_steps", "Accumulation",
         "Micro-batches whose gradients are added up before a step; activations do not add up."},
        {1, 1e6}, setting<&Settings::accumulationSteps>, applies::training),
    toggle<kBatch, &PlanBatch::noSync>(
        {"batch.no_sync", "No sync while accumulating",
         "Skips communication between micro-batches, at the price of whole gradients on every "
         "GPU."},
        setting<&Settings::noSync, usual::noSync>, applies::synchronises),
    toggle<kBatch, &PlanBatch::attentionMask>(
        {"batch.attention_mask", "Mask from the data loader",
         "A byte a pair of tokens comes with every sequence, as Megatron's data loader gives it "
         "unless told otherwise."},
        setting<&Settings::attentionMask, usual::attentionMask>, applies::training),
    count<kBatch, &PlanBatch::images>(
        {"batch.images", "Images",
         "Images in each sequence; their tokens are part of its length. With 0 the text part is "
         "trained alone, and no vision tower is loaded."},
        {0, 1e4}, setting<&Settings::images>, applies::seesImages),
    count<kBatch, &PlanBatch::imageWidth>(
        {"batch.image_width", "Image width",
         "Pixels of an image before the model's processor scales or cuts it."},
        {1, 1e6}, setting<&Settings::imageWidth>, applies::trainsOnImages),
    count<kBatch, &PlanBatch::imageHeight>(
        {"batch.image_height", "Image height",
         "Pixels of an image before the model's processor scales or cuts it."},
        {1, 1e6}, setting<&Settings::imageHeight>, applies::trainsOnImages),
    choice<kBatch, &PlanBatch::visionTower>(
        {"batch.vision_tower", "Vision tower",
         "Whether the encoder of the images and what joins it to the text are trained; frozen, "
         "they keep nothing for a backward pass. Beside adapters they are frozen."},
        setting<&Settings::visionTower, usual::visionTower>, applies::trainsOnImages),

    choice<kActivations, &PlanActivations::checkpointing>(
        {"activations.checkpointing", "Checkpointing",
         "Which activations are kept and which are computed again in the backward pass."},
        setting<&Settings::checkpointing>, applies::anyTraining),
    count<kActivations, &PlanActivations::every>(
        {"activations.every", "Every", "Layers between two checkpoints, under every-k."}, {1, 1e4},
        setting<&Settings::every>, applies::everyK),
    count<kActivations, &PlanActivations::blocks>(
        {"activations.blocks", "Checkpointed blocks",
         "Layers that are checkpointed, under block; the others keep everything."},
        {0, 1e4}, setting<&Settings::checkpointedBlocks, usual::checkpointedBlocks>,
        applies::someBlocks),
    choice<kActivations, &PlanActivations::attention>(
        {"activations.attention", "Attention",
         "Flash attention keeps no matrix of sequence by sequence; eager attention does, and so "
         "does math, PyTorch's fallback without a fused kernel: in fp32, and before Ampere, where "
         "heads share keys."},
        setting<&Settings::attention, usual::attention>, applies::training),
    choice<kActivations, &PlanActivations::attentionBackend>(
        {"activations.attention_backend", "Attention backend",
         "What runs under Transformer Engine: FlashAttention 2 keeps a second copy of its output "
         "above one sequence at a time, unfused attention its scores."},
        setting<&Settings::attentionBackend, usual::attentionBackend>, applies::transformerEngine),
    toggle<kActivations, &PlanActivations::softmaxInput>(
        {"activations.softmax_input", "Softmax keeps its input",
         "PyTorch before 1.11 saves what enters the softmax of eager attention as well."},
        setting<&Settings::softmaxInput>, applies::eagerAttention),
    choice<kActivations, &PlanActivations::kernels>(
        {"activations.kernels", "Kernels",
         "Which operations are fused, and so which intermediate tensors exist."},
        setting<&Settings::kernels>, applies::training),
    toggle<kActivations, &PlanActivations::expandedKv>(
        {"activations.expanded_kv", "Repeated keys and values",
         "Keys and values that heads share are copied for each head before flash attention "
         "(repeat_kv, as torchtitan's Llama does); eager attention always does so."},
        setting<&Settings::expandedKv>, applies::training),
    real<kActivations, &PlanActivations::dropout>(
        {"activations.dropout", "Dropout", "Rate; above 0 every dropout keeps a mask."}, kRate,
        setting<&Settings::dropout>, applies::training),
    real<kActivations, &PlanActivations::attentionDropout>(
        {"activations.attention_dropout", "Attention dropout",
         "Rate inside attention; under eager attention the mask is sequence by sequence."},
        kRate, setting<&Settings::attentionDropout>, applies::training),
    toggle<kActivations, &PlanActivations::offload>(
        {"activations.offload", "Offload activations",
         "Kept activations wait for the backward pass on the host."},
        setting<&Settings::activationOffload>, applies::blockInputs),
    choice<kActivations, &PlanActivations::experts>(
        {"activations.experts", "Expert kernels",
         "Grouped matrix products over the tokens of all experts, as transformers 5 and Megatron "
         "run them, or a loop over experts, as transformers 4 did."},
        setting<&Settings::expertKernels>, applies::trainedExperts),
    real<kActivations, &PlanActivations::capacityFactor>(
        {"activations.capacity_factor", "Capacity factor",
         "Tokens that each expert has room for, over its even share; 0 drops none and pads none."},
        {0, 1000}, setting<&Settings::capacityFactor>, applies::trainedExperts),
    real<kActivations, &PlanActivations::loadImbalance>(
        {"activations.load_imbalance", "Load imbalance",
         "Tokens at the busiest GPU's experts, over the even share."},
        {1, 1000}, setting<&Settings::loadImbalance>, applies::trainedExperts),

    choice<&Plan::loss>(
        {"loss", "Loss",
         "How logits become a loss; with a large vocabulary often the highest "
         "moment of the step. hf-padded is transformers' own from 4.49 on, "
         "hf-upcast the one before; selective-log-softmax (TRL) and in-place (verl, "
         "with flash-attn) are those of a policy's log-probabilities."},
        setting<&Settings::loss, usual::loss>, applies::training),
    count<&Plan::lossChunks>(
        {"loss_chunks", "Loss chunks", "Parts that a chunked loss cuts the tokens into."}, {1, 1e6},
        setting<&Settings::lossChunks>, applies::chunkedLoss),
    toggle<&Plan::lossKeepLogits>(
        {"loss_keep_logits", "Logits stay alive",
         "A variable of the training loop keeps the logits until the next step replaces them."},
        setting<&Settings::lossKeepLogits>, applies::training),
    toggle<&Plan::lossKeepOutputs>(
        {"loss_keep_outputs", "Logits until backward is over",
         "The training loop holds the model's outputs while the loss runs backward, as "
         "outputs = model(…); outputs.loss.backward() does; transformers' Trainer does not."},
        setting<&Settings::lossKeepOutputs>, applies::training),
};

static_assert(areRowsOf(kTrainingFields, "precision.regime", "loss_keep_outputs"));

} // namespace

std::span<const Field> trainingFields()
{
    return kTrainingFields;
}

} // namespace vramscope
