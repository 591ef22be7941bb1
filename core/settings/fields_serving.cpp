// SPDX-FileCopyrightText: The VRAMscope authors
// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/settings/field_rows.h"

#include <array>

namespace vramscope {

namespace {

using namespace rows;

constexpr std::array<std::string_view, 9> kTargets = {"q",  "k",    "v",    "o",         "gate",
                                                      "up", "down", "head", "all-linear"};
constexpr std::array<std::string_view, 8> kModules = {
    "embedding", "head", "attention", "mlp", "expert", "router", "first-layer", "last-layer"};
constexpr Range kTokens = {0, 1e9};
constexpr Range kGroup = {-1, 1e6};
constexpr Rows<AdapterFields, &Plan::adapters, &Settings::adapters> kAdapters;
constexpr Rows<OverheadFields, &Plan::overheads> kOverheads;
constexpr Rows<InferenceFields, &Plan::inference> kInference;

constexpr std::array kServingFields = {
    kAdapters.choice([](auto &f) { return &f.kind; }, "Adapters",
                     "Train small matrices beside a frozen model.", applies::anyTraining),
    kAdapters.count([](auto &f) { return &f.rank; }, "Rank", "Inner width of each adapter.",
                    {1, 1e6}, unless<0>, applies::anyLora),
    kAdapters.oneOf([](auto &f) { return &f.targets; }, "Targets",
                    "The matrices that get an adapter.", kTargets, applies::lora),
    kAdapters.choice([](auto &f) { return &f.baseQuantization; }, "Base weights",
                     "Number format of the frozen model: of 4 bits it is QLoRA.", applies::lora),
    kAdapters.count([](auto &f) { return &f.weightBytes; }, "Adapter weight bytes",
                    "Bytes of one adapter weight.", {1, 8}, applies::lora),
    kAdapters.real([](auto &f) { return &f.dropout; }, "Adapter dropout",
                   "Rate before each adapter; above 0 each keeps a mask and a copy of its input.",
                   {0, 1}, applies::lora),
    kAdapters.toggle(
        [](auto &f) { return &f.fusedQkv; }, "One matrix for q, k and v",
        "Queries, keys and values come from one matrix with one adapter, as in litgpt.",
        applies::lora),
    kAdapters.count([](auto &f) { return &f.groupSize; }, "Group size",
                    "Weights that share a scale in the frozen model; -1: one group a column.",
                    kGroup, applies::quantizedBase),
    kAdapters.oneOf([](auto &f) { return &f.notConverted; }, "Not quantised",
                    "Parts of the frozen model that keep 16 bits; norms always do.", kModules,
                    applies::quantizedBase),
    kAdapters.toggle(
        [](auto &f) { return &f.quantizeAtLoad; }, "Quantise on the GPU",
        "Weights arrive in 16 bits and are quantised there, which takes room for a moment.",
        applies::quantizedBase),
    kAdapters.toggle(
        [](auto &f) { return &f.upcastUnquantized; }, "Upcast the rest",
        "PEFT's preparation: weights that are not quantised and the residual stream in fp32.",
        applies::quantizedBase),

    kOverheads.size([](auto &f) { return &f.contextBytes; }, "CUDA context",
                    "What the driver takes for a process.", usually<usual::contextBytes>),
    kOverheads.size([](auto &f) { return &f.ncclBytes; }, "NCCL",
                    "Buffers of the communicators, outside the allocator.",
                    usually<usual::ncclBytes>),
    kOverheads.size([](auto &f) { return &f.cublasWorkspaceBytes; }, "cuBLAS workspace",
                    "Scratch memory of the matrix library, inside the allocator.",
                    usually<usual::cublasWorkspaceBytes>),
    kOverheads.size([](auto &f) { return &f.engineWorkspaceBytes; }, "Transformer Engine workspace",
                    "Scratch memory of Transformer Engine's matrix products, inside the allocator.",
                    usually<usual::engineWorkspaceBytes>, applies::transformerEngine),
    kOverheads.text(
        [](auto &f) { return &f.allocConf; }, "Allocator settings",
        "PYTORCH_CUDA_ALLOC_CONF of the run, such as expandable_segments:True; exports write it.",
        applies::training),
    kOverheads.real([](auto &f) { return &f.reservedFactor; }, "Reserved factor",
                    "Memory that the allocator holds over what is allocated at the peak.", {1, 10},
                    usually<usual::reservedFactor>),
    kOverheads.size([](auto &f) { return &f.residentBytes; }, "Other tensors",
                    "Tensors of the same process that live throughout, such as a reference model."),
    kOverheads.texts([](auto &f) { return &f.calibrated; }, "Calibrated",
                     "Which of these constants were taken over from which recording."),

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
    kInference.choice([](auto &f) { return &f.moeBackend; }, "Expert kernels",
                      "What computes experts in MXFP4; kernels differ in how they pad them.",
                      usually<usual::moeBackend>, applies::expertKernels),
    kInference.real([](auto &f) { return &f.kvBytesPerElement; }, "Cache element bytes",
                    "Bytes of one number in the key and value cache.", {0.0625, 8},
                    applies::inference),
    kInference.count([](auto &f) { return &f.blockSize; }, "Block size",
                     "Tokens in one block of the paged cache.", {1, 1e6}, applies::vllm),
    kInference.real([](auto &f) { return &f.gpuMemoryUtilization; }, "Memory utilization",
                    "Share of the GPU that vLLM may fill; the cache takes what is left of it.",
                    {0.01, 1}, usually<usual::gpuMemoryUtilization>, applies::vllm),
    kInference.count(
        [](auto &f) { return &f.maxModelLen; }, "Longest sequence",
        "Tokens that one sequence may have, prompt and answer together: the context length.",
        {1, 1e9}, unless<0>, usually<usual::maxModelLen>, applies::windowedEngine),
    kInference.count([](auto &f) { return &f.maxNumSeqs; }, "Most sequences",
                     "Sequences that run at once at most.", {1, 1e6}, usually<usual::maxNumSeqs>,
                     applies::boundedBatches),
    kInference.count([](auto &f) { return &f.maxNumBatchedTokens; }, "Most tokens a pass",
                     "Tokens that one forward pass takes at most; sizes the activations.", {1, 1e9},
                     usually<usual::maxNumBatchedTokens>, applies::batchedTokens),
    kInference.count([](auto &f) { return &f.concurrentSequences; }, "Sequences at once",
                     "Sequences whose cache is held at the same time.", {0, 1e6},
                     applies::cacheOfTokens),
    kInference.count([](auto &f) { return &f.meanSequenceLength; }, "Mean length",
                     "Tokens in the cache of one sequence.", kTokens,
                     usually<usual::meanSequenceLength>, applies::cacheOfTokens),
    kInference.count([](auto &f) { return &f.sglang.chunkedPrefillSize; }, "Tokens a prefill",
                     "Tokens of a prompt that one pass takes at most; sizes the activations.",
                     {1, 1e9}, usually<usual::chunkedPrefillSize>, applies::sglang),
    kInference.count([](auto &f) { return &f.sglang.cudaGraphMaxBs; }, "Largest captured batch",
                     "Sequences of the largest CUDA graph of decoding.", {1, 1e6},
                     usually<usual::graphMaxBatch>, applies::sglang),
    kInference.real([](auto &f) { return &f.sglang.memFractionStatic; }, "Static fraction",
                    "Share of the memory that is free at the start which weights and pools may "
                    "fill; the rest is for activations and CUDA graphs.",
                    {0.01, 1}, usually<usual::staticFraction>, applies::sglang),
    kInference.count([](auto &f) { return &f.sglang.maxTotalTokens; }, "Most tokens in the pool",
                     "Tokens of the cache at most, where the fraction leaves room for more.",
                     {1, 1e12}, unless<0>, applies::sglang),
    kInference.count([](auto &f) { return &f.sglang.maxRunningRequests; }, "Most requests",
                     "Requests that run at once at most.", {1, 1e6}, unless<0>,
                     usually<usual::maxRunningRequests>, applies::sglang),
    kInference.count([](auto &f) { return &f.sglang.pageSize; }, "Page size",
                     "Tokens in one page of the pool.", {1, 1e6}, applies::sglang),
    kInference.real(
        [](auto &f) { return &f.sglang.swaFullTokensRatio; }, "Window tokens",
        "Tokens in the pool of layers with a window, for each in that of layers without.",
        {0.01, 1}, applies::slidingPool),
    kInference.real(
        [](auto &f) { return &f.sglang.mambaFullMemoryRatio; }, "States to cache",
        "Memory of the states of layers that keep one, for each byte of the cache of others.",
        {0.01, 100}, applies::statePool),
    kInference.real(
        [](auto &f) { return &f.trtLlm.freeGpuMemoryFraction; }, "Cache fraction",
        "Share of the memory that is free after the model is loaded which the cache takes.",
        {0.01, 1}, applies::trtLlm),
    kInference.size([](auto &f) { return &f.cudaGraphBytes; }, "CUDA graphs",
                    "Memory of captured graphs, beside the profiled peak.",
                    usually<usual::cudaGraphBytes>, applies::versionedEngine),
    kInference.toggle([](auto &f) { return &f.embeddingParallel; }, "Split embeddings",
                      "Embedding and head are split under tensor parallelism instead of copied.",
                      applies::inference),
    kInference.toggle([](auto &f) { return &f.prefixCaching; }, "Prefix caching",
                      "States at the ends of blocks are kept for prompts that begin alike.",
                      applies::keptStates),
    kInference.count([](auto &f) { return &f.hostExpertLayers; }, "Layers with host experts",
                     "From the first layer on, so many keep their routed experts in the host's "
                     "memory, as llama.cpp's --n-cpu-moe does; all of them: --cpu-moe.",
                     {0, 1e4}, applies::llamaExperts),
    kInference.count([](auto &f) { return &f.groupSize; }, "Group size",
                     "Weights that share a scale; -1: one group a column.", kGroup,
                     applies::groupQuantized),
    kInference.oneOf([](auto &f) { return &f.notConverted; }, "Not quantised",
                     "Parts of the model that keep 16 bits; norms always do.", kModules,
                     usually<usual::notConverted>, applies::quantizedWeights),
    kInference.toggle(
        [](auto &f) { return &f.quantizeAtLoad; }, "Quantise on the GPU",
        "Weights arrive in 16 bits and are quantised there, which takes room for a moment.",
        applies::quantizedWeights),
    kInference.size([](auto &f) { return &f.nonTorchBytes; }, "Outside torch",
                    "Memory that vLLM measures outside torch, where you know it.", unless<-1>,
                    applies::vllm),
    kInference.size([](auto &f) { return &f.activationPeakBytes; }, "Activation peak",
                    "The profile run's peak less the weights, where you know it.", unless<-1>,
                    applies::vllm),
    kInference.size([](auto &f) { return &f.kvCacheMemoryBytes; }, "Cache size",
                    "Memory of the cache as stated to vLLM, in place of what utilization leaves.",
                    unless<-1>, applies::vllm),
    kInference.count(
        [](auto &f) { return &f.maxLoras; }, "Adapter slots",
        "LoRA adapters that a batch may use; each has its slot on the GPU from the start.",
        {0, 1e6}, applies::vllm),
    kInference.count([](auto &f) { return &f.maxLoraRank; }, "Largest adapter rank",
                     "Rank that every adapter slot has room for.", {1, 1e6},
                     applies::servesAdapters),
    kInference.count([](auto &f) { return &f.multimodal.images; }, "Images a prompt",
                     "Images that one prompt may hold at most; with 0 none is encoded.", {0, 1e6},
                     applies::encodes),
    kInference.count(
        [](auto &f) { return &f.multimodal.videos; }, "Videos a prompt",
        "Videos that one prompt may hold at most; vLLM starts by encoding the longest one.",
        {0, 1e6}, applies::encodesVideos),
    kInference.count([](auto &f) { return &f.multimodal.maxPixels; }, "Largest image",
                     "Pixels to which larger images are scaled down; 0: as the model has it.",
                     {0, 1e9}, unless<0>, applies::scalesImages),
    kInference.toggle([](auto &f) { return &f.multimodal.profiled; }, "Encoding profiled",
                      "vLLM encodes the largest images when it starts and keeps room for them.",
                      applies::encodes),
    kInference.choice(
        [](auto &f) { return &f.speculative.method; }, "Speculation",
        "What drafts tokens that the model then checks together: a smaller model, an EAGLE head, "
        "the model's own prediction modules (mtp), or the text itself (ngram).",
        applies::inference),
    kInference.count([](auto &f) { return &f.speculative.tokens; }, "Drafted tokens",
                     "Tokens of a sequence that are drafted and checked in one step.", {1, 1000},
                     applies::speculates),
    kInference.text([](auto &f) { return &f.speculative.model; }, "Draft",
                    "A model of the catalogue that drafts; its shape is known exactly.",
                    applies::ownDraft),
    kInference.object(
        [](auto &f) { return &f.speculative.config; }, "Draft config.json",
        "The draft's config.json, where the catalogue does not have it, as of EAGLE heads.",
        applies::ownDraft),
    kInference.choice([](auto &f) { return &f.speculative.weightFormat; }, "Draft's weight format",
                      "Number format of the draft's weights.", applies::ownDraft),
};

static_assert(areRowsOf(kServingFields, "adapters.kind", "inference.speculative.weight_format"));

} // namespace

std::span<const Field> servingFields()
{
    return kServingFields;
}

} // namespace vramscope
