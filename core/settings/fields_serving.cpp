// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr std::array<std::string_view, 13> kTargets = {
    "q",    "k",          "v",       "o",      "gate",     "up",     "down",
    "head", "all-linear", "in_proj", "x_proj", "out_proj", "experts"};
constexpr std::array<std::string_view, 10> kSlotTargets = {
    "q", "k", "v", "o", "gate", "up", "down", "experts", "embedding", "head"};
constexpr std::array<std::string_view, 9> kModules = {"embedding", "head",        "attention",
                                                      "mlp",       "mixer",       "expert",
                                                      "router",    "first-layer", "last-layer"};
constexpr Range kTokens = {0, 1e9};
constexpr Range kGroup = {-1, 1e6};
constexpr Rows<AdapterFields, &Plan::adapters, &Settings::adapters> kAdapters;
constexpr Rows<RlFields, &Plan::rl, &Settings::rl> kRl;
constexpr Rows<InferenceFields, &Plan::inference> kInference;
constexpr Rows<OverheadFields, &Plan::overheads> kOverheads;
constexpr Rows<RunFields, &Plan::run, &Settings::run> kRun;

constexpr std::array kAdaptersRows = {
    kAdapters.choice([](auto &f) { return &f.kind; }, "Adapters",
                     "Train small matrices beside a frozen model.", applies::anyTraining),
    kAdapters.count([](auto &f) { return &f.rank; }, "Rank", "Inner width of each adapter.",
                    {1, 1e6}, unless<0>, applies::anyLora, powersOfTwo(1, 512)),
    kAdapters.oneOf([](auto &f) { return &f.targets; }, "Targets",
                    "The matrices that get an adapter.", kTargets, applies::lora),
    kAdapters.choice([](auto &f) { return &f.baseQuantization; }, "Base weights",
                     "Number format of the frozen model: of 4 bits it is QLoRA.", applies::lora),
    kAdapters.count([](auto &f) { return &f.weightBytes; }, "Adapter weight bytes",
                    "Bytes of one adapter weight.", {1, 8}, applies::lora, folded,
                    powersOfTwo(1, 4), Unit{"B"}),
    kAdapters.real([](auto &f) { return &f.dropout; }, "Adapter dropout",
                   "Rate before each adapter; above 0 each keeps a mask and a copy of its input.",
                   {0, 1}, applies::lora, folded, linear(0, 0.5, 0.05)),
    kAdapters.toggle([](auto &f) { return &f.dora; }, "DoRA",
                     "Each adapted matrix also trains the norm of each of its rows.", applies::lora,
                     folded),
    kAdapters.toggle(
        [](auto &f) { return &f.fusedQkv; }, "One matrix for q, k and v",
        "Queries, keys and values come from one matrix with one adapter, as in litgpt.",
        applies::lora, folded),
    kAdapters.count([](auto &f) { return &f.groupSize; }, "Group size",
                    "Weights that share a scale in the frozen model; -1: one group a column.",
                    kGroup, applies::quantizedBase, folded, powersOfTwo(16, 1024)),
    kAdapters.oneOf([](auto &f) { return &f.notConverted; }, "Not quantised",
                    "Parts of the frozen model that keep 16 bits; norms always do.", kModules,
                    applies::quantizedBase, folded),
    kAdapters.toggle(
        [](auto &f) { return &f.quantizeAtLoad; }, "Quantise on the GPU",
        "Weights arrive in 16 bits and are quantised there, which takes room for a moment.",
        applies::quantizedBase, folded),
    kAdapters.toggle(
        [](auto &f) { return &f.upcastUnquantized; }, "Upcast the rest",
        "PEFT's preparation: weights that are not quantised and the residual stream in fp32.",
        applies::quantizedBase, folded),
};
static_assert(areRowsOf<AdapterFields>(kAdaptersRows));

constexpr std::array kRlRows = {
    kRl.count([](auto &f) { return &f.tensor; }, "GPUs an engine",
              "GPUs that one copy of the generating engine is split over; there are as many copies "
              "as the GPUs allow.",
              {1, 1024}, applies::rl, powersOfTwo(1, 16)),
    kRl.count(
        [](auto &f) { return &f.sleepLevel; }, "Sleep level",
        "What the engine does while the trainer works: 0 stays on the GPU, 1 keeps its weights on "
        "the host, 2 drops them. Asleep it has neither weights nor cache on the GPU.",
        {0, 2}, applies::rl, linear(0, 2)),
    kRl.toggle(
        [](auto &f) { return &f.paramOffload; }, "Offload weights",
        "The trainer's weights and lasting gradients are on the host while the engine generates.",
        applies::rl),
    kRl.toggle([](auto &f) { return &f.optimizerOffload; }, "Offload optimizer",
               "The optimizer's states are on the host but in the update.", applies::rl),
    kRl.toggle(
        [](auto &f) { return &f.reference; }, "Reference model",
        "A frozen copy of the model in 16 bits, for the distance from it; adapters need none.",
        applies::rl),
    kRl.toggle([](auto &f) { return &f.referenceOffload; }, "Offload reference",
               "The reference model is on the host but while its log-probabilities are computed.",
               applies::reference),
    kRl.toggle([](auto &f) { return &f.critic; }, "Critic",
               "A value model of the same size is trained beside the policy (PPO).", applies::rl),
    kRl.count([](auto &f) { return &f.logProbMicroBatch; }, "Log-probability batch",
              "Sequences of one forward pass for log-probabilities, without gradients.", {1, 1e6},
              usually<usual::logProbMicroBatch>, applies::rl, folded, powersOfTwo(1, 256)),
    kRl.size([](auto &f) { return &f.syncBucketBytes; }, "Sync bucket",
             "Whole weights that are gathered at once to be handed to the engine; unset: the "
             "largest tensor.",
             usually<usual::syncBucketBytes>, applies::rl, folded,
             linear(0, 8 * kGiBs, 128 * kMiBs)),
    kRl.toggle([](auto &f) { return &f.sharedProcess; }, "One process",
               "Trainer and engine run in one process, with one CUDA context, as in TRL.",
               applies::rl, folded),
};
static_assert(areRowsOf<RlFields>(kRlRows));

constexpr std::array kInferenceRows = {
    kInference.choice([](auto &f) { return &f.engine; }, "Engine",
                      "What serves the model; each plans its memory its own way.",
                      applies::inference),
    kInference.text([](auto &f) { return &f.engineVersion; }, "Engine version",
                    "Release of the engine, such as 0.21.0: what its share of the GPU covers and "
                    "where it begins changed over time. Unset: the newest that is known.",
                    usually<usual::engineVersion>, applies::versionedEngine),
    kInference.choice([](auto &f) { return &f.weightFormat; }, "Weight format",
                      "Number format of the served weights.", usually<usual::weightFormat>,
                      applies::inference),
    kInference.real([](auto &f) { return &f.kvBytesPerElement; }, "Cache element bytes",
                    "Bytes of one number in the key and value cache.", {0.0625, 8},
                    applies::inference, powersOfTwo(0.5, 4), Unit{"B"}),
    kInference.count(
        [](auto &f) { return &f.maxModelLen; }, "Longest sequence",
        "Tokens that one sequence may have, prompt and answer together: the context length.",
        {1, 1e9}, unless<0>, usually<usual::maxModelLen>, applies::windowedEngine,
        powersOfTwo(512, kLongest), Unit{"tok"}),
    kInference.count([](auto &f) { return &f.concurrentSequences; }, "Sequences at once",
                     "Sequences whose cache is held at the same time.", {0, 1e6},
                     applies::cacheOfTokens, powersOfTwo(1, 4096)),
    kInference.count([](auto &f) { return &f.meanSequenceLength; }, "Mean length",
                     "Tokens in the cache of one sequence.", kTokens,
                     usually<usual::meanSequenceLength>, applies::cacheOfTokens,
                     powersOfTwo(128, kLongest), Unit{"tok"}),
    kInference.real(
        [](auto &f) { return &f.gpuMemoryUtilization; }, "Memory utilization",
        "Share of the GPU that the engine may fill; the cache takes what is left of it.", {0.01, 1},
        usually<usual::gpuMemoryUtilization>, applies::gpuShare, linear(0.1, 1, 0.01)),
    kInference.real([](auto &f) { return &f.sglang.memFractionStatic; }, "Static fraction",
                    "Share of the memory that is free at the start which weights and pools may "
                    "fill; the rest is for activations and CUDA graphs.",
                    {0.01, 1}, usually<usual::staticFraction>, applies::sglang,
                    linear(0.1, 1, 0.01)),
    kInference.count([](auto &f) { return &f.sglang.chunkedPrefillSize; }, "Tokens a prefill",
                     "Tokens of a prompt that one pass takes at most; sizes the activations.",
                     {1, 1e9}, usually<usual::chunkedPrefillSize>, applies::sglang, folded,
                     powersOfTwo(512, 65536), Unit{"tok"}),
    kInference.count([](auto &f) { return &f.sglang.maxRunningRequests; }, "Most requests",
                     "Requests that run at once at most.", {1, 1e6}, unless<0>,
                     usually<usual::maxRunningRequests>, applies::sglang, folded,
                     powersOfTwo(1, 4096)),
    kInference.count([](auto &f) { return &f.sglang.cudaGraphMaxBs; }, "Largest captured batch",
                     "Sequences of the largest CUDA graph of decoding.", {1, 1e6},
                     usually<usual::graphMaxBatch>, applies::sglang, folded, powersOfTwo(1, 512)),
    kInference.count([](auto &f) { return &f.sglang.maxTotalTokens; }, "Most tokens in the pool",
                     "Tokens of the cache at most, where the fraction leaves room for more.",
                     {1, 1e12}, unless<0>, applies::sglang, folded, powersOfTwo(1024, 1 << 24),
                     Unit{"tok"}),
    kInference.count([](auto &f) { return &f.sglang.pageSize; }, "Page size",
                     "Tokens in one page of the pool.", {1, 1e6}, usually<usual::sglangPageSize>,
                     applies::sglang, folded, powersOfTwo(1, 256), Unit{"tok"}),
    kInference.real(
        [](auto &f) { return &f.sglang.swaFullTokensRatio; }, "Window tokens",
        "Tokens in the pool of layers with a window, for each in that of layers without.",
        {0.01, 1}, usually<usual::windowTokensRatio>, applies::slidingPool, folded,
        linear(0.05, 1, 0.05)),
    kInference.real(
        [](auto &f) { return &f.sglang.mambaFullMemoryRatio; }, "States to cache",
        "Memory of the states of layers that keep one, for each byte of the cache of others.",
        {0.01, 100}, applies::statePool, folded, linear(0.1, 4, 0.1)),
    kInference.real(
        [](auto &f) { return &f.trtLlm.freeGpuMemoryFraction; }, "Cache fraction",
        "Share of the memory that is free after the model is loaded which the cache takes.",
        {0.01, 1}, applies::trtLlm, linear(0.1, 1, 0.01)),
    kInference.count([](auto &f) { return &f.maxNumSeqs; }, "Most sequences",
                     "Sequences that run at once at most.", {1, 1e6}, usually<usual::maxNumSeqs>,
                     applies::boundedBatches, folded, powersOfTwo(1, 4096)),
    kInference.count([](auto &f) { return &f.maxNumBatchedTokens; }, "Most tokens a pass",
                     "Tokens that one forward pass takes at most; sizes the activations.", {1, 1e9},
                     usually<usual::maxNumBatchedTokens>, applies::batchedTokens, folded,
                     powersOfTwo(128, 131072), Unit{"tok"}),
    kInference.count([](auto &f) { return &f.blockSize; }, "Block size",
                     "Tokens in one block of the paged cache.", {1, 1e6}, applies::vllm, folded,
                     powersOfTwo(8, 256), Unit{"tok"}),
    kInference.toggle([](auto &f) { return &f.embeddingParallel; }, "Split embeddings",
                      "Embedding and head are split under tensor parallelism instead of copied.",
                      applies::inference, folded),
    kInference.choice([](auto &f) { return &f.moeBackend; }, "Expert kernels",
                      "What computes experts in MXFP4; kernels differ in how they pad them.",
                      usually<usual::moeBackend>, applies::expertKernels, folded),
    kInference.toggle([](auto &f) { return &f.prefixCaching; }, "Prefix caching",
                      "States at the ends of blocks are kept for prompts that begin alike.",
                      applies::keptStates, folded),
    kInference.count([](auto &f) { return &f.hostExpertLayers; }, "Layers with host experts",
                     "From the first layer on, so many keep their routed experts in the host's "
                     "memory, as llama.cpp's --n-cpu-moe does; all of them: --cpu-moe.",
                     {0, 1e4}, applies::llamaExperts, linear(0, 128)),
    kInference.count([](auto &f) { return &f.groupSize; }, "Group size",
                     "Weights that share a scale; -1: one group a column.", kGroup,
                     applies::groupQuantized, folded, powersOfTwo(16, 1024)),
    kInference.oneOf([](auto &f) { return &f.notConverted; }, "Not quantised",
                     "Parts of the model that keep 16 bits; norms always do.", kModules,
                     usually<usual::notConverted>, applies::quantizedWeights, folded),
    kInference.toggle(
        [](auto &f) { return &f.quantizeAtLoad; }, "Quantise on the GPU",
        "Weights arrive in 16 bits and are quantised there, which takes room for a moment.",
        applies::quantizedWeights, folded),
    kInference.size([](auto &f) { return &f.cudaGraphBytes; }, "CUDA graphs",
                    "Memory of captured graphs, beside the profiled peak.",
                    usually<usual::cudaGraphBytes>, applies::versionedEngine, folded,
                    linear(0, 4 * kGiBs, 64 * kMiBs)),
    kInference.size([](auto &f) { return &f.nonTorchBytes; }, "Outside torch",
                    "Memory that vLLM measures outside torch, where you know it.", unless<-1>,
                    applies::vllm, folded, linear(0, 4 * kGiBs, 64 * kMiBs)),
    kInference.size([](auto &f) { return &f.activationPeakBytes; }, "Activation peak",
                    "The profile run's peak less the weights, where you know it.", unless<-1>,
                    applies::vllm, folded, linear(0, 16 * kGiBs, 128 * kMiBs)),
    kInference.size([](auto &f) { return &f.kvCacheMemoryBytes; }, "Cache size",
                    "Memory of the cache as stated to vLLM, in place of what utilization leaves.",
                    unless<-1>, applies::vllm, folded, linear(0, 128 * kGiBs, kGiBs)),
    kInference.count(
        [](auto &f) { return &f.maxLoras; }, "Adapter slots",
        "LoRA adapters that a batch may use; each has its slot on the GPU from the start.",
        {0, 1e6}, applies::adapterEngine, folded, linear(0, 16)),
    kInference.count([](auto &f) { return &f.maxLoraRank; }, "Largest adapter rank",
                     "Rank that every adapter slot has room for.", {1, 1e6},
                     applies::servesAdapters, folded, powersOfTwo(8, 512)),
    kInference.oneOf([](auto &f) { return &f.loraTargets; }, "Adapter targets",
                     "The matrices whose slots are allocated; unset: all that the engine adapts.",
                     kSlotTargets, applies::servesAdapters, folded),
    kInference.toggle([](auto &f) { return &f.fullyShardedLoras; }, "Fully sharded adapters",
                      "Tensor parallelism divides both factors of every adapter slot.",
                      applies::shardsAdapters, folded),
    kInference.count([](auto &f) { return &f.multimodal.images; }, "Images a prompt",
                     "Images that one prompt may hold at most; with 0 none is encoded.", {0, 1e6},
                     applies::encodes, folded, linear(0, 16)),
    kInference.count(
        [](auto &f) { return &f.multimodal.videos; }, "Videos a prompt",
        "Videos that one prompt may hold at most; vLLM starts by encoding the longest one.",
        {0, 1e6}, applies::encodesVideos, folded, linear(0, 16)),
    kInference.count([](auto &f) { return &f.multimodal.maxPixels; }, "Largest image",
                     "Pixels to which larger images are scaled down; 0: as the model has it.",
                     {0, 1e9}, unless<0>, applies::scalesImages, folded,
                     powersOfTwo(65536, 16777216)),
    kInference.toggle([](auto &f) { return &f.multimodal.profiled; }, "Encoding profiled",
                      "vLLM encodes the largest images when it starts and keeps room for them.",
                      applies::encodes, folded),
    kInference.choice(
        [](auto &f) { return &f.speculative.method; }, "Speculation",
        "What drafts tokens that the model then checks together: a smaller model, an EAGLE head, "
        "the model's own prediction modules (mtp), or the text itself (ngram).",
        applies::inference),
    kInference.count([](auto &f) { return &f.speculative.tokens; }, "Drafted tokens",
                     "Tokens of a sequence that are drafted and checked in one step.", {1, 1000},
                     applies::speculates, linear(1, 16)),
    kInference.text([](auto &f) { return &f.speculative.model; }, "Draft",
                    "A model of the catalogue that drafts; its shape is known exactly.",
                    applies::ownDraft),
    kInference.object(
        [](auto &f) { return &f.speculative.config; }, "Draft config.json",
        "The draft's config.json, where the catalogue does not have it, as of EAGLE heads.",
        applies::ownDraft, folded),
    kInference.choice([](auto &f) { return &f.speculative.weightFormat; }, "Draft's weight format",
                      "Number format of the draft's weights.", applies::ownDraft, folded),
};
static_assert(areRowsOf<InferenceFields>(kInferenceRows));

constexpr std::array kOverheadsRows = {
    kOverheads.size([](auto &f) { return &f.contextBytes; }, "CUDA context",
                    "What the driver takes for a process.", usually<usual::contextBytes>, folded,
                    linear(0, 4 * kGiBs, 32 * kMiBs)),
    kOverheads.size([](auto &f) { return &f.ncclBytes; }, "NCCL",
                    "Buffers of the communicators, outside the allocator.",
                    usually<usual::ncclBytes>, folded, linear(0, 8 * kGiBs, 64 * kMiBs)),
    kOverheads.size([](auto &f) { return &f.cublasWorkspaceBytes; }, "cuBLAS workspace",
                    "Scratch memory of the matrix library, inside the allocator.",
                    usually<usual::cublasWorkspaceBytes>, folded,
                    linear(0, 256 * kMiBs, 2 * kMiBs)),
    kOverheads.size([](auto &f) { return &f.engineWorkspaceBytes; }, "Transformer Engine workspace",
                    "Scratch memory of Transformer Engine's matrix products, inside the allocator.",
                    usually<usual::engineWorkspaceBytes>, applies::transformerEngine, folded,
                    linear(0, 256 * kMiBs, 4 * kMiBs)),
    kOverheads.text(
        [](auto &f) { return &f.allocConf; }, "Allocator settings",
        "PYTORCH_CUDA_ALLOC_CONF of the run, such as expandable_segments:True; exports write it.",
        applies::training, folded),
    kOverheads.real([](auto &f) { return &f.reservedFactor; }, "Reserved factor",
                    "Memory that the allocator holds over what is allocated at the peak. If not "
                    "stated, under FSDP over what the computing stream has; other streams keep "
                    "blocks of their own.",
                    {1, 10}, usually<usual::reservedFactor>, folded, linear(1, 1.5, 0.01),
                    Unit{"×"}),
    kOverheads.size([](auto &f) { return &f.residentBytes; }, "Other tensors",
                    "Tensors of the same process that live throughout, such as a reference model.",
                    folded, linear(0, 64 * kGiBs, kGiBs)),
    kOverheads.text([](auto &f) { return &f.calibrated; }, "Calibrated",
                    "Which of these constants were taken over from which recording.", folded),
};
static_assert(areRowsOf<OverheadFields>(kOverheadsRows));

constexpr std::array kRunRows = {
    kRun.count(
        [](auto &f) { return &f.tokens; }, "Tokens of the run",
        "How many tokens are trained on, or generated, for the GPU hours that are projected.",
        {1, 1e15}, unless<0>, applies::language),
    kRun.real(
        [](auto &f) { return &f.gpuHourPrice; }, "Price of a GPU hour",
        "What you pay for one GPU and hour, in your own currency: the cost of the run follows.",
        {0, 1e6}, unless<0>, applies::language),
};
static_assert(areRowsOf<RunFields>(kRunRows));

constexpr FieldTable kServingTables[] = {
    {"Adapters", kAdaptersRows},   {"Reinforcement learning", kRlRows},
    {"Inference", kInferenceRows}, {"Overheads", kOverheadsRows},
    {"Time and money", kRunRows},
};

} // namespace

std::span<const FieldTable> servingTables()
{
    return kServingTables;
}

} // namespace vramscope
