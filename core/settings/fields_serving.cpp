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
constexpr auto kAdapters = &Plan::adapters;
constexpr auto kOverheads = &Plan::overheads;
constexpr auto kInference = &Plan::inference;
constexpr auto kSpeculative = &PlanInference::speculative;
constexpr auto kMultimodal = &PlanInference::multimodal;
constexpr auto kSglang = &PlanInference::sglang;
constexpr auto kTrtLlm = &PlanInference::trtLlm;

constexpr Field kAllocConf = [] {
    Field field = oneOf<kOverheads, &PlanOverheads::allocConf>(
        FieldKind::Text,
        {"overheads.alloc_conf", "Allocator settings",
         "PYTORCH_CUDA_ALLOC_CONF of the run, such as expandable_segments:True; exports write it."},
        {}, setting<&Settings::allocConf>, applies::training);
    field.inForce = [](const Settings &s) {
        return s.allocConf.empty() ? FieldValue() : FieldValue(s.allocConf);
    };
    return field;
}();

constexpr Field kEngineVersion = [] {
    Field field = oneOf<kInference, &PlanInference::engineVersion>(
        FieldKind::Text,
        {"inference.engine_version", "Engine version",
         "Release of the engine, such as 0.21.0: what its share of the GPU covers and where it "
         "begins changed over time. Unset: the newest that is known."},
        {}, setting<&Settings::engineVersion, usual::engineVersion>, applies::versionedEngine);
    field.inForce = [](const Settings &s) {
        return s.engineVersion.empty() ? FieldValue() : FieldValue(s.engineVersion);
    };
    return field;
}();

constexpr std::array kServingFields = {
    choice<kAdapters, &PlanAdapters::kind>(
        {"adapters.kind", "Adapters", "Train small matrices beside a frozen model."},
        setting<&Settings::adapters>, applies::anyTraining),
    count<kAdapters, &PlanAdapters::rank>({"adapters.rank", "Rank", "Inner width of each adapter."},
                                          {1, 1e6}, settingUnless<0, &Settings::adapterRank>,
                                          applies::anyLora),
    oneOf<kAdapters, &PlanAdapters::targets>(
        FieldKind::Choices, {"adapters.targets", "Targets", "The matrices that get an adapter."},
        kTargets, setting<&Settings::adapterTargets>, applies::lora),
    choice<kAdapters, &PlanAdapters::baseQuantization>(
        {"adapters.base_quantization", "Base weights",
         "Number format of the frozen model: of 4 bits it is QLoRA."},
        setting<&Settings::baseQuantization>, applies::lora),
    count<kAdapters, &PlanAdapters::weightBytes>(
        {"adapters.weight_bytes", "Adapter weight bytes", "Bytes of one adapter weight."}, {1, 8},
        setting<&Settings::adapterWeightBytes>, applies::lora),
    real<kAdapters, &PlanAdapters::dropout>(
        {"adapters.dropout", "Adapter dropout",
         "Rate before each adapter; above 0 each keeps a mask and a copy of its input."},
        {0, 1}, setting<&Settings::adapterDropout>, applies::lora),
    toggle<kAdapters, &PlanAdapters::fusedQkv>(
        {"adapters.fused_qkv", "One matrix for q, k and v",
         "Queries, keys and values come from one matrix with one adapter, as in litgpt."},
        setting<&Settings::adapterFusedQkv>, applies::lora),
    count<kAdapters, &PlanAdapters::groupSize>(
        {"adapters.group_size", "Group size",
         "Weights that share a scale in the frozen model; -1: one group a column."},
        kGroup, setting<&Settings::adapterGroupSize>, applies::quantizedBase),
    oneOf<kAdapters, &PlanAdapters::modulesToNotConvert>(
        FieldKind::Choices,
        {"adapters.modules_to_not_convert", "Not quantised",
         "Parts of the frozen model that keep 16 bits; norms always do."},
        kModules, setting<&Settings::adapterNotConverted>, applies::quantizedBase),
    toggle<kAdapters, &PlanAdapters::quantizeAtLoad>(
        {"adapters.quantize_at_load", "Quantise on the GPU",
         "Weights arrive in 16 bits and are quantised there, which takes room for a moment."},
        setting<&Settings::adapterQuantizeAtLoad>, applies::quantizedBase),
    toggle<kAdapters, &PlanAdapters::upcastUnquantized>(
        {"adapters.upcast_unquantized", "Upcast the rest",
         "PEFT's preparation: weights that are not quantised and the residual stream in fp32."},
        setting<&Settings::upcastUnquantized>, applies::quantizedBase),

    size<kOverheads, &PlanOverheads::contextBytes>(
        {"overheads.context_bytes", "CUDA context", "What the driver takes for a process."},
        setting<&Settings::contextBytes, usual::contextBytes>),
    size<kOverheads, &PlanOverheads::ncclBytes>(
        {"overheads.nccl_bytes", "NCCL", "Buffers of the communicators, outside the allocator."},
        setting<&Settings::ncclBytes, usual::ncclBytes>),
    size<kOverheads, &PlanOverheads::cublasWorkspaceBytes>(
        {"overheads.cublas_workspace_bytes", "cuBLAS workspace",
         "Scratch memory of the matrix library, inside the allocator."},
        setting<&Settings::cublasWorkspaceBytes, usual::cublasWorkspaceBytes>),
    size<kOverheads, &PlanOverheads::engineWorkspaceBytes>(
        {"overheads.engine_workspace_bytes", "Transformer Engine workspace",
         "Scratch memory of Transformer Engine's matrix products, inside the allocator."},
        setting<&Settings::engineWorkspaceBytes, usual::engineWorkspaceBytes>,
        applies::transformerEngine),
    kAllocConf,
    real<kOverheads, &PlanOverheads::reservedFactor>(
        {"overheads.reserved_factor", "Reserved factor",
         "Memory that the allocator holds over what is allocated at the peak."},
        {1, 10}, setting<&Settings::reservedFactor, usual::reservedFactor>),
    size<kOverheads, &PlanOverheads::residentBytes>(
        {"overheads.resident_bytes", "Other tensors",
         "Tensors of the same process that live throughout, such as a reference model."},
        setting<&Settings::residentBytes>),
    ofText<kOverheads, &PlanOverheads::calibrated>(
        FieldKind::Texts, {"overheads.calibrated", "Calibrated",
                           "Which of these constants were taken over from which recording."}),

    choice<kInference, &PlanInference::engine>(
        {"inference.engine", "Engine", "What serves the model; each plans its memory its own way."},
        setting<&Settings::engine>, applies::inference),
    kEngineVersion,
    choice<kInference, &PlanInference::weightFormat>(
        {"inference.weight_format", "Weight format", "Number format of the served weights."},
        setting<&Settings::weightFormat, usual::weightFormat>, applies::inference),
    choice<kInference, &PlanInference::moeBackend>(
        {"inference.moe_backend", "Expert kernels",
         "What computes experts in MXFP4; kernels differ in how they pad them."},
        setting<&Settings::moeBackend, usual::moeBackend>, applies::expertKernels),
    real<kInference, &PlanInference::kvBytesPerElement>(
        {"inference.kv_bytes_per_element", "Cache element bytes",
         "Bytes of one number in the key and value cache."},
        {0.0625, 8}, setting<&Settings::kvBytesPerElement>, applies::inference),
    count<kInference, &PlanInference::blockSize>(
        {"inference.block_size", "Block size", "Tokens in one block of the paged cache."}, {1, 1e6},
        setting<&Settings::blockSize>, applies::vllm),
    real<kInference, &PlanInference::gpuMemoryUtilization>(
        {"inference.gpu_memory_utilization", "Memory utilization",
         "Share of the GPU that vLLM may fill; the cache takes what is left of it."},
        {0.01, 1}, setting<&Settings::gpuMemoryUtilization, usual::gpuMemoryUtilization>,
        applies::vllm),
    count<kInference, &PlanInference::maxModelLen>(
        {"inference.max_model_len", "Longest sequence",
         "Tokens that one sequence may have, prompt and answer together: the context length."},
        {1, 1e9}, settingUnless<0, &Settings::maxModelLen, usual::maxModelLen>,
        applies::windowedEngine),
    count<kInference, &PlanInference::maxNumSeqs>(
        {"inference.max_num_seqs", "Most sequences", "Sequences that run at once at most."},
        {1, 1e6}, setting<&Settings::maxNumSeqs, usual::maxNumSeqs>, applies::boundedBatches),
    count<kInference, &PlanInference::maxNumBatchedTokens>(
        {"inference.max_num_batched_tokens", "Most tokens a pass",
         "Tokens that one forward pass takes at most; sizes the activations."},
        {1, 1e9}, setting<&Settings::maxNumBatchedTokens, usual::maxNumBatchedTokens>,
        applies::batchedTokens),
    count<kInference, &PlanInference::concurrentSequences>(
        {"inference.concurrent_sequences", "Sequences at once",
         "Sequences whose cache is held at the same time."},
        {0, 1e6}, setting<&Settings::concurrentSequences>, applies::cacheOfTokens),
    count<kInference, &PlanInference::meanSequenceLength>(
        {"inference.mean_sequence_length", "Mean length", "Tokens in the cache of one sequence."},
        kTokens, setting<&Settings::meanSequenceLength, usual::meanSequenceLength>,
        applies::cacheOfTokens),
    count<kInference, kSglang, &PlanSglang::chunkedPrefillSize>(
        {"inference.sglang.chunked_prefill_size", "Tokens a prefill",
         "Tokens of a prompt that one pass takes at most; sizes the activations."},
        {1, 1e9}, setting<&Settings::chunkedPrefillSize, usual::chunkedPrefillSize>,
        applies::sglang),
    count<kInference, kSglang, &PlanSglang::cudaGraphMaxBs>(
        {"inference.sglang.cuda_graph_max_bs", "Largest captured batch",
         "Sequences of the largest CUDA graph of decoding."},
        {1, 1e6}, setting<&Settings::graphMaxBatch, usual::graphMaxBatch>, applies::sglang),
    real<kInference, kSglang, &PlanSglang::memFractionStatic>(
        {"inference.sglang.mem_fraction_static", "Static fraction",
         "Share of the memory that is free at the start which weights and pools may fill; the rest "
         "is for activations and CUDA graphs."},
        {0.01, 1}, setting<&Settings::staticFraction, usual::staticFraction>, applies::sglang),
    count<kInference, kSglang, &PlanSglang::maxTotalTokens>(
        {"inference.sglang.max_total_tokens", "Most tokens in the pool",
         "Tokens of the cache at most, where the fraction leaves room for more."},
        {1, 1e12}, settingUnless<0, &Settings::maxTotalTokens>, applies::sglang),
    count<kInference, kSglang, &PlanSglang::maxRunningRequests>(
        {"inference.sglang.max_running_requests", "Most requests",
         "Requests that run at once at most."},
        {1, 1e6}, settingUnless<0, &Settings::maxRunningRequests, usual::maxRunningRequests>,
        applies::sglang),
    count<kInference, kSglang, &PlanSglang::pageSize>(
        {"inference.sglang.page_size", "Page size", "Tokens in one page of the pool."}, {1, 1e6},
        setting<&Settings::pageSize>, applies::sglang),
    real<kInference, kSglang, &PlanSglang::swaFullTokensRatio>(
        {"inference.sglang.swa_full_tokens_ratio", "Window tokens",
         "Tokens in the pool of layers with a window, for each in that of layers without."},
        {0.01, 1}, setting<&Settings::swaFullTokensRatio>, applies::slidingPool),
    real<kInference, kSglang, &PlanSglang::mambaFullMemoryRatio>(
        {"inference.sglang.mamba_full_memory_ratio", "States to cache",
         "Memory of the states of layers that keep one, for each byte of the cache of others."},
        {0.01, 100}, setting<&Settings::mambaFullMemoryRatio>, applies::statePool),
    real<kInference, kTrtLlm, &PlanTrtLlm::freeGpuMemoryFraction>(
        {"inference.trtllm.free_gpu_memory_fraction", "Cache fraction",
         "Share of the memory that is free after the model is loaded which the cache takes."},
        {0.01, 1}, setting<&Settings::cacheFraction>, applies::trtLlm),
    size<kInference, &PlanInference::cudaGraphBytes>(
        {"inference.cuda_graph_bytes", "CUDA graphs",
         "Memory of captured graphs, beside the profiled peak."},
        setting<&Settings::cudaGraphBytes, usual::cudaGraphBytes>, applies::versionedEngine),
    toggle<kInference, &PlanInference::embeddingParallel>(
        {"inference.embedding_parallel", "Split embeddings",
         "Embedding and head are split under tensor parallelism instead of copied."},
        setting<&Settings::embeddingParallel>, applies::inference),
    toggle<kInference, &PlanInference::prefixCaching>(
        {"inference.prefix_caching", "Prefix caching",
         "States at the ends of blocks are kept for prompts that begin alike."},
        setting<&Settings::prefixCaching>, applies::keptStates),
    count<kInference, &PlanInference::hostExpertLayers>(
        {"inference.host_expert_layers", "Layers with host experts",
         "From the first layer on, so many keep their routed experts in the host's memory, as "
         "llama.cpp's --n-cpu-moe does; all of them: --cpu-moe."},
        {0, 1e4}, setting<&Settings::hostExpertLayers>, applies::llamaExperts),
    count<kInference, &PlanInference::groupSize>(
        {"inference.group_size", "Group size",
         "Weights that share a scale; -1: one group a column."},
        kGroup, setting<&Settings::groupSize>, applies::groupQuantized),
    oneOf<kInference, &PlanInference::modulesToNotConvert>(
        FieldKind::Choices,
        {"inference.modules_to_not_convert", "Not quantised",
         "Parts of the model that keep 16 bits; norms always do."},
        kModules, setting<&Settings::notConverted, usual::notConverted>, applies::quantizedWeights),
    toggle<kInference, &PlanInference::quantizeAtLoad>(
        {"inference.quantize_at_load", "Quantise on the GPU",
         "Weights arrive in 16 bits and are quantised there, which takes room for a moment."},
        setting<&Settings::quantizeAtLoad>, applies::quantizedWeights),
    size<kInference, &PlanInference::nonTorchBytes>(
        {"inference.non_torch_bytes", "Outside torch",
         "Memory that vLLM measures outside torch, where you know it."},
        settingUnless<-1, &Settings::nonTorchBytes>, applies::vllm),
    size<kInference, &PlanInference::activationPeakBytes>(
        {"inference.activation_peak_bytes", "Activation peak",
         "The profile run's peak less the weights, where you know it."},
        settingUnless<-1, &Settings::activationPeakBytes>, applies::vllm),
    size<kInference, &PlanInference::kvCacheMemoryBytes>(
        {"inference.kv_cache_memory_bytes", "Cache size",
         "Memory of the cache as stated to vLLM, in place of what utilization leaves."},
        settingUnless<-1, &Settings::kvCacheMemoryBytes>, applies::vllm),
    count<kInference, &PlanInference::maxLoras>(
        {"inference.max_loras", "Adapter slots",
         "LoRA adapters that a batch may use; each has its slot on the GPU from the start."},
        {0, 1e6}, setting<&Settings::maxLoras>, applies::vllm),
    count<kInference, &PlanInference::maxLoraRank>(
        {"inference.max_lora_rank", "Largest adapter rank",
         "Rank that every adapter slot has room for."},
        {1, 1e6}, setting<&Settings::maxLoraRank>, applies::servesAdapters),
    count<kInference, kMultimodal, &PlanMultimodal::images>(
        {"inference.multimodal.images", "Images a prompt",
         "Images that one prompt may hold at most; with 0 none is encoded."},
        {0, 1e6}, setting<&Settings::promptImages>, applies::encodes),
    count<kInference, kMultimodal, &PlanMultimodal::videos>(
        {"inference.multimodal.videos", "Videos a prompt",
         "Videos that one prompt may hold at most; vLLM starts by encoding the longest one."},
        {0, 1e6}, setting<&Settings::promptVideos>, applies::encodesVideos),
    count<kInference, kMultimodal, &PlanMultimodal::maxPixels>(
        {"inference.multimodal.max_pixels", "Largest image",
         "Pixels to which larger images are scaled down; 0: as the model has it."},
        {0, 1e9}, settingUnless<0, &Settings::maxPixels>, applies::scalesImages),
    toggle<kInference, kMultimodal, &PlanMultimodal::profiled>(
        {"inference.multimodal.profiled", "Encoding profiled",
         "vLLM encodes the largest images when it starts and keeps room for them."},
        setting<&Settings::encodingProfiled>, applies::encodes),
    choice<kInference, kSpeculative, &PlanSpeculation::method>(
        {"inference.speculative.method", "Speculation",
         "What drafts tokens that the model then checks together: a smaller model, an EAGLE head, "
         "the model's own prediction modules (mtp), or the text itself (ngram)."},
        setting<&Settings::speculativeMethod>, applies::inference),
    count<kInference, kSpeculative, &PlanSpeculation::tokens>(
        {"inference.speculative.num_speculative_tokens", "Drafted tokens",
         "Tokens of a sequence that are drafted and checked in one step."},
        {1, 1000}, setting<&Settings::speculativeTokens>, applies::speculates),
    ofText<kInference, kSpeculative, &PlanSpeculation::model>(
        FieldKind::Text,
        {"inference.speculative.model", "Draft",
         "A model of the catalogue that drafts; its shape is known exactly."},
        applies::ownDraft),
    ofText<kInference, kSpeculative, &PlanSpeculation::config>(
        FieldKind::Object,
        {"inference.speculative.config", "Draft config.json",
         "The draft's config.json, where the catalogue does not have it, as of EAGLE heads."},
        applies::ownDraft),
    choice<kInference, kSpeculative, &PlanSpeculation::weightFormat>(
        {"inference.speculative.weight_format", "Draft's weight format",
         "Number format of the draft's weights."},
        setting<&Settings::draftWeightFormat>, applies::ownDraft),
};

static_assert(areRowsOf(kServingFields, "adapters.kind", "inference.speculative.weight_format"));

} // namespace

std::span<const Field> servingFields()
{
    return kServingFields;
}

} // namespace vramscope
