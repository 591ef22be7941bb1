// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr Range kElementBytes = {1, 8};
constexpr Range kRate = {0, 1};
constexpr Rows<PrecisionFields, &Plan::precision> kPrecision;
constexpr Rows<OptimizerFields, &Plan::optimizer, &Settings::optimizer> kOptimizer;
constexpr Rows<ActivationFields, &Plan::activations> kActivations;
constexpr Rows<LossFields> kLoss;

constexpr std::array kPrecisionRows = {
    kPrecision.choice([](auto &f) { return &f.regime; }, "Precision",
                      "The number formats of weights, gradients and master copies, as the "
                      "framework keeps them; if not set, those that the strategy is used with.",
                      usually<usual::regime>, applies::regimes),
    kPrecision.choice([](auto &f) { return &f.linear; }, "Linear layers",
                      "Compute format of the linear layers alone, where it differs from the rest. "
                      "fp8 and mxfp8 save inputs in 16 bit; nvfp4 saves 4-bit codes of each "
                      "layer's input and weight instead (torchao's training layers).",
                      applies::training, folded),
    kPrecision.count([](auto &f) { return &f.weightBytes; }, "Weight bytes",
                     "Bytes of one weight that persists.", kElementBytes,
                     usually<usual::weightBytes>, applies::training, folded, powersOfTwo(1, 4),
                     Unit{"B"}),
    kPrecision.count([](auto &f) { return &f.gradientBytes; }, "Gradient bytes",
                     "Bytes of one gradient that persists.", kElementBytes,
                     usually<usual::gradientBytes>, applies::training, folded, powersOfTwo(1, 4),
                     Unit{"B"}),
    kPrecision.count([](auto &f) { return &f.masterWeightBytes; }, "Master weight bytes",
                     "Bytes of the optimizer's own copy of a weight; 0 where it has none.", {0, 8},
                     usually<usual::masterWeightBytes>, applies::training, folded, linear(0, 4, 2),
                     Unit{"B"}),
    kPrecision.count([](auto &f) { return &f.reduceBytes; }, "Reduction bytes",
                     "Bytes of one gradient while GPUs add theirs up.", kElementBytes,
                     usually<usual::reduceBytes>, applies::training, folded, powersOfTwo(1, 4),
                     Unit{"B"}),

    kOptimizer.choice([](auto &f) { return &f.name; }, "Optimizer",
                      "Decides how many states each parameter carries.", applies::anyTraining),
    kOptimizer.choice([](auto &f) { return &f.implementation; }, "Implementation",
                      "How the step runs; foreach, torch's default, takes a second copy of the "
                      "gradients for a moment. DeepSpeed's own optimizers are fused.",
                      usually<usual::implementation>, applies::anyTraining),
    kOptimizer.real([](auto &f) { return &f.stateBytes; }, "State bytes",
                    "Bytes of one moment of one parameter.", {0, 16}, usually<usual::stateBytes>,
                    applies::training, folded, powersOfTwo(0.5, 4), Unit{"B"}),
    kOptimizer.choice([](auto &f) { return &f.partition; }, "States are split",
                      "Anywhere, or by whole tensors, of which the GPU with the embedding holds "
                      "most: Megatron's Muon with --no-use-layer-wise-param-layout, and dist_muon "
                      "before Megatron-Core 0.17.",
                      applies::distributedMuon, folded),
    kOptimizer.toggle([](auto &f) { return &f.offload; }, "Offload states",
                      "The optimizer states live on the host and the step runs there.",
                      applies::training, folded),
    kOptimizer.choice([](auto &f) { return &f.offloadDevice; }, "Offload device",
                      "Where DeepSpeed keeps the states and parameters that it offloads: the "
                      "host's memory, or under ZeRO-3 NVMe drives, with buffers in the host's "
                      "memory.",
                      applies::zeroOffload, folded),
    kOptimizer.choice([](auto &f) { return &f.zeroGrad; }, "Gradients are freed",
                      "When gradients are set to none; later means that they are there while the "
                      "next step begins.",
                      applies::training, folded),
};
static_assert(areRowsOf<PrecisionFields, OptimizerFields>(kPrecisionRows));

constexpr std::array kMemorySaversRows = {
    kActivations.choice(
        [](auto &f) { return &f.checkpointing; }, "Checkpointing",
        "Which activations are kept and which are computed again in the backward pass.",
        applies::anyTraining),
    kActivations.count([](auto &f) { return &f.every; }, "Every",
                       "Layers between two checkpoints, under every-k.", {1, 1e4}, applies::everyK,
                       linear(1, 32)),
    kActivations.count([](auto &f) { return &f.checkpointedBlocks; }, "Checkpointed blocks",
                       "Layers that are checkpointed, under block; the others keep everything.",
                       {0, 1e4}, usually<usual::checkpointedBlocks>, applies::someBlocks,
                       linear(0, 128)),
    kActivations.choice(
        [](auto &f) { return &f.attention; }, "Attention",
        "Flash attention keeps no matrix of sequence by sequence; eager attention "
        "does, and so does math, PyTorch's fallback without a fused kernel: in "
        "fp32, and before Ampere, where heads share keys. PyTorch's own attention "
        "takes the memory-efficient kernel where it is given a mask, for padding "
        "or a window no longer than the sequence: that keeps the mask in every layer, and "
        "keys and values repeated for every head.",
        usually<usual::attention>, applies::training),
    kActivations.choice([](auto &f) { return &f.attentionBackend; }, "Attention backend",
                        "What runs under Transformer Engine: FlashAttention 2 keeps a second copy "
                        "of its output above one sequence at a time, unfused attention its scores.",
                        usually<usual::attentionBackend>, applies::transformerEngine, folded),
    kActivations.toggle(
        [](auto &f) { return &f.softmaxInput; }, "Softmax keeps its input",
        "PyTorch before 1.11 saves what enters the softmax of eager attention as well.",
        applies::eagerAttention, folded),
    kActivations.choice([](auto &f) { return &f.kernels; }, "Kernels",
                        "Which operations are fused, and so which intermediate tensors exist.",
                        applies::training),
    kActivations.toggle(
        [](auto &f) { return &f.expandedKv; }, "Repeated keys and values",
        "Keys and values that heads share are copied for each head before flash attention "
        "(repeat_kv, as torchtitan's Llama does); eager attention always does so.",
        applies::training, folded),
    kActivations.toggle([](auto &f) { return &f.activationOffload; }, "Offload activations",
                        "Kept activations wait for the backward pass on the host.",
                        applies::blockInputs, folded),
    kActivations.real([](auto &f) { return &f.dropout; }, "Dropout",
                      "Rate; above 0 every dropout keeps a mask.", kRate, applies::training, folded,
                      linear(0, 0.5, 0.05)),
    kActivations.real(
        [](auto &f) { return &f.attentionDropout; }, "Attention dropout",
        "Rate inside attention; under eager attention the mask is sequence by sequence.", kRate,
        applies::training, folded, linear(0, 0.5, 0.05)),
    kActivations.choice([](auto &f) { return &f.expertKernels; }, "Expert kernels",
                        "Grouped matrix products over the tokens of all experts, as transformers 5 "
                        "and Megatron run them; a loop over experts, as transformers 4 did, or "
                        "torchtitan's module, which prime-rl has taken over.",
                        applies::trainedExperts, folded),
    kActivations.real(
        [](auto &f) { return &f.capacityFactor; }, "Capacity factor",
        "Tokens that each expert has room for, over its even share; 0 drops none and pads none.",
        {0, 1000}, applies::trainedExperts, folded, linear(0.25, 4, 0.25), Unit{"×"}),
    kActivations.real([](auto &f) { return &f.loadImbalance; }, "Load imbalance",
                      "Tokens at the busiest GPU's experts, over the even share.", {1, 1000},
                      applies::trainedExperts, folded, linear(1, 4, 0.1), Unit{"×"}),
};
static_assert(areRowsOf<ActivationFields>(kMemorySaversRows));

constexpr std::array kLossRows = {
    kLoss.choice([](auto &f) { return &f.loss; }, "Loss",
                 "How logits become a loss; with a large vocabulary often the highest moment of "
                 "the step. hf-padded is transformers' own from 4.49 on, hf-upcast the one before; "
                 "cross-entropy is torch's on the logits as they come, in the loop or in BERT; "
                 "linear-chunked runs head and loss by parts of the vocabulary (prime-rl); "
                 "selective-log-softmax (TRL) and in-place (verl, with flash-attn) are those of a "
                 "policy's log-probabilities.",
                 usually<usual::loss>, applies::training),
    kLoss.count([](auto &f) { return &f.lossChunks; }, "Loss chunks",
                "Parts that a chunked loss cuts the tokens into.", {1, 1e6}, applies::chunkedLoss,
                powersOfTwo(1, 256)),
    kLoss.toggle(
        [](auto &f) { return &f.lossKeepLogits; }, "Logits stay alive",
        "A variable of the training loop keeps the logits until the next step replaces them.",
        applies::training, folded),
    kLoss.toggle(
        [](auto &f) { return &f.lossKeepOutputs; }, "Logits until backward is over",
        "The training loop holds the model's outputs while the loss runs backward, as outputs = "
        "model(…); outputs.loss.backward() does; transformers' Trainer does not.",
        applies::training, folded),
};
static_assert(areRowsOf<LossFields>(kLossRows));

constexpr FieldTable kTrainingTables[] = {
    {"Precision and optimizer", kPrecisionRows},
    {"Memory savers", kMemorySaversRows},
    {"Loss", kLossRows},
};

} // namespace

std::span<const FieldTable> trainingTables()
{
    return kTrainingTables;
}

} // namespace vramscope
